// SPDX-License-Identifier: MIT
// Conversion of the film to planes.
#include "render/path/denoise/denoise_planes.h"

#include <math.h>

#include "core/memory.h"
#include "core/threads/team.h"

#define VALUES (6 + 3 + 2 * FIRN_DENOISE_FEATURES)  // planes of the film
#define PLANES (VALUES + 2 * FIRN_DENOISE_FEATURES)

// Clamps, so that squared differences do not overflow.
#define LIGHT_MAX 1e15f
#define VARIANCE_MAX 1e30f
#define FEATURE_NONE 1e6f  // of a pixel without samples: different from all others
#define SAMPLES_FEW 8      // per pixel; tuned on pictures with known truth, see test_denoise.c

static float clamp_magnitude(float x, float most)
{
    return x > -most ? x < most ? x : most : -most;
}

// Maps depth to 0 (near) .. 1 (sky), 0.5 at `middle`; a pixel on an edge has the mean of its hits.
static void depth_feature(const firn_film_pixel* p, float middle, float* out, float* out_variance)
{
    const float n = (float)p->count, seen = (float)p->hit_count, share = seen / n;
    const float depth = p->hit_count > 0 ? clamp_magnitude(p->depth / seen, LIGHT_MAX) : 0;
    const float near = middle / (depth + middle);  // 1 - feature of the hits
    *out = 1 - share * near;
    const float slope = near / (depth + middle);  // derivative by depth
    const float spread = p->hit_count > 1 ? p->depth_m2 / (seen * (seen - 1)) : 0;
    *out_variance = slope * slope * clamp_magnitude(spread, VARIANCE_MAX) +
                    share * (1 - share) / n * near * near;
}

static void read_features(const firn_denoise_planes* planes, const firn_film_pixel* p, float middle,
                          size_t at)
{
    if (p->count == 0) {
        for (int f = 0; f < FIRN_DENOISE_FEATURES; f++) planes->feature[f][at] = FEATURE_NONE;
        return;
    }
    const float n = (float)p->count, pairs = p->count > 1 ? n * (n - 1) : 1;
    for (int c = 0; c < 3; c++) {
        planes->feature[c][at] = clamp_magnitude(p->albedo[c] / n, LIGHT_MAX);
        planes->feature_variance[c][at] = clamp_magnitude(p->albedo_m2[c] / pairs, VARIANCE_MAX);
        planes->feature[3 + c][at] = clamp_magnitude(p->normal[c] / n, LIGHT_MAX);
        planes->feature_variance[3 + c][at] =
            clamp_magnitude(p->normal_m2[c] / pairs, VARIANCE_MAX);
    }
    depth_feature(p, middle, &planes->feature[6][at], &planes->feature_variance[6][at]);
}

static void read_light(const firn_denoise_planes* planes, const firn_film_pixel* p, size_t at)
{
    const uint32_t counts[2] = {p->count - p->count / 2, p->count / 2};
    const float n = (float)p->count;
    for (int c = 0; c < 3; c++) {
        const float mean = p->count > 0 ? (p->light[0][c] + p->light[1][c]) / n : 0;
        for (int h = 0; h < 2; h++)
            planes->half[h][c][at] = clamp_magnitude(
                counts[h] > 0 ? p->light[h][c] / (float)counts[h] : mean, LIGHT_MAX);
        // variance of the mean of half as many samples; of one sample: its square
        planes->variance[c][at] = clamp_magnitude(
            p->count > 1 ? 2 * p->light_m2[c] / (n * (n - 1)) : mean * mean, VARIANCE_MAX);
    }
}

// With few samples per pixel variances are unreliable: larger patches are more robust, but lose
// small detail.
static int32_t choose_patch(const firn_film* film)
{
    const size_t pixels = (size_t)film->width * (size_t)film->height;
    double count = 0;
    for (size_t i = 0; i < pixels; i++) count += film->pixels[i].count;
    return count < SAMPLES_FEW * (double)pixels ? FIRN_DENOISE_PATCH : 1;
}

// Mean depth of all hits.
static float find_middle(const firn_film* film)
{
    const size_t pixels = (size_t)film->width * (size_t)film->height;
    double sum = 0, count = 0;
    for (size_t i = 0; i < pixels; i++) {
        sum += (double)clamp_magnitude(film->pixels[i].depth, LIGHT_MAX);
        count += film->pixels[i].hit_count;
    }
    return sum > 0 ? (float)(sum / count) : 1;
}

void firn_denoise_extend(const firn_denoise_planes* planes, float* plane)
{
    const int32_t width = planes->width, height = planes->height;
    for (int32_t y = -FIRN_DENOISE_BORDER; y < height + FIRN_DENOISE_BORDER; y++) {
        const int32_t from = y < 0 ? 0 : y < height ? y : height - 1;
        float* row = plane + firn_denoise_at(planes, 0, y);
        const float* source = plane + firn_denoise_at(planes, 0, from);
        for (int32_t x = -FIRN_DENOISE_BORDER; x < width + FIRN_DENOISE_BORDER; x++)
            row[x] = source[x < 0 ? 0 : x < width ? x : width - 1];
    }
}

// A variance from few samples is noisy, and correlated with the mean: smooth it with a 3 x 3 filter
// of weights 1 2 1. `scratch`: a scratch plane.
static void smooth_plane(const firn_denoise_planes* planes, float* plane, float* scratch)
{
    const ptrdiff_t down = planes->stride;
    for (int32_t y = 0; y < planes->height; y++)
        for (int32_t x = 0; x < planes->width; x++) {
            const float* v = plane + firn_denoise_at(planes, x, y);
            const float across[3] = {v[-down - 1] + 2 * v[-down] + v[-down + 1],
                                     v[-1] + 2 * v[0] + v[1],
                                     v[down - 1] + 2 * v[down] + v[down + 1]};
            scratch[firn_denoise_at(planes, x, y)] = (across[0] + 2 * across[1] + across[2]) / 16;
        }
    for (int32_t y = 0; y < planes->height; y++)
        for (int32_t x = 0; x < planes->width; x++)
            plane[firn_denoise_at(planes, x, y)] = scratch[firn_denoise_at(planes, x, y)];
    firn_denoise_extend(planes, plane);
}

static void smooth_channels(const void* self, firn_local begin, firn_local end)
{
    const firn_denoise_planes* planes = self;
    for (firn_local c = begin; c < end; c++)
        smooth_plane(planes, planes->variance[c], planes->spare[c]);
}

void firn_denoise_smooth_variance(firn_denoise_planes* planes)
{
    firn_share(3, 1, smooth_channels, planes);
}

static void set_planes(firn_denoise_planes* planes, size_t size)
{
    float* next = planes->block;
    for (int k = 0; k < 6; k++, next += size) planes->half[k / 3][k % 3] = next;
    for (int c = 0; c < 3; c++, next += size) planes->variance[c] = next;
    for (int f = 0; f < FIRN_DENOISE_FEATURES; f++, next += 2 * size) {
        planes->feature[f] = next;
        planes->feature_variance[f] = next + size;
    }
    for (int f = 0; f < 2 * FIRN_DENOISE_FEATURES; f++, next += size) planes->spare[f] = next;
}

typedef struct read_args {
    const firn_denoise_planes* planes;
    const firn_film* film;
    float middle;
} read_args;

static void read_rows(const void* self, firn_local begin, firn_local end)
{
    const read_args* a = self;
    for (firn_local y = begin; y < end; y++)
        for (int32_t x = 0; x < a->film->width; x++) {
            const firn_film_pixel* p =
                &a->film->pixels[(size_t)y * (size_t)a->film->width + (size_t)x];
            const size_t at = firn_denoise_at(a->planes, x, y);
            read_light(a->planes, p, at);
            read_features(a->planes, p, a->middle, at);
        }
}

// Planes of `block` that hold values; the spare ones come after them.
static void extend_planes(const void* self, firn_local begin, firn_local end)
{
    const firn_denoise_planes* planes = self;
    const size_t size = (size_t)planes->stride * (size_t)(planes->height + 2 * FIRN_DENOISE_BORDER);
    for (firn_local k = begin; k < end; k++)
        firn_denoise_extend(planes, planes->block + (size_t)k * size);
}

firn_result firn_denoise_planes_create(firn_denoise_planes* planes, const firn_film* film,
                                       firn_error* error)
{
    *planes = (firn_denoise_planes){.width = film->width, .height = film->height};
    planes->patch = choose_patch(film);
    planes->stride = (film->width + 2 * FIRN_DENOISE_BORDER + 15) / 16 * 16;
    const size_t size = (size_t)planes->stride * (size_t)(film->height + 2 * FIRN_DENOISE_BORDER);
    planes->block = firn_alloc(size, PLANES * sizeof(float));
    if (planes->block == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY,
                         "no memory to denoise a picture of %d x %d pixels: make it smaller, or do "
                         "without",
                         (int)film->width, (int)film->height);
    set_planes(planes, size);
    const read_args a = {planes, film, find_middle(film)};
    firn_share(film->height, 1, read_rows, &a);  // a row: some 10 microseconds
    firn_share(VALUES, 1, extend_planes, planes);
    return FIRN_OK;
}

void firn_denoise_planes_destroy(firn_denoise_planes* planes)
{
    firn_free(planes->block);
    *planes = (firn_denoise_planes){0};
}
