// SPDX-License-Identifier: MIT
// Boxes along the axes.
#pragma once
#include "math/vec3.h"

typedef struct firn_box3 {
    firn_vec3 low, high;  // low > high: empty; +-FIRN_REAL_MAX: unbounded
} firn_box3;
