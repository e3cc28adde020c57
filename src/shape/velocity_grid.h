// SPDX-License-Identifier: MIT
// Velocities around a deforming body: dense, coarse, trilinear; the value of the box's edge
// outside.
#pragma once
#include "core/result.h"
#include "math/box3.h"

typedef struct firn_velocity_grid {
    firn_vec3 origin;  // [m] of node (0, 0, 0)
    firn_real voxel;   // [m]
    int32_t size[3];   // nodes along x, y, z; >= 1
    firn_vec3* value;  // owned [size z][size y][size x] [m/s]
} firn_velocity_grid;
