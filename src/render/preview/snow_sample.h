// SPDX-License-Identifier: MIT
// Reading the snow volume at points and along rays. Coordinates are in voxels from the window's low
// corner ("grid space"); voxel (i, j, k) is centred at (i + 0.5, j + 0.5, k + 0.5).
#pragma once
#include "render/preview/snow_volume.h"

typedef struct firn_grid_point {
    float x, y, z;  // [voxels]
} firn_grid_point;

FIRN_FN firn_grid_point firn_snow_to_grid(const firn_snow_volume* v, firn_vec3 x)
{
    const double s = 1.0 / (double)v->voxel;
    return FIRN_LIT(firn_grid_point){(float)(((double)x.x - v->low[0]) * s),
                                     (float)(((double)x.y - v->low[1]) * s),
                                     (float)(((double)x.z - v->low[2]) * s)};
}

FIRN_FN firn_grid_point firn_grid_madd(firn_grid_point p, float s, firn_grid_point d)
{
    return FIRN_LIT(firn_grid_point){p.x + s * d.x, p.y + s * d.y, p.z + s * d.z};
}

// The block at p, or -1: air, or outside the window.
FIRN_FN int32_t firn_snow_block_at(const firn_snow_volume* v, firn_grid_point p)
{
    const float s = 1.0f / FIRN_SNOW_BLOCK;
    const float x = p.x * s, y = p.y * s, z = p.z * s;
    // written so that NaN is outside
    if (!(x >= 0 && y >= 0 && z >= 0 && x < (float)v->size[0] && y < (float)v->size[1] &&
          z < (float)v->size[2]))
        return -1;
    return v->table[((int64_t)(int32_t)z * v->size[1] + (int32_t)y) * v->size[0] + (int32_t)x];
}

// Between the eight values around (x, y, z) of a cube of n^3 values.
FIRN_FN float firn_snow_trilinear(const float* cube, int32_t n, float x, float y, float z)
{
    const int32_t i = (int32_t)x, j = (int32_t)y, k = (int32_t)z;
    const float u = x - (float)i, w = y - (float)j, t = z - (float)k;
    const float* c = cube + ((k * n + j) * n + i);
    const float* d = c + n * n;
    const float c0 = c[0] + (c[1] - c[0]) * u, c1 = c[n] + (c[n + 1] - c[n]) * u;
    const float d0 = d[0] + (d[1] - d[0]) * u, d1 = d[n] + (d[n + 1] - d[n]) * u;
    const float e0 = c0 + (c1 - c0) * w, e1 = d0 + (d1 - d0) * w;
    return e0 + (e1 - e0) * t;
}

// Occupancy at p, which lies in `block`.
FIRN_FN float firn_snow_fine_in(const firn_snow_volume* v, int32_t block, firn_grid_point p)
{
    const int32_t* at = v->at[block];
    return firn_snow_trilinear(v->fine + (size_t)block * FIRN_SNOW_FINE, 10,
                               p.x - (float)(at[0] * FIRN_SNOW_BLOCK) + 0.5f,
                               p.y - (float)(at[1] * FIRN_SNOW_BLOCK) + 0.5f,
                               p.z - (float)(at[2] * FIRN_SNOW_BLOCK) + 0.5f);
}

FIRN_FN float firn_snow_fine(const firn_snow_volume* v, firn_grid_point p)
{
    const int32_t block = firn_snow_block_at(v, p);
    return block >= 0 ? firn_snow_fine_in(v, block, p) : 0;
}

// Averaged over about 2 voxels.
FIRN_FN float firn_snow_mid_in(const firn_snow_volume* v, int32_t block, firn_grid_point p)
{
    const int32_t* at = v->at[block];
    return firn_snow_trilinear(v->mid + (size_t)block * FIRN_SNOW_MID, 6,
                               (p.x - (float)(at[0] * FIRN_SNOW_BLOCK)) * 0.5f + 0.5f,
                               (p.y - (float)(at[1] * FIRN_SNOW_BLOCK)) * 0.5f + 0.5f,
                               (p.z - (float)(at[2] * FIRN_SNOW_BLOCK)) * 0.5f + 0.5f);
}

FIRN_FN float firn_snow_mid(const firn_snow_volume* v, firn_grid_point p)
{
    const int32_t block = firn_snow_block_at(v, p);
    return block >= 0 ? firn_snow_mid_in(v, block, p) : 0;
}

// Averaged over about 8 voxels; smooth, and 0 beyond the window, whose outermost blocks are air.
FIRN_FN float firn_snow_coarse(const firn_snow_volume* v, firn_grid_point p)
{
    const float s = 1.0f / FIRN_SNOW_BLOCK;
    const float x = p.x * s - 0.5f, y = p.y * s - 0.5f, z = p.z * s - 0.5f;
    if (!(x >= 0 && y >= 0 && z >= 0 && x < (float)(v->size[0] - 1) &&
          y < (float)(v->size[1] - 1) && z < (float)(v->size[2] - 1)))
        return 0;
    const int32_t i = (int32_t)x, j = (int32_t)y, k = (int32_t)z;
    const float f = x - (float)i, g = y - (float)j, h = z - (float)k;
    const int64_t row = v->size[0], slice = row * v->size[1];
    const float* c = v->coarse + (k * slice + j * row + i);
    const float* d = c + slice;
    const float c0 = c[0] + (c[1] - c[0]) * f, c1 = c[row] + (c[row + 1] - c[row]) * f;
    const float d0 = d[0] + (d[1] - d[0]) * f, d1 = d[row] + (d[row + 1] - d[row]) * f;
    const float e0 = c0 + (c1 - c0) * g, e1 = d0 + (d1 - d0) * g;
    return e0 + (e1 - e0) * h;
}
