// SPDX-License-Identifier: MIT
// Tiles of the denoiser and their inner loops. Every element is computed independently, so that
// results depend neither on threads nor on the SIMD width.
#pragma once
#include "math/rgb.h"
#include "render/path/denoise/denoise_planes.h"

#define FIRN_DENOISE_TILE 64  // [pixels] side of a tile
#define FIRN_DENOISE_SIDE (FIRN_DENOISE_TILE + 2 * FIRN_DENOISE_PATCH)

// A rectangle of pixels [x0, x1) x [y0, y1).
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

// Pixels of the tile, relative to its corner, whose partner at offset (dx, dy) lies inside the
// picture: only those are averaged, the copies in the border are not.
static inline firn_denoise_box firn_denoise_partners(const firn_denoise_planes* planes,
                                                     firn_denoise_box box, int32_t dx, int32_t dy)
{
    const int32_t x0 = box.x0 + dx < 0 ? -dx : box.x0, y0 = box.y0 + dy < 0 ? -dy : box.y0;
    const int32_t x1 = box.x1 + dx > planes->width ? planes->width - dx : box.x1;
    const int32_t y1 = box.y1 + dy > planes->height ? planes->height - dy : box.y1;
    return (firn_denoise_box){x0 - box.x0, y0 - box.y0, x1 - box.x0, y1 - box.y0};
}

// Box filter: from[y][x] becomes the sum of from[y .. y + 2 r][x .. x + 2 r]. Direct sums, because
// rounding errors of a running sum would accumulate. `rows`: scratch for the sums along rows.
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
