// SPDX-License-Identifier: MIT
// How exact the pressure solve of fluids has to be, for C and CUDA.
#pragma once
#include <float.h>
#include <math.h>

#include "math/vec3.h"
#include "solver/sph/laws/material.h"

// The pressure that a step must find changes densities by about g dt^2 / h: the solve of a fluid
// has to be better than that, or water rests on the pressure of the step before. But no better than
// rounding allows.
#define FIRN_SPH_FLUID_ERROR 0.05
#define FIRN_SPH_FLUID_ERROR_LEAST \
    (16 * (sizeof(firn_real) == 8 ? DBL_EPSILON : (double)FLT_EPSILON))

// What gravity and surface tension, sigma / (rho h^2), accelerate a particle by [m/s^2].
FIRN_FN double firn_sph_usual_acceleration(firn_vec3 gravity, const firn_sph_material* materials,
                                           firn_local count, double spacing)
{
    double a = fmax(sqrt((double)firn_v3_dot(gravity, gravity)), 1.0);
    for (firn_local k = 0; k < count; k++)
        if (materials[k].surface_tension > 0)
            a = fmax(a, (double)materials[k].surface_tension /
                            ((double)materials[k].density * spacing * spacing));
    return a;
}

// The mean density error that is good enough where there are fluids; `asked`: by the scene.
FIRN_FN double firn_sph_fluid_error(double asked, double acceleration, double dt, double spacing)
{
    const double needed = FIRN_SPH_FLUID_ERROR * acceleration * dt * dt / spacing;
    return fmin(asked, fmax(needed, FIRN_SPH_FLUID_ERROR_LEAST));
}
