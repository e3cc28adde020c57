// SPDX-License-Identifier: MIT
// Step 5, line 9 of Algorithm 1: v <- v + dt F/m; the same of spins.
#pragma once
#include "solver/grains/grains_state.h"

typedef struct firn_grains_velocity_args {
    const firn_grain_constants* constants;
    firn_grains_particles p;  // read: radius; written: velocity, spin
    firn_grains_work w;       // read: force, torque
    firn_real dt;             // [s]
} firn_grains_velocity_args;

void firn_grains_velocity(const firn_grains_velocity_args* a);
