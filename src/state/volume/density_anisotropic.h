// SPDX-License-Identifier: MIT
// Rasterizes particles to a density volume with anisotropic kernels (Yu and Turk 2013), which are
// wide along the surface of the snow and thin across it: smoother surfaces, equally sharp.
#pragma once
#include "state/volume/density_volume.h"

// `spacing` [m]: distance of particles in packed snow. `v` [m/s] may be null: the volume has no
// velocity. Conserves mass and momentum. Bitwise independent of the number of threads.
// FIRN_REFUSED_ARGUMENT: invalid particles or sizes, or a kernel would be wider than 64 voxels.
firn_result firn_density_anisotropic_build(const firn_vec3* x, const firn_vec3* v,
                                           const firn_real* mass, firn_local count, double spacing,
                                           double voxel, firn_density_volume* out_volume,
                                           firn_error* error);
