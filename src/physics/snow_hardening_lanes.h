// SPDX-License-Identifier: MIT
// Hardening of a SIMD batch, for C and CUDA. Stomakhin 2013, eq. 2. A second form of
// physics/snow_hardening.h, because a batch needs an exponential without branches and doubles
// (math/elementary_lanes.h); the plain loops keep the more accurate one. They agree to three
// epsilon: test_snow_hardening_lanes.
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

// Both coefficients times `factor`: hardening, or a volume.
FIRN_LANES_FN firn_lame_lanes firn_snow_harden_lanes(firn_lame_lanes lame, firn_lanes factor)
{
    return FIRN_LIT(firn_lame_lanes){lame.mu * factor, lame.lambda * factor};
}
