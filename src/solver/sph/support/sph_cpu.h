// SPDX-License-Identifier: MIT
// The CPU's table of loops, one per SIMD level, chosen at run time.
#pragma once
#include "core/simd/simd.h"
#include "solver/sph/step01_rest_density.h"
#include "solver/sph/step02_gradient_correction.h"
#include "solver/sph/step03_cohesion.h"
#include "solver/sph/step04_friction.h"
#include "solver/sph/step04_viscosity.h"
#include "solver/sph/step05_pressure.h"
#include "solver/sph/step06_shear.h"
#include "solver/sph/step07_velocity.h"
#include "solver/sph/step08_deformation.h"
#include "state/pair_search.h"

struct firn_sph_ops {
    const char* simd;  // "baseline", "x86-64-v3", ..., "plain"
    firn_result (*search)(const firn_pair_search_args* args);
    void (*rest_density)(const firn_sph_rest_density_args* args);
    void (*gradient_correction)(const firn_sph_gradient_correction_args* args);
    void (*cohesion)(const firn_sph_cohesion_args* args);
    void (*friction)(const firn_sph_friction_args* args);
    firn_cr_result (*viscosity)(const firn_sph_viscosity_args* args);
    firn_sph_pressure_result (*pressure)(const firn_sph_pressure_args* args);
    firn_bicg_result (*shear)(const firn_sph_shear_args* args);
    void (*shear_apply)(void* shear_args, const firn_vec4* u, firn_vec4* out);  // for tests
    void (*shear_right_hand_side)(const firn_sph_shear_args* args);             // for tests
    void (*velocity)(const firn_sph_velocity_args* args);
    void (*deformation)(const firn_sph_deformation_args* args);
};

extern const firn_sph_ops firn_sph_ops_level1, firn_sph_ops_level1_plain;
#if defined(__x86_64__)
extern const firn_sph_ops firn_sph_ops_level3, firn_sph_ops_level3_plain;
extern const firn_sph_ops firn_sph_ops_level4, firn_sph_ops_level4_plain;
#endif

// The loops for a name of firn_simd_choose; null: unknown name.
const firn_sph_ops* firn_sph_ops_find(const char* simd);
