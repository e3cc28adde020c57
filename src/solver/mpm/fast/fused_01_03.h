// SPDX-License-Identifier: MIT
// Steps 1 and 3 in one pass over the particles: mass, momentum and force are scattered together.
// It computes what step01_rasterize.h and step03_forces.h say, the stress of a SIMD batch at once.
// Not in the first step, which needs the masses of step 1 before the forces of step 3.
#pragma once
#include "solver/mpm/step01_rasterize.h"
#include "solver/mpm/step03_forces.h"

typedef struct firn_mpm_fused_01_03_args {
    firn_mpm_rasterize_args rasterize;
    firn_mpm_forces_args forces;
} firn_mpm_fused_01_03_args;
