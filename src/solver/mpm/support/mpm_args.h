// SPDX-License-Identifier: MIT
// Fills the argument struct of each stage: mpm_args.c shows what each stage may access.
#pragma once
#include "solver/mpm/support/mpm_cpu.h"

// What hardens and softens snow [particles]: J_P, less what sintered.
const firn_real* firn_mpm_hardening_det(const firn_mpm* m);
// Factors on the stiffness that the step sees [particles]; null: 1. Snow that creeps gives way
// during the step.
const firn_real* firn_mpm_step_stiffness(const firn_mpm* m);

firn_mpm_rasterize_args firn_mpm_args_rasterize(const firn_mpm* m);
firn_mpm_volumes_args firn_mpm_args_volumes(const firn_mpm* m);
firn_mpm_forces_args firn_mpm_args_forces(const firn_mpm* m);
firn_mpm_grid_velocity_args firn_mpm_args_grid_velocity(const firn_mpm* m);
firn_mpm_grid_collide_args firn_mpm_args_grid_collide(const firn_mpm* m);
firn_mpm_contact_args firn_mpm_args_contact(const firn_mpm* m);
firn_mpm_solve_args firn_mpm_args_solve(firn_mpm* m);
firn_mpm_deformation_args firn_mpm_args_deformation(const firn_mpm* m);
firn_mpm_particle_velocity_args firn_mpm_args_particle_velocity(const firn_mpm* m);
firn_mpm_particle_collide_args firn_mpm_args_particle_collide(const firn_mpm* m);
firn_mpm_advect_args firn_mpm_args_advect(const firn_mpm* m);
firn_mpm_fused_01_03_args firn_mpm_args_fused_01_03(const firn_mpm* m);
firn_mpm_fused_07_10_args firn_mpm_args_fused_07_10(const firn_mpm* m);
