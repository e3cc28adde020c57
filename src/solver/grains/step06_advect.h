// SPDX-License-Identifier: MIT
// Step 6, line 10 of Algorithm 1: x <- x + dt v. The displacement of a slow grain since it came
// to rest is stored for friction (eq. 3); it is reset for a fast grain, and for one that has crept
// far.
#pragma once
#include "solver/grains/grains_state.h"

typedef struct firn_grains_advect_args {
    firn_local count;
    const firn_vec3* velocity;  // [m/s]
    firn_real stick_speed;      // [m/s]
    firn_real slip_most;        // [m]
    firn_real dt;               // [s]
    firn_real farthest;         // [m] that a grain may move in a step
    firn_vec3* position;        // [m]
    firn_vec3* slip;            // [m]
    firn_local* out_bad;  // the first that would move farther, or is not finite; `count`: none
    int threads;
} firn_grains_advect_args;

void firn_grains_advect(const firn_grains_advect_args* a);
