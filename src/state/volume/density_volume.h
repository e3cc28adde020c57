// SPDX-License-Identifier: MIT
// Rasterizes particles to a sparse volume of density and velocity, for VDB files and pictures.
#pragma once
#include "core/result.h"

// Blocks of 8x8x8 voxels (OpenVDB's leaf size), values z fastest: index = (x*8 + y)*8 + z. Voxel
// (i, j, k) is centred at world (i, j, k) * voxel. Blocks are sorted by (x, y, z) of their origin.
typedef struct firn_density_volume {
    double voxel;  // [m]
    firn_local block_count;
    int32_t (*origin)[3];  // owned; [block_count]; multiples of 8
    float* density;        // owned; [block_count][512]  [kg/m^3]
    float* velocity;  // owned; [block_count][512][3]  [m/s], mass-weighted; null: not requested
} firn_density_volume;

// Uses cubic B-splines, the kernel of the simulation (Stomakhin 2013, section 9). Bitwise
// independent of the number of threads. `v` may be null.
firn_result firn_density_volume_build(const firn_vec3* x, const firn_vec3* v, const firn_real* mass,
                                      firn_local count, double voxel,
                                      firn_density_volume* out_volume, firn_error* error);
void firn_density_volume_destroy(firn_density_volume* volume);
