// SPDX-License-Identifier: MIT
// Step 7: v^{t+dt} = v** + dt a^G. Gissler 2020, Algorithm 1 line 9.
#pragma once
#include "math/vec3.h"
#include "solver/sph/sph_state.h"

typedef struct firn_sph_velocity_args {
    firn_local count;
    const firn_vec4* v_star;  // v**: everything but the shear
    const firn_vec4* a_G;     // null: there is none, no particle is snow
    firn_real dt;
    firn_vec3* velocity;  // out
} firn_sph_velocity_args;
