// SPDX-License-Identifier: MIT
// Non-local means of the feature buffers. Section numbers: Rousselle, Manzi and Zwicker 2013.
#include "render/path/denoise/denoise_features.h"

#include "core/memory.h"
#include "core/threads/team.h"
#include "render/path/denoise/denoise_tile.h"

#define WINDOW 3          // [pixels]
#define PATCH 1           // [pixels]
#define TINY 1e-4f        // variance floor
#define SENSITIVITY 0.6f  // k_f of section 4
#define FLOOR 1e-3f       // tau of section 4

typedef struct work {
    float distance[FIRN_DENOISE_SIDE][FIRN_DENOISE_SIDE];
    float rows[FIRN_DENOISE_SIDE][FIRN_DENOISE_SIDE];
    float weight[FIRN_DENOISE_TILE][FIRN_DENOISE_TILE];  // sums
    float mean[FIRN_DENOISE_FEATURES][FIRN_DENOISE_TILE][FIRN_DENOISE_TILE];
    float variance[FIRN_DENOISE_FEATURES][FIRN_DENOISE_TILE][FIRN_DENOISE_TILE];
} work;

// Adds feature f's distances between `count` pixels and their partners at offset q: 0 on average if
// they differ by noise only.
static void add_distances(float* FIRN_RESTRICT to, const float* FIRN_RESTRICT f,
                          const float* FIRN_RESTRICT v, ptrdiff_t q, int32_t count)
{
#pragma omp simd
    for (int32_t x = 0; x < count; x++) {
        const float d = f[x] - f[x + q];
        const float least = v[x] < v[x + q] ? v[x] : v[x + q];
        to[x] += (d * d - (v[x] + least)) / (TINY + v[x] + v[x + q]);
    }
}

static void sum_patch_distances(const firn_denoise_planes* planes, work* w, firn_denoise_box box,
                                ptrdiff_t q)
{
    const int32_t width = box.x1 - box.x0, height = box.y1 - box.y0;
    for (int32_t y = 0; y < height + 2 * PATCH; y++) {
        float* row = w->distance[y];
        for (int32_t x = 0; x < width + 2 * PATCH; x++) row[x] = 0;
        const size_t at = firn_denoise_at(planes, box.x0 - PATCH, box.y0 - PATCH + y);
        for (int f = 0; f < FIRN_DENOISE_FEATURES; f++)
            add_distances(row, planes->feature[f] + at, planes->feature_variance[f] + at, q,
                          width + 2 * PATCH);
    }
    firn_denoise_box_sum(w->distance, w->rows, width, height, PATCH);
}

// Adds the weighted partners at offset q of pixels [from, to) of the tile's row y to the sums.
static void accumulate(const firn_denoise_planes* planes, work* w, firn_denoise_box box, int32_t y,
                       int32_t from, int32_t to, ptrdiff_t q)
{
    float weight[FIRN_DENOISE_TILE];
    const float share = 1.0f / ((2 * PATCH + 1) * (2 * PATCH + 1));
#pragma omp simd
    for (int32_t x = from; x < to; x++) {
        const float d = share * w->distance[y][x];
        weight[x] = firn_fade(d > 0 ? d : 0);
        w->weight[y][x] += weight[x];
    }
    const size_t at = firn_denoise_at(planes, box.x0, box.y0 + y);
    for (int f = 0; f < FIRN_DENOISE_FEATURES; f++) {
        const float *value = planes->feature[f] + at + q, *v = planes->feature_variance[f] + at + q;
        float *mean = w->mean[f][y], *variance = w->variance[f][y];
#pragma omp simd
        for (int32_t x = from; x < to; x++) {
            mean[x] += weight[x] * value[x];
            variance[x] += weight[x] * weight[x] * v[x];
        }
    }
}

static void filter_tile(const firn_denoise_planes* planes, work* w, firn_denoise_box box)
{
    *w = (work){0};
    for (int32_t dy = -WINDOW; dy <= WINDOW; dy++)
        for (int32_t dx = -WINDOW; dx <= WINDOW; dx++) {
            const ptrdiff_t q = (ptrdiff_t)dy * planes->stride + dx;
            sum_patch_distances(planes, w, box, q);
            const firn_denoise_box in = firn_denoise_partners(planes, box, dx, dy);
            for (int32_t y = in.y0; y < in.y1; y++) accumulate(planes, w, box, y, in.x0, in.x1, q);
        }
    for (int f = 0; f < FIRN_DENOISE_FEATURES; f++)
        for (int32_t y = box.y0; y < box.y1; y++) {
            float* mean = planes->spare[2 * f] + firn_denoise_at(planes, box.x0, y);
            float* variance = planes->spare[2 * f + 1] + firn_denoise_at(planes, box.x0, y);
            for (int32_t x = 0; x < box.x1 - box.x0; x++) {
                const float share =
                    1 / w->weight[y - box.y0][x];  // >= 1: the pixel itself has weight 1
                mean[x] = w->mean[f][y - box.y0][x] * share;
                variance[x] = w->variance[f][y - box.y0][x] * share * share;
            }
        }
}

static float square_of_smaller(float a, float b)
{
    return a * a < b * b ? a * a : b * b;
}

// Section 4: normalises differences by the feature's variance, or by its squared gradient where
// that is larger, so that a receding floor counts as uniform. Uses the smaller one-sided difference
// instead of the paper's central one: it is 0 at a step edge.
static void prepare_distances(const firn_denoise_planes* planes, int f)
{
    const ptrdiff_t down = planes->stride;
    for (int32_t y = 0; y < planes->height; y++)
        for (int32_t x = 0; x < planes->width; x++) {
            const size_t at = firn_denoise_at(planes, x, y);
            const float* v = planes->feature[f] + at;
            float scale = square_of_smaller(v[1] - v[0], v[0] - v[-1]) +
                          square_of_smaller(v[down] - v[0], v[0] - v[-down]);
            const float noise = planes->feature_variance[f][at];
            scale = scale > noise ? scale : noise;
            scale = scale > FLOOR ? scale : FLOOR;
            const float inverse = 1 / (SENSITIVITY * SENSITIVITY * scale);
            planes->spare[2 * f][at] = inverse;
            planes->spare[2 * f + 1][at] = 2 * noise * inverse;
        }
}

typedef struct filter_args {
    const firn_denoise_planes* planes;
    work* scratch;  // one per worker of the team
} filter_args;

static void filter_tiles(const void* self, firn_local begin, firn_local end)
{
    const filter_args* a = self;
    for (firn_local tile = begin; tile < end; tile++)
        filter_tile(a->planes, &a->scratch[firn_team_worker()],
                    firn_denoise_tile_box(a->planes, tile));
}

static void prepare_features(const void* self, firn_local begin, firn_local end)
{
    const firn_denoise_planes* planes = self;
    for (firn_local f = begin; f < end; f++) {
        firn_denoise_extend(planes, planes->feature[f]);
        firn_denoise_extend(planes, planes->feature_variance[f]);
        prepare_distances(planes, f);
    }
}

static void swap_planes(float** a, float** b)
{
    float* kept = *a;
    *a = *b;
    *b = kept;
}

firn_result firn_denoise_features(firn_denoise_planes* planes, firn_error* error)
{
    const int workers = firn_team_size();
    const filter_args a = {planes, firn_alloc((size_t)workers, sizeof(work))};
    if (a.scratch == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory to denoise with %d threads",
                         workers);
    firn_share(firn_denoise_tile_count(planes), 1, filter_tiles, &a);
    firn_free(a.scratch);
    for (int f = 0; f < FIRN_DENOISE_FEATURES; f++) {
        swap_planes(&planes->feature[f], &planes->spare[2 * f]);
        swap_planes(&planes->feature_variance[f], &planes->spare[2 * f + 1]);
    }
    firn_share(FIRN_DENOISE_FEATURES, 1, prepare_features, planes);
    return FIRN_OK;
}
