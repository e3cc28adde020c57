// SPDX-License-Identifier: MIT
// Step 5: the implicit compressible pressure solve. Gissler 2020, Algorithm 1 line 6, Algorithm 2:
//   -rho_0/lambda p + dt^2 lap p = rho_0 - rho*         eq. 5; rho_0 and lambda are the particle's
//   rho* = rho (1 - dt div v*),  div v_i = sum_k V_k (v_k - v_i) . grad W_ik          eq. 6
//   grad p_i = sum_j (p_j + p_i) V_j grad W_ij + psi p_i sum_b V_b grad W_ib          eq. 7
//   lap p = div grad p; grad p is 0 on colliders
//   a_ii = -rho_0/lambda - dt^2 V_i sum_j V_j |grad W_ij|^2
//          - dt^2 (S + psi B) . (S + B),  S = sum_j V_j grad W_ij, B = sum_b V_b grad W_ib    eq. 8
// with V_i V_j where the paper prints V_j V_j (VALIDATION erratum 18, T36). Relaxed Jacobi, which
// can alternate with the iterations of other phases' pressure solves (section 3.2.1): begin,
// iterate as often as needed, end. Pressures may be negative: snow is cohesive.
#pragma once
#include "solver/sph/sph_state.h"

typedef struct firn_sph_pressure_args {
    const firn_pair_list* pairs;
    const firn_sph_work* work;  // in: volume rest_density lambda S S2 B wall_divergence v_star;
                                // out: source diagonal weighted weighted_p; v_star becomes v**
    const firn_real* density;   // rho_i
    const firn_real* mass;
    firn_real* pressure;   // in: where to start; out: p_i
    firn_real psi;         // of eq. 7 [-]
    firn_real dt;          // [s]
    firn_real relaxation;  // omega
    bool incompressible;   // lambda is infinite and p >= 0
    double density_error;  // mean |rho_0,i - rho* - A p| / rho_0,i that is good enough
    int max_iterations;
    firn_sph_lumps* lumps;  // dynamic colliders; null: none
} firn_sph_pressure_args;

// A solve that starts at the last step's pressure is often good enough at once; it must still see
// this step's motion.
#define FIRN_SPH_PRESSURE_LEAST 2

#define FIRN_SPH_PRESSURE_LOST 4      // times the first error: restart from zero pressure
#define FIRN_SPH_PRESSURE_GROWS 1.05  // from one iteration to the next: omega is too large

typedef struct firn_sph_pressure_result {
    int iterations;
    double error;  // mean density error before the last iteration; the one after it is not computed
} firn_sph_pressure_result;

// rho_0,i / lambda_i [kg/(m^3 Pa)]; 0 where nothing is compressible.
static inline firn_real firn_sph_softness(const firn_sph_pressure_args* a, firn_local i)
{
    return a->incompressible ? 0 : a->work->rest_density[i] / a->work->lambda[i];
}
