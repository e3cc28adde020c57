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

// Softening with a fracture energy. Where snow tears, the plastic stretch J_P > 1 gathers in a band
// of a few cells. At a fixed xi the energy that a crack takes is then proportional to h, and finer
// grids break snow into more fragments. With a fracture energy G_f [J/m^2] stretched snow weakens
// by exp(xi_t (1 - J_P)) instead, with xi_t such that a band of width b takes G_f (crack band):
//     b int_1^inf sigma_t exp(xi_t (1 - J)) dJ = b sigma_t / xi_t = G_f
// sigma_t = theta_s (lambda + 2 mu) [Pa] is the strength in confined tension. Bars that tear have
// b = 1.12 h xi_t^(1/3) within 7 % for xi_t from 4 to 36 (test_mpm_fracture), so that
//     xi_t = (1.12 h sigma_t / G_f)^(3/2)
// It is at most 1/theta_s: snow loses its strength within the elastic stretch, and cracks take more
// than G_f.
#define FIRN_SNOW_BAND ((firn_real)1.12)

FIRN_FN firn_real firn_snow_softening(firn_lame lame, firn_real theta_s, firn_real cell,
                                      firn_real fracture_energy)
{
    const firn_real strength = theta_s * (lame.lambda + 2 * lame.mu);
    const firn_real x = FIRN_SNOW_BAND * cell * strength / fracture_energy;
    return firn_min(x * firn_sqrt(x), 1 / theta_s);
}

// The rate in the exponent of firn_snow_hardening: xi of packed, xi_t of stretched snow.
FIRN_FN firn_real firn_snow_rate(firn_real xi, firn_real xi_t, firn_real J_P)
{
    return J_P > 1 ? xi_t : xi;
}

FIRN_FN firn_lame firn_snow_harden(firn_lame lame_0, firn_real hardening)
{
    return FIRN_LIT(firn_lame){lame_0.mu * hardening, lame_0.lambda * hardening};  // [Pa]
}
