// SPDX-License-Identifier: MIT
// Rasterizes particles to a density volume with kernels whose width is that of the snow, not that
// of the voxels: finer voxels resolve the same density, instead of showing single particles.
#pragma once
#include "state/volume/density_volume.h"

// `width` [count] [m] of a particle's cubic B-spline, which reaches two widths; narrower than a
// voxel counts as a voxel, wider than FIRN_DENSITY_WIDTH_MAX voxels as that. With a width of one
// voxel it is the kernel of firn_density_volume_build. `v` [m/s] may be null: the volume has no
// velocity. Conserves mass and momentum. Bitwise independent of the number of threads.
// FIRN_REFUSED_ARGUMENT: invalid particles, widths or voxel size.
#define FIRN_DENSITY_WIDTH_MAX 24.0
firn_result firn_density_sized_build(const firn_vec3* x, const firn_vec3* v, const firn_real* mass,
                                     const firn_real* width, firn_local count, double voxel,
                                     firn_density_volume* out_volume, firn_error* error);
