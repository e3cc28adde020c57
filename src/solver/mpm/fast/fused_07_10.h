// SPDX-License-Identifier: MIT
// Steps 7 to 10 in one pass over the particles: the grid is read once, for gradient and velocity
// together. It computes what the headers of those steps say, deformation and plastic clamp of a
// SIMD batch at once, and the blend of step 8 by firn_mpm_blend_gathered.
#pragma once
#include "solver/mpm/step07_deformation.h"
#include "solver/mpm/step08_particle_velocity.h"
#include "solver/mpm/step09_particle_collide.h"
#include "solver/mpm/step10_advect.h"

typedef struct firn_mpm_fused_07_10_args {
    firn_mpm_deformation_args deformation;
    firn_mpm_particle_velocity_args velocity;
    firn_mpm_particle_collide_args collide;
    firn_mpm_advect_args advect;
} firn_mpm_fused_07_10_args;
