// SPDX-License-Identifier: MIT
// The CPU backend's table of loops, one per SIMD level, chosen at run time.
#pragma once
#include "core/simd/simd.h"
#include "core/threads/team.h"
#include "solver/mpm/fast/fused_01_03.h"
#include "solver/mpm/fast/fused_07_10.h"
#include "solver/mpm/step01_rasterize.h"
#include "solver/mpm/step02_volumes.h"
#include "solver/mpm/step03_forces.h"
#include "solver/mpm/step04_grid_velocity.h"
#include "solver/mpm/step05_grid_collide.h"
#include "solver/mpm/step06_solve.h"
#include "solver/mpm/step07_deformation.h"
#include "solver/mpm/step08_particle_velocity.h"
#include "solver/mpm/step09_particle_collide.h"
#include "solver/mpm/step10_advect.h"
#include "solver/mpm/support/mpm_measure.h"

struct firn_mpm_ops {
    const char* simd;  // "baseline", "x86-64-v3", ..., "plain"
    firn_mpm_measured (*measure)(const firn_mpm_measure_args* args);
    void (*rasterize)(const firn_mpm_rasterize_args* args);
    firn_loop* divide;  // end of step 1 for a range of nodes; `self`: firn_mpm_rasterize_args
    void (*volumes)(const firn_mpm_volumes_args* args);
    void (*forces)(const firn_mpm_forces_args* args);
    void (*grid_velocity)(const firn_mpm_grid_velocity_args* args);
    void (*grid_collide)(const firn_mpm_grid_collide_args* args);
    firn_cr_result (*solve)(const firn_mpm_solve_args* args);
    double (*apply)(void* solve_args, const firn_vec4* u, firn_vec4* out);  // A u, for tests
    void (*linearize)(const firn_mpm_solve_args* args);                     // before `apply`
    void (*react)(const firn_mpm_solve_args* args);  // after `solve`: what colliders take
    void (*deformation)(const firn_mpm_deformation_args* args);
    void (*particle_velocity)(const firn_mpm_particle_velocity_args* args);
    void (*particle_collide)(const firn_mpm_particle_collide_args* args);
    void (*advect)(const firn_mpm_advect_args* args);
    // Several steps in one pass; null: the steps one by one.
    void (*fused_01_03)(const firn_mpm_fused_01_03_args* args);
    void (*fused_07_10)(const firn_mpm_fused_07_10_args* args);
    firn_cr_result (*solve_simd)(const firn_mpm_solve_args* args);  // null: solve
    double (*apply_simd)(void* solve_args, const firn_vec4* u, firn_vec4* out);
    void (*linearize_simd)(const firn_mpm_solve_args* args);
    void (*react_simd)(const firn_mpm_solve_args* args);
};

// Tables of the levels that this build has.
extern const firn_mpm_ops firn_mpm_ops_level1, firn_mpm_ops_level1_plain;
#if defined(__x86_64__)
extern const firn_mpm_ops firn_mpm_ops_level3, firn_mpm_ops_level3_plain;
extern const firn_mpm_ops firn_mpm_ops_level4, firn_mpm_ops_level4_plain;
#endif

// The loops for a name of firn_simd_choose; null: unknown name.
const firn_mpm_ops* firn_mpm_ops_find(const char* simd);
