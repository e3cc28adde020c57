// SPDX-License-Identifier: MIT
// Step 5, line 9 of Algorithm 1: v <- v + dt F/m.
#pragma once
#include "solver/grains/grains_state.h"

typedef struct firn_grains_velocity_args {
    firn_local count;
    const firn_vec3* force;  // [N]
    firn_real mass;          // [kg] of each
    firn_real dt;            // [s]
    firn_vec3* velocity;     // [m/s]
    int threads;
} firn_grains_velocity_args;

void firn_grains_velocity(const firn_grains_velocity_args* a);
