// SPDX-License-Identifier: MIT
// Values of a wind field (velocity_volume.h), for C and CUDA.
#pragma once
#include <math.h>

#include "geometry/deform/velocity_grid.h"

FIRN_FN firn_vec3 firn_velocity_node(const firn_velocity_grid* grid, const uint8_t* known,
                                     int64_t x, int64_t y, int64_t z, firn_vec3 outside)
{
    const int32_t* size = grid->size;
    if (x < 0 || x >= size[0] || y < 0 || y >= size[1] || z < 0 || z >= size[2]) return outside;
    const size_t n = ((size_t)z * (size_t)size[1] + (size_t)y) * (size_t)size[0] + (size_t)x;
    return known[n] != 0 ? grid->value[n] : outside;
}

// firn_velocity_volume_sample. known [nodes]: 0 where there is no value.
FIRN_FN firn_vec3 firn_velocity_sample(const firn_velocity_grid* grid, const uint8_t* known,
                                       firn_vec3 x, firn_vec3 outside)
{
    const firn_vec3 from = firn_v3_sub(x, grid->origin);
    const double position[3] = {(double)from.x, (double)from.y, (double)from.z};
    int64_t base[3];
    firn_real fraction[3];
    for (int d = 0; d < 3; d++) {
        const double u = position[d] / (double)grid->voxel;
        if (!(u > -1 && u < (double)grid->size[d])) return outside;
        const double below = floor(u);
        base[d] = (int64_t)below;
        fraction[d] = (firn_real)(u - below);
    }
    firn_vec3 row[4];  // along x, at (y, z) = (0, 0), (1, 0), (0, 1), (1, 1)
    for (int r = 0; r < 4; r++) {
        const int64_t y = base[1] + (r & 1), z = base[2] + (r >> 1);
        row[r] = firn_velocity_mix(firn_velocity_node(grid, known, base[0], y, z, outside),
                                   firn_velocity_node(grid, known, base[0] + 1, y, z, outside),
                                   fraction[0]);
    }
    return firn_velocity_mix(firn_velocity_mix(row[0], row[1], fraction[1]),
                             firn_velocity_mix(row[2], row[3], fraction[1]), fraction[2]);
}
