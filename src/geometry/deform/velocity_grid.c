// SPDX-License-Identifier: MIT
// Storage of velocity grids.
#include "geometry/deform/velocity_grid.h"

#include <math.h>

#include "core/memory.h"

firn_result firn_velocity_grid_create(firn_box3 box, firn_real voxel, firn_velocity_grid* out_grid,
                                      firn_error* error)
{
    *out_grid = (firn_velocity_grid){0};
    const double extent[3] = {(double)box.high.x - (double)box.low.x,
                              (double)box.high.y - (double)box.low.y,
                              (double)box.high.z - (double)box.low.z};
    double nodes, h = (double)voxel;
    for (;; h *= 1.25) {  // each iteration about halves the number of cells
        nodes = 1;
        for (int i = 0; i < 3; i++) nodes *= ceil(extent[i] / h) + 1;
        if (!(nodes > FIRN_VELOCITY_GRID_NODES_MAX)) break;
    }
    if (!(nodes >= 1) || !(h > 0))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "velocity grid: a box of %g x %g x %g m in voxels of %g m", extent[0],
                         extent[1], extent[2], (double)voxel);
    firn_velocity_grid grid = {.origin = box.low, .voxel = (firn_real)h};
    for (int i = 0; i < 3; i++) grid.size[i] = (int32_t)ceil(extent[i] / h) + 1;
    grid.value = firn_alloc((size_t)firn_velocity_grid_count(&grid), sizeof *grid.value);
    if (grid.value == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a velocity grid of %.0f nodes",
                         nodes);
    *out_grid = grid;
    return FIRN_OK;
}

void firn_velocity_grid_destroy(firn_velocity_grid* grid)
{
    firn_free(grid->value);
    *grid = (firn_velocity_grid){0};
}

int64_t firn_velocity_grid_count(const firn_velocity_grid* grid)
{
    return (int64_t)grid->size[0] * grid->size[1] * grid->size[2];
}

size_t firn_velocity_grid_bytes(const firn_velocity_grid* grid)
{
    return (size_t)firn_velocity_grid_count(grid) * sizeof *grid->value;
}

firn_vec3 firn_velocity_grid_node(const firn_velocity_grid* grid, int64_t n)
{
    const int64_t i = n % grid->size[0], j = n / grid->size[0] % grid->size[1];
    const int64_t k = n / grid->size[0] / grid->size[1];
    const firn_vec3 steps = firn_v3((firn_real)i, (firn_real)j, (firn_real)k);
    return firn_v3_madd(grid->origin, grid->voxel, steps);
}

firn_vec3 firn_velocity_grid_fastest(const firn_velocity_grid* grid)
{
    firn_vec3 most = {0, 0, 0};
    const int64_t count = firn_velocity_grid_count(grid);
    for (int64_t n = 0; n < count; n++) most = firn_v3_max(most, firn_v3_abs(grid->value[n]));
    return most;
}
