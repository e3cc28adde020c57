// SPDX-License-Identifier: MIT
// The particles of a picture, as whoever asks for it hands them over.
#pragma once
#include "math/vec3.h"

typedef struct firn_snow_points {
    const firn_vec3* x;        // [m]; non-finite: left out
    const firn_real* mass;     // [kg]; may be null
    const firn_real* density;  // [kg/m^3]; may be null
    const uint32_t* id;        // may be null: the index
    firn_local count;
    // [m]; may be null. Of grains, which are as wide as they are, whatever their mass and density
    // say: each stands for a cube of snow, 2 r wide.
    const firn_real* radius;
} firn_snow_points;
