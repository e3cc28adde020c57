// SPDX-License-Identifier: MIT
// Gusts of the wind (scene/run/gusts.h adds them). For C and CUDA.
#pragma once
#include <stdint.h>

// Turbulence that is added to the wind: by Taylor's hypothesis the pattern of eddies drifts with
// the wind; it also changes slowly.
typedef struct firn_gust_block {
    double strength;  // [-] RMS of each component, relative to the wind speed; 0: none
    double length;    // [m] size of an eddy
    double period;    // [s] after which the pattern has changed
    int64_t seed;
} firn_gust_block;
