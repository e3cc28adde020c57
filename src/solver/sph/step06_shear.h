// SPDX-License-Identifier: MIT
// Step 6: the implicit shear solve. Gissler 2020, Algorithm 1 line 7, Algorithm 3:
//   a - dt^2/rho div(G (grad a F_E + (grad a F_E)^T)) = 1/rho div(G (F** + F**^T - 2))    eq. 14
//   F** = F_E + dt grad v** F_E      (the paper drops the last factor, VALIDATION erratum 17)
//   div sigma_i = sum_j (sigma_j L_j + sigma_i L_i) V_j grad W_ij
//                 + 1/3 tr(sigma_i) L_i sum_b V_b grad W_ib                               eq. 19
// where -grad~ W_ji of the paper is L_j grad W_ij,
// by Bi-CGSTAB, without a matrix. The combined solve of section 3.5 has lambda tr(epsilon) in the
// stress as well (times the identity, which the paper drops, erratum 20) and no step 5.
#pragma once
#include "linalg/bicgstab.h"
#include "solver/sph/laws/stress.h"
#include "solver/sph/sph_state.h"
#include "solver/sph/support/velocity_gradient.h"

typedef struct firn_sph_shear_args {
    const firn_pair_list* pairs;
    const firn_sph_work* work;  // in: volume lambda shear F S S2 B L LB wall_divergence v_star;
                                // out: a_G; the other shear arrays are scratch
    const firn_sph_contact_sums* contact;  // in: drag, drag_velocity; friction
    firn_local contact_count;              // 0: friction is not part of the solve
    firn_sph_lumps* lumps;                 // dynamic colliders; null: none
    firn_sph_contact_sums* near;           // contact, for `follow` of those
    const firn_real* density;              // rho_i
    const firn_real* mass;
    firn_vec3* acceleration;  // out: a^G [m/s^2]
    bool combined;            // lambda tr(epsilon) too; step 5 has not run
    bool mixed;               // some particles are fluids, which have no part in the solve
    firn_real dt;             // [s]
    firn_real least_slip;  // [m/s] of Coulomb's friction near dynamic colliders; 0: there is none
    double tolerance;      // relative to the right-hand side: linalg/bicgstab.h
    firn_real floor;  // [m/s^2] rms: a right-hand side below it is solved as exactly as if it were
                      // that large. Falling snow has no stress but rounding
    int max_iterations;
} firn_sph_shear_args;
