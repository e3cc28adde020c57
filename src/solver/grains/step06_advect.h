// SPDX-License-Identifier: MIT
// Step 6, line 10 of Algorithm 1: x <- x + dt v. The displacement and rotation of a slow grain
// since it came to rest are stored for friction (eq. 3); they are reset for a fast grain, and for
// one that has crept far.
#pragma once
#include "solver/grains/grain_step.h"
#include "solver/grains/grains_state.h"

typedef struct firn_grains_advect_args {
    firn_grains_move_rules rules;
    firn_grains_particles p;  // read: velocity, spin; written: position, slip, twist
    const uint8_t* slides;    // [grains] of step 2
    firn_local* out_bad;      // the first that would move farther, or is not finite; `count`: none
} firn_grains_advect_args;

void firn_grains_advect(const firn_grains_advect_args* a);
