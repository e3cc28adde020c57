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
// A fluid is eq. 5 with 1/lambda = 0 and p >= 0 (IISPH), in the same iteration. Where fluids are,
// densities of neighbours differ, and what is incompressible is the flow v* - dt/rho grad p:
//   -rho_0/lambda p + dt^2 rho div(grad p / rho) = rho_0 - rho*
// with m/rho_0 and rho_0 as the volume and density of a fluid in all of this: div v is then the
// rate of the sum that rho_i is, and grad p its adjoint. With m/rho_i forces do work on cycles of
// positions, and water at rest boils.
//   a_ii = -rho_0/lambda - dt^2 rho_i V_i sum_j V_j / rho_j |grad W_ij|^2 - dt^2 (S + psi B) . (S +
//   B)
#pragma once
#include "solver/sph/laws/pressure.h"
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
    firn_real excess;      // alpha: share of a fluid's excess of density that a step removes
    bool volumes;          // densities differ: grad p / rho instead of grad p
    bool fluids;           // some particles are fluids
    double density_error;  // mean |rho_0,i - rho* - A p| / rho_0,i that is good enough
    int max_iterations;
    firn_sph_lumps* lumps;  // dynamic colliders; null: none
} firn_sph_pressure_args;

typedef struct firn_sph_pressure_result {
    int iterations;
    double error;  // mean density error before the last iteration; the one after it is not computed
} firn_sph_pressure_result;

// rho_0,i / lambda_i [kg/(m^3 Pa)]; 0 for a fluid.
static inline firn_real firn_sph_softness(const firn_sph_pressure_args* a, firn_local i)
{
    return a->work->rest_density[i] / a->work->lambda[i];
}

// rho_0 - rho*
static inline firn_real firn_sph_source(const firn_sph_pressure_args* a, firn_local i,
                                        firn_real div)
{
    const firn_sph_work* w = a->work;
    const firn_real rho = a->density[i], rho_0 = w->rest_density[i];
    if (!firn_sph_is_fluid(w, i)) return rho_0 - rho * (1 - a->dt * div);
    const firn_real over = rho - rho_0;
    return a->dt * rho_0 * div - (over > 0 ? a->excess * over : over);
}

// psi of eq. 7 for particle i. A fluid has 1: grad p is then the adjoint of div v at colliders,
// too, and its pressure takes energy and never adds any. With 1.5 water at rest boils. Snow without
// compression has the walls of snow (laws/mirror.h has those of fluids), and its psi: with 1 its
// pressure moves it into them.
static inline firn_real firn_sph_psi(const firn_sph_pressure_args* a, firn_local i)
{
    return a->fluids && firn_sph_is_fluid(a->work, i) ? 1 : a->psi;
}

// What grad p_i is multiplied by before its divergence is taken: V_i, or V_i / rho_i.
static inline firn_real firn_sph_flow_weight(const firn_sph_pressure_args* a, firn_local i)
{
    const firn_real V = a->work->volume[i];
    return a->volumes ? V / a->work->density[i] : V;
}

// v** - v* = -dt/rho grad p, from what firn_sph_flow_weight made of grad p.
static inline firn_real firn_sph_push_factor(const firn_sph_pressure_args* a, firn_local i)
{
    return -a->dt / (a->volumes ? a->work->volume[i] : a->mass[i]);
}
