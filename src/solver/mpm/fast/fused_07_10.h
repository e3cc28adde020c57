// SPDX-License-Identifier: MIT
// Steps 7 to 10 in one pass over the particles: the grid is read once, for gradient and velocity
// together. What is computed is what the headers of those steps say; deformation and plastic clamp
// are those of a register full of particles at once. The blend of step 8,
// (1 - alpha) v_PIC + alpha (v_p + v_PIC - v_old), is written alpha v_p + sum_i w_ip u_i with
// u_i = v_i^{n+1} - alpha v_i^n.
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
