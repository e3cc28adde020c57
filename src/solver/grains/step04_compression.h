// SPDX-License-Identifier: MIT
// Step 4, line 7 of Algorithm 1, which is Algorithm 3: grains under more force than they withstand
// shrink permanently; melting and freezing by enthalpy.
#pragma once
#include "solver/grains/grains_state.h"

typedef struct firn_grains_compression_args {
    const firn_grain_constants* constants;
    firn_grains_particles p;  // written: radius, phase, broken, neighbours_max
    firn_grains_work w;       // read: compression, broken
    firn_real dt;             // [s]
} firn_grains_compression_args;

void firn_grains_compression(const firn_grains_compression_args* a);
