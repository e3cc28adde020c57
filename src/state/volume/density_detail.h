// SPDX-License-Identifier: MIT
// Rasterizes particles to a density volume that shows snow and not particles: smooth inside, a
// surface where the snow ends, fine grain on it, crumbs where it is loose, specks and mist where
// particles are alone (design/0029). For pictures.
#pragma once
#include "state/volume/density_volume.h"

#define FIRN_DETAIL_FINE_MAX 8  // voxels along a spacing

typedef struct firn_density_detail_def {
    const firn_vec3* x;     // [count] [m]; borrowed, as the others
    const firn_real* mass;  // [count] [kg]
    const uint32_t* id;  // [count] numbers that particles keep, which carry the grain; null: their
                         // indices
    firn_local count;
    double spacing;  // [m] of particles in packed snow: each stands for spacing^3 of it
    double voxel;    // [m] at least spacing / FIRN_DETAIL_FINE_MAX
} firn_density_detail_def;

// Conserves mass: the voxels within two spacings of a particle share its mass. Snow that moves by
// whole voxels gives the same volume, moved. Bitwise independent of the number of threads.
// FIRN_REFUSED_ARGUMENT: invalid particles or sizes, or a voxel that is too small.
firn_result firn_density_detail_build(const firn_density_detail_def* def,
                                      firn_density_volume* out_volume, firn_error* error);
