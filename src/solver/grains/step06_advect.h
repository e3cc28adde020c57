// SPDX-License-Identifier: MIT
// Step 6, line 10 of Algorithm 1: x <- x + dt v. What a slow grain has moved since it came to rest
// is kept for friction (eq. 3); a fast one has forgotten, and one that has crept far.
#pragma once
#include "solver/grains/grains_state.h"

typedef struct firn_grains_advect_args {
    firn_local count;
    const firn_vec3* velocity;  // [m/s]
    firn_real stick_speed;      // [m/s]
    firn_real slip_most;        // [m]
    firn_real dt;               // [s]
    firn_real farthest;         // [m] that a grain may go in a step
    firn_vec3* position;        // [m]
    firn_vec3* slip;            // [m]
    firn_local* out_bad;        // the first that would go farther, or is not finite; `count`: none
    int threads;
} firn_grains_advect_args;

void firn_grains_advect(const firn_grains_advect_args* a);
