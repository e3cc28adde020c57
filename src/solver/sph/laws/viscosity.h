// SPDX-License-Identifier: MIT
// Viscosity of a particle, for C and CUDA; step04_viscosity.h explains the solve.
#pragma once
#include <math.h>

#include "physics/viscosity.h"
#include "solver/sph/laws/material.h"

#define FIRN_SPH_NOISE ((firn_real)0.05)  // [m/s] times h: least kinematic viscosity of a fluid

// The solve stops at this residual relative to |v*|, or to this share of what gravity changes in a
// step.
#define FIRN_SPH_VISCOSITY_TOLERANCE 1e-5
#define FIRN_SPH_VISCOSITY_FLOOR 10.0

// [Pa s]; infinite for snow.
FIRN_FN firn_real firn_sph_viscosity(const firn_sph_material* mat, firn_real h,
                                     firn_real fresh_density)
{
    if (mat->phase == FIRN_PHASE_SNOW) return INFINITY;
    return firn_max(mat->viscosity, FIRN_SPH_NOISE * h * fresh_density);
}

// The norm of a right-hand side that counts as that large, in the mass product. mass: of all [kg].
FIRN_FN double firn_sph_viscosity_floor(firn_vec3 gravity, double dt, double mass)
{
    const double g = sqrt((double)firn_v3_dot(gravity, gravity));
    return FIRN_SPH_VISCOSITY_FLOOR * fmax(g, 1.0) * dt * sqrt(mass);
}
