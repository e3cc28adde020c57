// SPDX-License-Identifier: MIT
// Joint non-local means. Section numbers: Rousselle, Manzi and Zwicker 2013, "Robust denoising
// using feature and color information"; one filter with fixed parameters instead of a choice among
// three.
//
// Per tile and window offset: distances of all pixels to their partner at that offset, box sums of
// them over patches, weights, and weighted sums of the partners. The cost does not depend on the
// patch size.
//
//     half A ── distances ──► weights ──┐   ┌── weights ◄── distances ── half B
//        └──── means with the weights of B ─┘└─ means with the weights of A ──┘
#include "render/path/denoise/denoise.h"

#include "core/memory.h"
#include "core/threads/team.h"
#include "render/path/denoise/denoise_features.h"
#include "render/path/denoise/denoise_outliers.h"
#include "render/path/denoise/denoise_tile.h"

#define WINDOW FIRN_DENOISE_WINDOW
#define SENSITIVITY 0.6f  // k_c of section 3, in standard deviations; tuned (the paper: 0.45)
#define TINY 1e-8f        // variance floor

typedef struct work {
    float distance[2][FIRN_DENOISE_SIDE][FIRN_DENOISE_SIDE];  // per half buffer
    float rows[FIRN_DENOISE_SIDE][FIRN_DENOISE_SIDE];
    float weight[2][FIRN_DENOISE_TILE][FIRN_DENOISE_TILE];   // sums
    float mean[2][3][FIRN_DENOISE_TILE][FIRN_DENOISE_TILE];  // sums
} work;

// Adds the distances between `count` pixels and their partners at offset q in one channel, for both
// half buffers, which share a variance estimate: 0 on average if they differ by noise only (section
// 3).
static void add_distances(float* FIRN_RESTRICT to_a, float* FIRN_RESTRICT to_b,
                          const float* FIRN_RESTRICT a, const float* FIRN_RESTRICT b,
                          const float* FIRN_RESTRICT v, ptrdiff_t q, int32_t count)
{
#pragma omp simd
    for (int32_t x = 0; x < count; x++) {
        const float least = v[x] < v[x + q] ? v[x] : v[x + q];
        const float noise = v[x] + least;
        const float scale = 1 / (TINY + SENSITIVITY * SENSITIVITY * (v[x] + v[x + q]));
        const float da = a[x] - a[x + q], db = b[x] - b[x + q];
        to_a[x] += (da * da - noise) * scale;
        to_b[x] += (db * db - noise) * scale;
    }
}

static void sum_patch_distances(const firn_denoise_planes* planes, work* w, firn_denoise_box box,
                                ptrdiff_t q)
{
    const int32_t patch = planes->patch;
    const int32_t width = box.x1 - box.x0, height = box.y1 - box.y0;
    for (int32_t y = 0; y < height + 2 * patch; y++) {
        float *a = w->distance[0][y], *b = w->distance[1][y];
        for (int32_t x = 0; x < width + 2 * patch; x++) a[x] = b[x] = 0;
        const size_t at = firn_denoise_at(planes, box.x0 - patch, box.y0 - patch + y);
        for (int c = 0; c < 3; c++)
            add_distances(a, b, planes->half[0][c] + at, planes->half[1][c] + at,
                          planes->variance[c] + at, q, width + 2 * patch);
    }
    for (int h = 0; h < 2; h++) firn_denoise_box_sum(w->distance[h], w->rows, width, height, patch);
}

// Largest distance over all features, at least 0, of pixels [from, end) of a row.
static void feature_distances(const firn_denoise_planes* planes, float* FIRN_RESTRICT to, size_t at,
                              ptrdiff_t q, int32_t from, int32_t end)
{
    for (int32_t x = from; x < end; x++) to[x] = 0;
    for (int f = 0; f < FIRN_DENOISE_FEATURES; f++) {
        const float* value = planes->feature[f] + at;
        const float *scale = planes->spare[2 * f] + at, *noise = planes->spare[2 * f + 1] + at;
#pragma omp simd
        for (int32_t x = from; x < end; x++) {
            const float d = value[x] - value[x + q];
            const float distance = d * d * scale[x] - noise[x];
            to[x] = to[x] > distance ? to[x] : distance;
        }
    }
}

// Adds the weighted partners at offset q of pixels [from, to) of the tile's row y to the sums. The
// weight is the smaller of those by colour and by features (section 4).
static void accumulate(const firn_denoise_planes* planes, work* w, firn_denoise_box box, int32_t y,
                       int32_t from, int32_t to, ptrdiff_t q)
{
    const size_t at = firn_denoise_at(planes, box.x0, box.y0 + y);
    float apart[FIRN_DENOISE_TILE];
    feature_distances(planes, apart, at, q, from, to);
    const int32_t side = 2 * planes->patch + 1;
    const float share = 1.0f / (float)(3 * side * side);  // channels x pixels of a patch
    for (int h = 0; h < 2; h++) {
        float weight[FIRN_DENOISE_TILE];
        const float* distance = w->distance[1 - h][y];  // of the other half buffer
        float* sum = w->weight[h][y];
#pragma omp simd
        for (int32_t x = from; x < to; x++) {
            const float d = share * distance[x];
            weight[x] = firn_fade(d > apart[x] ? d : apart[x]);
            sum[x] += weight[x];
        }
        for (int c = 0; c < 3; c++) {
            const float* light = planes->half[h][c] + at + q;
            float* mean = w->mean[h][c][y];
#pragma omp simd
            for (int32_t x = from; x < to; x++) mean[x] += weight[x] * light[x];
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
}

// Combines the half buffers, weighted by their sample counts.
static void write_tile(const firn_film* film, firn_film_layers* layers, const work* w,
                       firn_denoise_box box)
{
    float* const planes[3] = {layers->r, layers->g, layers->b};
    for (int32_t y = box.y0; y < box.y1; y++)
        for (int32_t x = box.x0; x < box.x1; x++) {
            const size_t at = (size_t)y * (size_t)film->width + (size_t)x;
            const uint32_t count = film->pixels[at].count;
            if (count == 0) {
                for (int c = 0; c < 3; c++) planes[c][at] = 0;
                continue;
            }
            const int32_t tx = x - box.x0, ty = y - box.y0;
            const float second = (float)(count / 2) / (float)count;
            for (int c = 0; c < 3; c++)
                planes[c][at] = (1 - second) * (w->mean[0][c][ty][tx] / w->weight[0][ty][tx]) +
                                second * (w->mean[1][c][ty][tx] / w->weight[1][ty][tx]);
        }
}

typedef struct filter_args {
    const firn_film* film;
    firn_film_layers* layers;
    const firn_denoise_planes* planes;
    work* scratch;  // one per worker of the team
} filter_args;

static void filter_tiles(const void* self, firn_local begin, firn_local end)
{
    const filter_args* a = self;
    work* w = &a->scratch[firn_team_worker()];
    for (firn_local tile = begin; tile < end; tile++) {
        const firn_denoise_box box = firn_denoise_tile_box(a->planes, tile);
        filter_tile(a->planes, w, box);
        write_tile(a->film, a->layers, w, box);
    }
}

firn_result firn_denoise(const firn_film* film, firn_film_layers* layers, firn_error* error)
{
    firn_denoise_planes planes;
    FIRN_TRY(firn_denoise_planes_create(&planes, film, error));
    firn_denoise_outliers(&planes);
    firn_denoise_smooth_variance(&planes);
    firn_result result = firn_denoise_features(&planes, error);
    const int workers = firn_team_size();
    work* scratch = result == FIRN_OK ? firn_alloc((size_t)workers, sizeof *scratch) : NULL;
    if (result == FIRN_OK && scratch == NULL)
        result =
            firn_fail(error, FIRN_BROKEN_MEMORY, "no memory to denoise with %d threads", workers);
    const filter_args a = {film, layers, &planes, scratch};
    if (result == FIRN_OK) {
        firn_share(firn_denoise_tile_count(&planes), 1, filter_tiles, &a);
        firn_film_add_glints(film, layers);
    }
    firn_free(scratch);
    firn_denoise_planes_destroy(&planes);
    return result;
}
