// SPDX-License-Identifier: MIT
// Particles rasterised to a density volume with kernels that are drawn out along the surface of the
// snow and thin across it (Yu and Turk 2013): smoother surfaces at the same sharpness.
#pragma once
#include "state/density_volume.h"

// `spacing` [m]: how far particles are apart in packed snow. Mass is exact; no velocity. The same
// bits for any number of threads. FIRN_REFUSED_ARGUMENT too when a kernel would be wider than 64
// voxels.
firn_result firn_density_anisotropic_build(const firn_vec3* x, const firn_real* mass,
                                           firn_local count, double spacing, double voxel,
                                           int threads, firn_density_volume* out_volume,
                                           firn_error* error);
