// SPDX-License-Identifier: MIT
// Hardening of a register full of particles: physics/snow_hardening.h, with the exponential of
// math/elementary_lanes.h. Stomakhin 2013, eq. 2. For C and CUDA.
#pragma once
#include "math/elementary_lanes.h"

// Lame coefficients [Pa], or [J] once multiplied by a volume.
typedef struct firn_lame_lanes {
    firn_lanes mu, lambda;
} firn_lame_lanes;

// exp(xi (1 - J_P)), at most `cap`.
FIRN_LANES_FN firn_lanes firn_snow_hardening_lanes(firn_lanes xi, firn_lanes J_P, firn_lanes cap)
{
    return firn_lanes_min(firn_lanes_exp(xi * (firn_lanes_all(1) - J_P)), cap);
}

FIRN_LANES_FN firn_lame_lanes firn_snow_harden_lanes(firn_lame_lanes lame_0, firn_lanes hardening)
{
    return FIRN_LIT(firn_lame_lanes){lame_0.mu * hardening, lame_0.lambda * hardening};
}
