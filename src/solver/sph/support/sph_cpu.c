// SPDX-License-Identifier: MIT
// The loops of the steps, compiled once per SIMD level (FIRN_SIMD_LEVEL: 1 baseline, 3 and 4 for
// x86-64-v3 and -v4). They are included rather than linked so that each level has its own copy
// under the one name the reader sees; only this table differs in name.
#include "solver/sph/support/sph_cpu.h"

// NOLINTBEGIN(bugprone-suspicious-include)
#include "solver/sph/step01_rest_density.c"
#include "solver/sph/step02_gradient_correction.c"
#include "solver/sph/step03_cohesion.c"
#include "solver/sph/step04_friction.c"
#include "solver/sph/step04_viscosity.c"
#include "solver/sph/step05_pressure.c"
#include "solver/sph/step06_shear.c"
#include "solver/sph/step07_velocity.c"
#include "solver/sph/step08_deformation.c"

#include "solver/sph/fast/step01_rest_density_simd.c"
#include "solver/sph/fast/step02_gradient_correction_simd.c"
#include "solver/sph/fast/step04_viscosity_simd.c"
#include "solver/sph/fast/step05_pressure_simd.c"
#include "solver/sph/fast/step06_shear_simd.c"
#include "solver/sph/fast/step08_deformation_simd.c"
// NOLINTEND(bugprone-suspicious-include)

#if FIRN_SIMD_LEVEL == 4
#define TABLE firn_sph_ops_level4
#define PLAIN_TABLE firn_sph_ops_level4_plain
#elif FIRN_SIMD_LEVEL == 3
#define TABLE firn_sph_ops_level3
#define PLAIN_TABLE firn_sph_ops_level3_plain
#else
#define TABLE firn_sph_ops_level1
#define PLAIN_TABLE firn_sph_ops_level1_plain
#endif

static firn_result search(const firn_pair_search_args* args)
{
    return firn_pair_search(args);
}

const firn_sph_ops TABLE = {.simd = FIRN_SIMD_NAME,
                            .search = search,
                            .rest_density = rest_density_simd,
                            .gradient_correction = gradient_correction_simd,
                            .cohesion = cohesion,
                            .friction = friction,
                            .viscosity = viscosity_simd,
                            .pressure = pressure_simd,
                            .shear = shear_simd,
                            .shear_apply = shear_apply_simd,
                            .shear_right_hand_side = shear_right_hand_side_simd,
                            .velocity = velocity,
                            .deformation = deformation_simd};

const firn_sph_ops PLAIN_TABLE = {.simd = FIRN_SIMD_PLAIN,
                                  .search = search,
                                  .rest_density = rest_density,
                                  .gradient_correction = gradient_correction,
                                  .cohesion = cohesion,
                                  .friction = friction,
                                  .viscosity = viscosity,
                                  .pressure = pressure,
                                  .shear = shear,
                                  .shear_apply = shear_apply,
                                  .shear_right_hand_side = shear_right_hand_side,
                                  .velocity = velocity,
                                  .deformation = deformation};
