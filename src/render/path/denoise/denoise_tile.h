// SPDX-License-Identifier: MIT
// The inner loops of the denoiser, over the rows of a tile. Every element is computed alone, so
// that bits depend neither on threads nor on the width of the machine's vectors.
#pragma once
#include "render/image/colour.h"
#include "render/path/denoise/denoise_planes.h"

#define FIRN_DENOISE_TILE 64  // [pixels] side of what one thread works on at once
#define FIRN_DENOISE_SIDE (FIRN_DENOISE_TILE + 2 * FIRN_DENOISE_PATCH)

// A piece of the picture: pixels [x0, x1) x [y0, y1).
typedef struct firn_denoise_box {
    int32_t x0, y0, x1, y1;
} firn_denoise_box;

static inline firn_denoise_box firn_denoise_tile_box(const firn_denoise_planes* planes,
                                                     int32_t tile)
{
    const int32_t across = (planes->width + FIRN_DENOISE_TILE - 1) / FIRN_DENOISE_TILE;
    const int32_t x0 = tile % across * FIRN_DENOISE_TILE, y0 = tile / across * FIRN_DENOISE_TILE;
    const int32_t x1 = x0 + FIRN_DENOISE_TILE, y1 = y0 + FIRN_DENOISE_TILE;
    return (firn_denoise_box){x0, y0, x1 < planes->width ? x1 : planes->width,
                              y1 < planes->height ? y1 : planes->height};
}

static inline int32_t firn_denoise_tile_count(const firn_denoise_planes* planes)
{
    return ((planes->width + FIRN_DENOISE_TILE - 1) / FIRN_DENOISE_TILE) *
           ((planes->height + FIRN_DENOISE_TILE - 1) / FIRN_DENOISE_TILE);
}

// Sums over squares of 2 r + 1: from[y][x .. x + 2 r] of rows y .. y + 2 r become to[y][x], in
// place of a moving sum, whose rounding would drift. `rows`: room for the sums along rows.
static inline void firn_denoise_box_sum(float (*from)[FIRN_DENOISE_SIDE],
                                        float (*rows)[FIRN_DENOISE_SIDE], int32_t width,
                                        int32_t height, int32_t r)
{
    for (int32_t y = 0; y < height + 2 * r; y++) {
        const float* a = from[y];
        float* s = rows[y];
#pragma omp simd
        for (int32_t x = 0; x < width; x++) s[x] = a[x];
        for (int32_t k = 1; k <= 2 * r; k++)
#pragma omp simd
            for (int32_t x = 0; x < width; x++) s[x] += a[x + k];
    }
    for (int32_t y = 0; y < height; y++) {
        float* s = from[y];
#pragma omp simd
        for (int32_t x = 0; x < width; x++) s[x] = rows[y][x];
        for (int32_t k = 1; k <= 2 * r; k++)
#pragma omp simd
            for (int32_t x = 0; x < width; x++) s[x] += rows[y + k][x];
    }
}
