// SPDX-License-Identifier: MIT
// Length of a step, for C and CUDA.
#pragma once
#include <math.h>

#include "math/vec3.h"

#define FIRN_SPH_FAR 2e6             // [h] from the origin: cells are numbered up to there
#define FIRN_SPH_DT_FACTOR_MIN 1e-3  // of the factor that firn_sph_dt_learn adapts

// lambda of particles that cannot be compressed is infinite: 1/lambda = 0 in eq. 5, and p >= 0.
#define FIRN_SPH_LAMBDA_MOST ((firn_real)1e30)  // [Pa] above it lambda counts as infinite

typedef struct firn_sph_dt_rules {
    double longest;  // [s] a fixed step, or the longest chosen one
    double cfl_way;  // [m] that the fastest particle or collider may cross in a chosen step
    double tension;  // [s] longest chosen step that surface tension allows; infinity: any
    bool fixed;      // the step is given
    double target;   // iterations of the shear solve
} firn_sph_dt_rules;

// [s] equal steps to the end of the frame, `limit` away. `speed`: the fastest [m/s].
FIRN_FN double firn_sph_dt_choose(const firn_sph_dt_rules* r, double speed, double factor,
                                  double scale, double limit)
{
    double dt = r->longest;
    if (!r->fixed) dt *= factor;
    if (!r->fixed && speed > 0) dt = fmin(dt, r->cfl_way / speed);
    if (!r->fixed) dt = fmin(dt, r->tension);
    const double steps = ceil(limit / (dt * scale) - 1e-6);  // rounding must not add a step
    return steps <= 1 ? limit : limit / steps;
}

// Iterations grow with dt: shortens the next steps after many iterations, lengthens them after few.
FIRN_FN double firn_sph_dt_learn(const firn_sph_dt_rules* r, double factor, int shear_iterations,
                                 int pressure_iterations)
{
    const double n = shear_iterations;
    if (n > r->target || pressure_iterations > 2 * r->target) factor *= 0.9;
    if (n < 0.5 * r->target) factor *= 1.02;
    return fmin(fmax(factor, FIRN_SPH_DT_FACTOR_MIN), 1.0);
}
