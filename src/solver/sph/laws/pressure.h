// SPDX-License-Identifier: MIT
// The pressure solve of snow without fluids, as far as sums over neighbours are known: the rows of
// the system and Jacobi's update (Gissler 2020, eq. 5-8), for SIMD batches and CUDA;
// step05_pressure.h explains them, and the rules of the iteration.
#pragma once
#include "math/mat3_lanes.h"

// A solve that starts at the last step's pressure is often good enough at once; it must still see
// this step's motion.
#define FIRN_SPH_PRESSURE_LEAST 2

#define FIRN_SPH_PRESSURE_LOST 4      // times the first error: restart from zero pressure
#define FIRN_SPH_PRESSURE_GROWS 1.05  // from one iteration to the next: omega is too large

// State of the iteration: Jacobi's converges while omega times the largest eigenvalue of D^-1 A is
// below 2. A regular lattice of snow has eigenvalues up to about 3; fractured snow can have larger
// ones, and the error then grows from one iteration to the next: omega is halved until it does not,
// and if the error has diverged already, the solve restarts from zero pressure.
typedef struct firn_sph_jacobi {
    int iterations;
    firn_real relaxation;  // omega
    double error;          // mean density error before the last iteration
    double before, first;  // of the iteration before; the largest after a start
} firn_sph_jacobi;

FIRN_FN firn_sph_jacobi firn_sph_jacobi_begin(firn_real relaxation)
{
    return FIRN_LIT(firn_sph_jacobi){0, relaxation, 0, INFINITY, 0};
}

// After an iteration that began with this error. True: restart from zero pressure.
FIRN_FN bool firn_sph_jacobi_judge(firn_sph_jacobi* j, double error)
{
    j->error = error;
    j->iterations++;
    j->first = fmax(j->first, j->before == INFINITY ? error : 0);
    if (!(error <= FIRN_SPH_PRESSURE_GROWS * j->before)) j->relaxation *= (firn_real)0.5;
    const bool lost = !(error <= FIRN_SPH_PRESSURE_LOST * j->first);
    j->before = lost ? INFINITY : error;
    return lost;
}

FIRN_FN bool firn_sph_jacobi_goes_on(const firn_sph_jacobi* j, double goal, int max_iterations)
{
    return (!(j->error <= goal) || j->iterations < FIRN_SPH_PRESSURE_LEAST) &&
           j->iterations < max_iterations;
}

// rho_0 - rho* of snow.
FIRN_LANES_FN firn_lanes firn_sph_source_lanes(firn_lanes rest, firn_lanes density, firn_lanes dt,
                                               firn_lanes div)
{
    return rest - density * (firn_lanes_all(1) - dt * div);
}

// a_ii; `squares`: V_i sum_j V_j |grad W_ij|^2 + (S + psi B) . (S + B).
FIRN_LANES_FN firn_lanes firn_sph_diagonal_lanes(firn_lanes softness, firn_lanes dt,
                                                 firn_lanes squares)
{
    return -softness - dt * dt * squares;
}

// source - A p, with `factor` dt^2 (times rho_i where densities differ) on the Laplacian.
FIRN_LANES_FN firn_lanes firn_sph_miss_lanes(firn_lanes source, firn_lanes factor,
                                             firn_lanes laplacian, firn_lanes softness,
                                             firn_lanes p)
{
    return source - (factor * laplacian - softness * p);
}

// p + omega/a_ii miss
FIRN_LANES_FN firn_lanes firn_sph_relax_lanes(firn_lanes p, firn_real relaxation,
                                              firn_lanes diagonal, firn_lanes miss)
{
    return p + firn_lanes_all(relaxation) / diagonal * miss;
}
