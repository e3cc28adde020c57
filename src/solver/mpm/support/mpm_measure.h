// SPDX-License-Identifier: MIT
// Maxima that limit the size of a step: the fastest particle and the fastest sound.
#pragma once
#include "solver/mpm/mpm_state.h"

typedef struct firn_mpm_measure_args {
    firn_local particle_count;
    const firn_vec3* velocity;     // v_p
    const firn_real* plastic_det;  // J_P
    const firn_real* stiffness;    // factor on E_0
    const firn_real* hardening;    // factor on xi; null: 1
    const uint8_t* material;
    const firn_mpm_material* materials;
    firn_real lightest;  // smallest factor on the density
    bool sound;          // wanted
} firn_mpm_measure_args;

typedef struct firn_mpm_measured {
    double speed, sound;  // [m/s]; sound 0 unless wanted
    firn_local bad;       // the first particle whose velocity is not finite, or the count
} firn_mpm_measured;
