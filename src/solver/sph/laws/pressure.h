// SPDX-License-Identifier: MIT
// The pressure solve of snow without fluids, as far as sums over neighbours are known: the rows of
// the system and Jacobi's update (Gissler 2020, eq. 5-8), for SIMD batches and CUDA;
// step05_pressure.h explains them, and the rules of the iteration.
#pragma once
#include "math/mat3_lanes.h"
#include "solver/sph/laws/rules.h"

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

// Fluids that are too dense, where colliders meet or particles have appeared, resist further
// compression at once, but are not blown apart: their excess decays in FIRN_SPH_EXCESS_TIME,
//   rho* = rho_0 + alpha (rho_i - rho_0) - dt rho_0 div v*,   alpha = dt / (dt + time)
#define FIRN_SPH_EXCESS_TIME 1  // [s/m] times the spacing: 10 steps of the longest usual dt

FIRN_FN firn_real firn_sph_excess(double dt, double spacing)
{
    return (firn_real)(dt / (dt + FIRN_SPH_EXCESS_TIME * spacing));
}

// rho_0 - rho* of a fluid; excess: alpha.
FIRN_LANES_FN firn_lanes firn_sph_fluid_source_lanes(firn_lanes rest, firn_lanes density,
                                                     firn_lanes dt, firn_lanes div,
                                                     firn_lanes excess)
{
    const firn_lanes over = density - rest;
    return dt * rest * div -
           firn_lanes_select(firn_lanes_less(firn_lanes_all(0), over), excess * over, over);
}

// psi of eq. 7, 1 for a fluid: grad p is then the adjoint of div v at colliders, too, and its
// pressure takes energy and never adds any. With 1.5 water at rest boils.
FIRN_LANES_FN firn_lanes firn_sph_psi_lanes(firn_lanes psi, firn_lanes lambda)
{
    return firn_lanes_select(firn_lanes_less(firn_lanes_all(FIRN_SPH_LAMBDA_MOST), lambda),
                             firn_lanes_all(1), psi);
}

// Where a fluid has pulled loose: p <= 0. It may be thinner than rho_0 at no pressure.
FIRN_LANES_FN firn_lanes_mask firn_sph_thin_lanes(firn_lanes p, firn_lanes lambda)
{
    const firn_lanes_mask fluid = firn_lanes_less(firn_lanes_all(FIRN_SPH_LAMBDA_MOST), lambda);
    return firn_lanes_at_most(firn_lanes_select(fluid, p, lambda), firn_lanes_all(0));
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
