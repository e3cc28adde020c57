// SPDX-License-Identifier: MIT
// Surface tension of fluids, as cohesion between particles, as Becker and Teschner 2007 have it,
// but with the gradient of the kernel:
//   F_ij = s_i s_j V_i V_j grad W_ij
// It is along the line between the particles and opposite for the other one: linear and angular
// momentum are kept. It is the force of a negative pressure -s^2/2 that is the same everywhere, so
// that the pressure of the fluid cancels it wherever particles have all their neighbours: nothing
// holds particles in the arrangement they have, and what is left acts at the surface.
// Particles spread evenly would have the tension (Fowler 1937)
//   sigma = pi/8 s^2 integral r^4 |W'| dr = 31/280 h s^2
// The pressure, whose forces have the same kernel, cancels a part of it where it grows from 0 at
// the surface (theory/sph.md).
#pragma once
#include "math/vec3.h"

// What is left of that tension, by which s^2 is divided. Measured (test_sph_drop.c): 0.39 by the
// period of drops, 0.49 by the pressure in them; neither depends on spacing or tension.
#define FIRN_COHESION_LEFT ((firn_real)0.43)

// s [Pa^(1/2)] of a fluid with surface tension sigma [N/m] and spacing h [m].
FIRN_FN firn_real firn_cohesion_strength(firn_real sigma, firn_real h)
{
    return firn_sqrt(280 * sigma / (31 * FIRN_COHESION_LEFT * h));
}

// Force [N] on i. V: volumes [m^3] at rest; slope: W'(r)/r [1/m^5].
FIRN_FN firn_vec3 firn_cohesion_force(firn_vec3 x_ij, firn_real s_i, firn_real s_j, firn_real V_i,
                                      firn_real V_j, firn_real slope)
{
    return firn_v3_scale(x_ij, (s_i * s_j) * (V_i * V_j) * slope);
}

// [s] Longest step that follows the shortest ripples of a surface (Brackbill et al. 1992).
FIRN_FN firn_real firn_cohesion_dt(firn_real sigma, firn_real density, firn_real h)
{
    return firn_sqrt(density * h * h * h / ((firn_real)12.566370614359172 * sigma));
}
