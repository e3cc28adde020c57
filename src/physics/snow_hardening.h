// SPDX-License-Identifier: MIT
// Hardening: packed snow (J_P < 1) stiffens, stretched snow weakens. Stomakhin 2013, eq. 2.
// physics/snow_hardening_lanes.h has the form of the fast loops.
#pragma once
#include "math/elementary.h"
#include "physics/snow_material.h"

// exp(xi (1 - J_P)), at most `cap`.
FIRN_FN firn_real firn_snow_hardening(firn_real xi, firn_real J_P, firn_real cap)
{
    return firn_min(firn_exp(xi * (1 - J_P)), cap);
}

FIRN_FN firn_lame firn_snow_harden(firn_lame lame_0, firn_real hardening)
{
    return FIRN_LIT(firn_lame){lame_0.mu * hardening, lame_0.lambda * hardening};  // [Pa]
}
