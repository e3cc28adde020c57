// SPDX-License-Identifier: MIT
// Environment map, sampled by row, then by column (Pharr, Jakob and Humphreys, Physically Based
// Rendering, 2-D piecewise constant distributions).
//
// Probabilities are multiples of 2^-24, like the random numbers, so that samples match the pdf
// exactly. Texels too dim for that have pdf 0; BSDF and phase sampling find their light.
#include "render/path/environment.h"

#include <math.h>

#include "core/memory.h"
#include "render/path/environment_sample.h"

#define PROBABILITY_STEPS 16777216.0  // 2^24

static firn_result check_texels(const firn_rgb* texels, int32_t width, int32_t height,
                                firn_error* error)
{
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            const firn_rgb t = texels[(size_t)y * (size_t)width + (size_t)x];
            if (t.r >= 0 && t.g >= 0 && t.b >= 0 && isfinite(t.r) && isfinite(t.g) && isfinite(t.b))
                continue;
            return firn_fail(error, FIRN_REFUSED_SCENE,
                             "the sky picture's pixel in column %d, row %d (from 0, top left) is "
                             "(%g, %g, %g): light must be finite and not negative; repair the "
                             "picture",
                             (int)x, (int)y, (double)t.r, (double)t.g, (double)t.b);
        }
    return FIRN_OK;
}

// Normalises sums to a CDF in multiples of 2^-24. All zero if the total is 0.
static void write_cdf(float* cdf, const double* sums, int32_t count)
{
    const double total = sums[count];
    for (int32_t k = 0; k <= count; k++)
        cdf[k] = total > 0
                     ? (float)(floor(PROBABILITY_STEPS * (sums[k] / total)) / PROBABILITY_STEPS)
                     : 0;
}

// `sums`: room for the longer side + 1.
static void build_columns(firn_environment* e, double* row_light, double* sums)
{
    for (int32_t y = 0; y < e->height; y++) {
        sums[0] = 0;
        for (int32_t x = 0; x < e->width; x++)
            sums[x + 1] = sums[x] + (double)firn_rgb_luminance(
                                        e->texels[(size_t)y * (size_t)e->width + (size_t)x]);
        write_cdf(e->column_cdf + (size_t)y * ((size_t)e->width + 1), sums, e->width);
        row_light[y] = sums[e->width] * firn_texel_angle(e, y);
    }
}

static firn_result build(firn_environment* e, firn_error* error)
{
    const int32_t longer = e->width > e->height ? e->width : e->height;
    double* row_light = firn_alloc((size_t)e->height, sizeof *row_light);
    double* sums = firn_alloc((size_t)longer + 1, sizeof *sums);
    if (row_light != NULL && sums != NULL) {
        build_columns(e, row_light, sums);
        sums[0] = 0;
        for (int32_t y = 0; y < e->height; y++) sums[y + 1] = sums[y] + row_light[y];
        write_cdf(e->row_cdf, sums, e->height);
        e->mean = (float)(sums[e->height] / (4 * FIRN_ENVIRONMENT_PI));
    }
    const bool good = row_light != NULL && sums != NULL;
    firn_free(row_light);
    firn_free(sums);
    return good ? FIRN_OK
                : firn_fail(error, FIRN_BROKEN_MEMORY, "no memory to prepare the sky picture");
}

firn_result firn_environment_create(firn_environment* e, const firn_rgb* texels, int32_t width,
                                    int32_t height, float rotation, firn_error* error)
{
    *e = (firn_environment){0};
    if (width < 1 || height < 1 || width > FIRN_ENVIRONMENT_SIDE_MAX ||
        height > FIRN_ENVIRONMENT_SIDE_MAX)
        return firn_fail(
            error, FIRN_REFUSED_ARGUMENT,
            "a sky picture of %d x %d pixels cannot be used: each side must be 1 to %d", (int)width,
            (int)height, FIRN_ENVIRONMENT_SIDE_MAX);
    if (!isfinite(rotation))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "a sky cannot be rotated by %g",
                         (double)rotation);
    FIRN_TRY(check_texels(texels, width, height, error));
    const size_t count = (size_t)width * (size_t)height;
    *e = (firn_environment){.width = width, .height = height, .rotation = rotation};
    e->texels = firn_alloc(count, sizeof *e->texels);
    e->row_cdf = firn_alloc((size_t)height + 1, sizeof *e->row_cdf);
    e->column_cdf = firn_alloc(count + (size_t)height, sizeof *e->column_cdf);
    firn_result result = FIRN_OK;
    if (e->texels == NULL || e->row_cdf == NULL || e->column_cdf == NULL) {
        result = firn_fail(error, FIRN_BROKEN_MEMORY,
                           "no memory for a sky picture of %d x %d pixels: make it smaller",
                           (int)width, (int)height);
    } else {
        for (size_t i = 0; i < count; i++) e->texels[i] = texels[i];
        result = build(e, error);
    }
    if (result != FIRN_OK) firn_environment_destroy(e);
    return result;
}

void firn_environment_destroy(firn_environment* e)
{
    firn_free(e->texels);
    firn_free(e->row_cdf);
    firn_free(e->column_cdf);
    *e = (firn_environment){0};
}
