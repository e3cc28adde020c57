// SPDX-License-Identifier: MIT
// A row of the material table, in the form that the steps use. For C and CUDA.
#pragma once
#include "physics/cam_clay.h"
#include "physics/snow_material.h"
#include "scene/data/material_keys.h"

typedef struct firn_mpm_material {
    firn_lame lame_0;  // mu_0, lambda_0 [Pa]
    firn_real xi;      // hardening [-]
    firn_real xi_t;    // softening of stretched snow [-]; xi unless there is a fracture energy
    firn_real theta_c, theta_s;
    firn_real hardening_max;
    firn_real density;        // rho_0 [kg/m^3]
    firn_real sound_squared;  // (lambda_0 + 2 mu_0) / rho_0 [m^2/s^2]
    firn_cam_clay_law clay;   // friction 0: none. With it, xi = xi_t = 0, and thetas have no effect
    firn_creep_law creep;
    firn_sintering_law sintering;
} firn_mpm_material;

// What a row follows from (mpm_material_at.h).
typedef struct firn_mpm_material_def {
    firn_snow_material snow;
    int32_t key_count;  // 0: constant
    firn_material_key keys[FIRN_MATERIAL_KEYS_MAX];
} firn_mpm_material_def;
