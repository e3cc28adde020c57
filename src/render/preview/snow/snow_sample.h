// SPDX-License-Identifier: MIT
// Sampling the snow volume. Coordinates are in voxels from the window's low corner ("grid space");
// voxel (i, j, k) is centred at (i + 0.5, j + 0.5, k + 0.5).
#pragma once
#include "render/preview/snow/snow_volume.h"

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

// Block at p; -1: air, or outside the window.
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

// Trilinear interpolation at (x, y, z) in an array with rows of n and slices of `slice` values.
FIRN_FN float firn_snow_trilinear(const float* cube, int64_t n, int64_t slice, float x, float y,
                                  float z)
{
    const int32_t i = (int32_t)x, j = (int32_t)y, k = (int32_t)z;
    const float u = x - (float)i, w = y - (float)j, t = z - (float)k;
    const float* c = cube + (k * slice + j * n + i);
    const float* d = c + slice;
    const float c0 = c[0] + (c[1] - c[0]) * u, c1 = c[n] + (c[n + 1] - c[n]) * u;
    const float d0 = d[0] + (d[1] - d[0]) * u, d1 = d[n] + (d[n + 1] - d[n]) * u;
    const float e0 = c0 + (c1 - c0) * w, e1 = d0 + (d1 - d0) * w;
    return e0 + (e1 - e0) * t;
}

// Occupancy at p, which lies in `block`.
FIRN_FN float firn_snow_fine_in(const firn_snow_volume* v, int32_t block, firn_grid_point p)
{
    const int32_t* at = v->at[block];
    return firn_snow_trilinear(v->fine + (size_t)block * FIRN_SNOW_FINE, 10, 100,
                               p.x - (float)(at[0] * FIRN_SNOW_BLOCK) + 0.5f,
                               p.y - (float)(at[1] * FIRN_SNOW_BLOCK) + 0.5f,
                               p.z - (float)(at[2] * FIRN_SNOW_BLOCK) + 0.5f);
}

FIRN_FN float firn_snow_fine(const firn_snow_volume* v, firn_grid_point p)
{
    const int32_t block = firn_snow_block_at(v, p);
    return block >= 0 ? firn_snow_fine_in(v, block, p) : 0;
}

// Mean occupancy over about 2 voxels.
FIRN_FN float firn_snow_mid_in(const firn_snow_volume* v, int32_t block, firn_grid_point p)
{
    const int32_t* at = v->at[block];
    return firn_snow_trilinear(v->mid + (size_t)block * FIRN_SNOW_MID, 6, 36,
                               (p.x - (float)(at[0] * FIRN_SNOW_BLOCK)) * 0.5f + 0.5f,
                               (p.y - (float)(at[1] * FIRN_SNOW_BLOCK)) * 0.5f + 0.5f,
                               (p.z - (float)(at[2] * FIRN_SNOW_BLOCK)) * 0.5f + 0.5f);
}

FIRN_FN float firn_snow_mid(const firn_snow_volume* v, firn_grid_point p)
{
    const int32_t block = firn_snow_block_at(v, p);
    return block >= 0 ? firn_snow_mid_in(v, block, p) : 0;
}

// Position of p on the coarse level, between block centres. False: outside the window.
FIRN_FN bool firn_snow_coarse_point(const firn_snow_volume* v, firn_grid_point p,
                                    firn_grid_point* out)
{
    const float s = 1.0f / FIRN_SNOW_BLOCK;
    const float x = p.x * s - 0.5f, y = p.y * s - 0.5f, z = p.z * s - 0.5f;
    *out = FIRN_LIT(firn_grid_point){x, y, z};
    return x >= 0 && y >= 0 && z >= 0 && x < (float)(v->size[0] - 1) &&
           y < (float)(v->size[1] - 1) && z < (float)(v->size[2] - 1);
}

// Mean occupancy over about 8 voxels; 0 outside the window, whose outermost blocks are air.
FIRN_FN float firn_snow_coarse(const firn_snow_volume* v, firn_grid_point p)
{
    firn_grid_point c;
    if (!firn_snow_coarse_point(v, p, &c)) return 0;
    return firn_snow_trilinear(v->coarse, v->size[0], (int64_t)v->size[0] * v->size[1], c.x, c.y,
                               c.z);
}
