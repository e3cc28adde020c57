// SPDX-License-Identifier: MIT
// What a level set answers at a point.
#pragma once
#include "math/vec3.h"

// phi and its gradient at a point.
typedef struct firn_phi {
    firn_real distance;  // [m]
    firn_vec3 normal;    // unit
} firn_phi;
