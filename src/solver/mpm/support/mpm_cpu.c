// SPDX-License-Identifier: MIT
// The loops of the ten steps, compiled once per SIMD level (FIRN_SIMD_LEVEL: 1 baseline, 3 and 4
// for x86-64-v3 and -v4). They are included rather than linked so that each level has its own copy
// under the one name the reader sees; only this table differs in name.
#include "solver/mpm/support/mpm_cpu.h"

// NOLINTBEGIN(bugprone-suspicious-include)
#include "solver/mpm/step01_rasterize.c"
#include "solver/mpm/step02_volumes.c"
#include "solver/mpm/step03_forces.c"
#include "solver/mpm/step04_grid_velocity.c"
#include "solver/mpm/step05_grid_collide.c"
#include "solver/mpm/step06_solve.c"
#include "solver/mpm/step06_solve_reaction.c"
#include "solver/mpm/step07_deformation.c"
#include "solver/mpm/step08_particle_velocity.c"
#include "solver/mpm/step09_particle_collide.c"
#include "solver/mpm/step10_advect.c"
#include "solver/mpm/support/mpm_measure.c"

#include "solver/mpm/fast/fused_01_03.c"
#include "solver/mpm/fast/fused_07_10.c"
#include "solver/mpm/fast/step06_solve_simd.c"
// NOLINTEND(bugprone-suspicious-include)

#if FIRN_SIMD_LEVEL == 4
#define TABLE firn_mpm_ops_level4
#define PLAIN_TABLE firn_mpm_ops_level4_plain
#elif FIRN_SIMD_LEVEL == 3
#define TABLE firn_mpm_ops_level3
#define PLAIN_TABLE firn_mpm_ops_level3_plain
#else
#define TABLE firn_mpm_ops_level1
#define PLAIN_TABLE firn_mpm_ops_level1_plain
#endif

// The steps one by one, which both tables have.
#define STEPS                                                                                 \
    .measure = measure, .rasterize = rasterize, .divide = divide_by_mass, .volumes = volumes, \
    .forces = forces, .grid_velocity = grid_velocity, .grid_collide = grid_collide,           \
    .solve = solve, .apply = apply, .linearize = linearize, .react = react,                   \
    .deformation = deformation, .particle_velocity = particle_velocity,                       \
    .particle_collide = particle_collide, .advect = advect

const firn_mpm_ops TABLE = {.simd = FIRN_SIMD_NAME,
                            STEPS,
                            .fused_01_03 = fused_01_03,
                            .fused_07_10 = fused_07_10,
                            .solve_simd = solve_simd,
                            .apply_simd = apply_simd,
                            .linearize_simd = linearize_simd,
                            .react_simd = react_simd};

const firn_mpm_ops PLAIN_TABLE = {.simd = FIRN_SIMD_PLAIN, STEPS};
