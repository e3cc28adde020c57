// SPDX-License-Identifier: MIT
// Emitters: where flakes appear while the scene runs (flakes.h makes them).
#pragma once
#include "core/result.h"

#define FIRN_EMITTER_NO_LIMIT INT64_MAX

typedef struct firn_emitter {
    firn_local shape;     // flakes appear in it, uniformly distributed
    firn_local material;  // index into materials
    double rate;          // [1/s] flakes
    double velocity[3];   // [m/s]
    double spread;        // [m/s] RMS of each component of a random velocity
    double size;          // [m] edge of the cube of snow of a flake; 0: the solver's spacing
    double start, stop;   // [s]; stop infinite: never
    int64_t limit;        // maximum number of flakes
    int64_t seed;
    double temperature;  // [degC]
} firn_emitter;
