// SPDX-License-Identifier: MIT
// Viscosity of fluids between particles: Weiler, Koschier, Brand and Bender 2018, eq. 8-9, in three
// dimensions (2 (d + 2) = 10). The force between two particles is along the line between them and
// opposite for the other one: linear and angular momentum are kept.
//   F_ij = 10 mu_ij V_i V_j (v_ij . x_ij) / (r^2 + 0.01 h^2) grad W_ij = k_ij (v_ij . x_ij) x_ij
// k_ij stays the same while a solve changes velocities. Each in two forms: for a pair, and for a
// SIMD batch of pairs, which round alike, lane by lane (test_sph_fluids compares solves).
#pragma once
#include "math/mat3_lanes.h"
#include "math/vec3.h"

// Particles in disorder do not follow a shear flow exactly, which costs some of the viscosity: what
// is left in Poiseuille flow (test_sph_viscosity.c), by which forces are divided. Along the axes of
// a cubic lattice it is 0.71.
#define FIRN_VISCOSITY_LEFT ((firn_real)0.81)

// [Pa s] of a pair: the stress between two fluids is continuous. Infinite for what does not flow;
// 0 between two such.
FIRN_FN firn_real firn_viscosity_pair(firn_real mu_i, firn_real mu_j)
{
    const firn_real low = firn_min(mu_i, mu_j), high = firn_max(mu_i, mu_j);
    return low > 0 && low < FIRN_REAL_MAX ? 2 * low / (1 + low / high) : 0;
}

// k_ij [N s/m^3]. volumes [m^3]; slope: W'(r)/r [1/m^5]; r2: r^2.
FIRN_FN firn_real firn_viscosity_factor(firn_real mu, firn_real V_i, firn_real V_j, firn_real slope,
                                        firn_real r2, firn_real h)
{
    const firn_real size = 10 / FIRN_VISCOSITY_LEFT * mu * (V_i * V_j);
    return size * slope / firn_fma((firn_real)0.01 * h, h, r2);
}

// sum + F_ij [N]
FIRN_FN firn_vec3 firn_viscosity_add(firn_vec3 sum, firn_real factor, firn_vec3 x_ij,
                                     firn_vec3 v_ij)
{
    return firn_v3_madd(sum, factor * firn_v3_dot(v_ij, x_ij), x_ij);
}

// [1/s] at which a wall brakes a particle that has half a spacing to it: mu v/(h/2) on the share
// `covered` of a face h^2.
FIRN_FN firn_real firn_viscosity_wall(firn_real mu, firn_real h, firn_real covered, firn_real mass)
{
    return 2 * mu * h * covered / mass;
}

// Where all lanes are of one fluid, as most are, the mean is the viscosity itself.
FIRN_LANES_FN firn_lanes firn_viscosity_pair_lanes(firn_lanes mu_i, firn_lanes mu_j)
{
    const firn_lanes zero = firn_lanes_all(0), one = firn_lanes_all(1);
    const firn_lanes low = firn_lanes_min(mu_i, mu_j), high = firn_lanes_max(mu_i, mu_j);
    const firn_lanes_mask flows = firn_mask_and(
        firn_lanes_less(zero, low), firn_lanes_less(low, firn_lanes_all(FIRN_REAL_MAX)));
    firn_lanes mean = low;
    if (firn_mask_any(firn_lanes_less(low, high)))
        mean = firn_lanes_all(2) * low / (one + low / high);
    return firn_lanes_select(flows, mean, zero);
}

FIRN_LANES_FN firn_lanes firn_viscosity_factor_lanes(firn_lanes mu, firn_lanes V_i, firn_lanes V_j,
                                                     firn_lanes slope, firn_lanes r2, firn_real h)
{
    const firn_lanes size = firn_lanes_all(10 / FIRN_VISCOSITY_LEFT) * mu * (V_i * V_j);
    return size * slope /
           firn_lanes_fma(firn_lanes_all((firn_real)0.01 * h), firn_lanes_all(h), r2);
}

FIRN_LANES_FN firn_vec3_lanes firn_viscosity_add_lanes(firn_vec3_lanes sum, firn_lanes factor,
                                                       firn_vec3_lanes x_ij, firn_vec3_lanes v_ij)
{
    return firn_v3_lanes_madd(sum, factor * firn_v3_lanes_dot(v_ij, x_ij), x_ij);
}
