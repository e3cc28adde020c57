// SPDX-License-Identifier: MIT
// Step 3, line 6 of Algorithm 1: heat between grains, from air and ground (eqs. 8 to 12).
#pragma once
#include "solver/grains/grains_state.h"

typedef struct firn_grains_heat_args {
    const firn_grain_constants* constants;
    const firn_grains_list* list;
    firn_grains_particles p;  // written: enthalpy, enthalpy_rest, temperature, water
    firn_grains_work w;  // read: grain, near, touching, body_power, walls; written: power, sums
    double air;          // [degC]; NaN: it exchanges no heat
    double dt;           // [s]
} firn_grains_heat_args;

void firn_grains_heat(const firn_grains_heat_args* a);
