// SPDX-License-Identifier: MIT
// Noise that moves with the snow: each particle carries a few plane waves under a window, with
// wavelengths, directions and phases from its number, and their sum is divided by the root of the
// sum of squared windows (sparse convolution noise, Lewis 1989; waves as by Lagae et al. 2009).
// Normally distributed, with mean 0 and variance 1 wherever particles are; it neither swims nor
// blurs, because nothing is tied to a place or to an initial state.
#pragma once
#include "math/vec3.h"
#include "state/volume/detail_grid.h"

#define FIRN_DETAIL_WAVES 2  // of a particle

typedef struct firn_detail_noise {
    const firn_vec3* x;       // borrowed
    const uint32_t* id;       // borrowed; null: the index
    double voxel;             // [m]
    float reach;              // [voxels] half the width of a window
    float shortest, longest;  // [voxels] wavelengths
} firn_detail_noise;

// Adds the particles list[0 .. count), those deep in snow as ~p and without waves, to a region's
// voxels: out[0][..] the waves, out[1][..] the squared windows, out[2][..] the windows; [side^3]
// each.
void firn_detail_noise_add(const firn_detail_noise* noise, const firn_detail_region* region,
                           int32_t side, const firn_local* list, firn_local count, float* out[3]);
