// SPDX-License-Identifier: MIT
// Velocities around a deforming collider: dense, coarse, trilinear; clamped to the border outside.
#pragma once
#include "core/result.h"
#include "math/box3.h"

typedef struct firn_velocity_grid {
    firn_vec3 origin;  // [m] of node (0, 0, 0)
    firn_real voxel;   // [m]
    int32_t size[3];   // nodes along x, y, z; >= 1
    firn_vec3* value;  // owned [size z][size y][size x] [m/s]
} firn_velocity_grid;

#define FIRN_VELOCITY_GRID_NODES_MAX (1 << 24)

// Zero everywhere, over `box` (not empty, finite), spaced `voxel` or, when that would be more than
// FIRN_VELOCITY_GRID_NODES_MAX nodes, as much wider as is needed. FIRN_BROKEN_MEMORY: it is empty.
firn_result firn_velocity_grid_create(firn_box3 box, firn_real voxel, firn_velocity_grid* out_grid,
                                      firn_error* error);
void firn_velocity_grid_destroy(firn_velocity_grid* grid);  // frees the array, zeroes the struct
int64_t firn_velocity_grid_count(const firn_velocity_grid* grid);  // nodes
size_t firn_velocity_grid_bytes(const firn_velocity_grid* grid);
firn_vec3 firn_velocity_grid_node(const firn_velocity_grid* grid, int64_t n);  // where it is [m]
// The largest |v| along each axis.
firn_vec3 firn_velocity_grid_fastest(const firn_velocity_grid* grid);

// Cell of x along one axis: the node below and the fraction to the next, clamped to the grid.
FIRN_FN int32_t firn_velocity_grid_cell(firn_real x, firn_real origin, firn_real voxel,
                                        int32_t size, firn_real* out_way)
{
    const firn_real u = firn_clamp((x - origin) / voxel, 0, (firn_real)(size - 1));
    int32_t i = (int32_t)u;
    if (i > size - 2) i = size > 1 ? size - 2 : 0;
    *out_way = u - (firn_real)i;
    return i;
}

// a + w (b - a): exactly a where both are the same.
FIRN_FN firn_vec3 firn_velocity_mix(firn_vec3 a, firn_vec3 b, firn_real w)
{
    return firn_v3_madd(a, w, firn_v3_sub(b, a));
}

FIRN_FN firn_vec3 firn_velocity_grid_sample(const firn_velocity_grid* grid, firn_vec3 x)
{
    firn_real u, v, w;
    const int32_t i = firn_velocity_grid_cell(x.x, grid->origin.x, grid->voxel, grid->size[0], &u);
    const int32_t j = firn_velocity_grid_cell(x.y, grid->origin.y, grid->voxel, grid->size[1], &v);
    const int32_t k = firn_velocity_grid_cell(x.z, grid->origin.z, grid->voxel, grid->size[2], &w);
    const size_t row = (size_t)grid->size[0], layer = row * (size_t)grid->size[1];
    const size_t right = grid->size[0] > 1 ? 1 : 0;
    const size_t up = grid->size[1] > 1 ? row : 0, back = grid->size[2] > 1 ? layer : 0;
    const firn_vec3* at = grid->value + (size_t)k * layer + (size_t)j * row + (size_t)i;
    const firn_vec3 a = firn_velocity_mix(firn_velocity_mix(at[0], at[right], u),
                                          firn_velocity_mix(at[up], at[up + right], u), v);
    at += back;
    const firn_vec3 b = firn_velocity_mix(firn_velocity_mix(at[0], at[right], u),
                                          firn_velocity_mix(at[up], at[up + right], u), v);
    return firn_velocity_mix(a, b, w);
}
