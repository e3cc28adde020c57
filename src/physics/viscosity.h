// SPDX-License-Identifier: MIT
// Viscosity of fluids between particles: Weiler, Koschier, Brand and Bender 2018, eq. 8-9, in three
// dimensions (2 (d + 2) = 10). The force between two particles is along the line between them and
// opposite for the other one: linear and angular momentum are kept.
//   F_ij = 10 mu_ij V_i V_j (v_ij . x_ij) / (r^2 + 0.01 h^2) grad W_ij
#pragma once
#include "math/vec3.h"

// Particles in disorder do not follow a shear flow exactly, which costs some of the viscosity: what
// is left in Poiseuille flow (test_sph_viscosity.c), by which forces are divided. Along the axes of
// a cubic lattice it is 0.71.
#define FIRN_VISCOSITY_LEFT ((firn_real)0.81)

// [Pa s] of a pair: the stress between two fluids is continuous. Infinite for what does not flow.
FIRN_FN firn_real firn_viscosity_pair(firn_real mu_i, firn_real mu_j)
{
    const firn_real low = firn_min(mu_i, mu_j), high = firn_max(mu_i, mu_j);
    return low > 0 ? 2 * low / (1 + low / high) : 0;
}

// Force [N] on i. slope: W'(r)/r [1/m^5]; volumes [m^3].
FIRN_FN firn_vec3 firn_viscosity_force(firn_vec3 x_ij, firn_vec3 v_ij, firn_real mu, firn_real V_i,
                                       firn_real V_j, firn_real slope, firn_real h)
{
    const firn_real r2 = firn_v3_dot(x_ij, x_ij);
    const firn_real rate = firn_v3_dot(v_ij, x_ij) / (r2 + (firn_real)0.01 * h * h);
    const firn_real factor = 10 / FIRN_VISCOSITY_LEFT * mu * V_i * V_j * slope * rate;
    return firn_v3_scale(x_ij, factor);
}

// [1/s] at which a wall brakes a particle that has half a spacing to it: mu v/(h/2) on the share
// `covered` of a face h^2.
FIRN_FN firn_real firn_viscosity_wall(firn_real mu, firn_real h, firn_real covered, firn_real mass)
{
    return 2 * mu * h * covered / mass;
}
