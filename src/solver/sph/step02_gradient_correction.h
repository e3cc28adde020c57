// SPDX-License-Identifier: MIT
// Step 2: the matrix that makes a kernel gradient exact for linear fields.
// Gissler 2020, Algorithm 1 line 3:
//   L_i = (sum_k V_k grad W_ik (x_k - x_i)^T)^-1     eq. 15; k: snow and boundary particles
// The pseudo-inverse where neighbours lie in a plane or on a line, or there are none. Computed in
// the same pass for the solves (theory/sph.md, "Bodies cost nothing inside the solves"):
//   S_i = sum_j V_j grad W_ij,   S2_i = sum_j V_j |grad W_ij|^2     j: snow only
// and for step 8 the snow's part M_i of the matrix.
#pragma once
#include "solver/sph/laws/correction.h"
#include "solver/sph/sph_state.h"

typedef struct firn_sph_gradient_correction_args {
    const firn_pair_list* pairs;
    const firn_sph_work* work;             // in: place (V); out: S S2 L M LB
    const firn_sph_contact_sums* contact;  // in: moment gradient normal flat
    firn_local contact_count;
    bool sums_only;  // S alone, which is all that the pressure needs where there are fluids
} firn_sph_gradient_correction_args;

// Every singular value is above FIRN_SPH_FLAT times the largest for sure: |det| is their product,
// |M| at least the largest.
static inline bool firn_sph_surely_full(firn_mat3 M)
{
    const firn_real size = firn_m3_norm(M), det = firn_abs(firn_m3_det(M));
    return det > FIRN_SPH_FLAT * size * size * size;
}

static inline firn_mat3 firn_sph_correction(firn_mat3 M)
{
    return firn_sph_surely_full(M) ? firn_m3_inverse(M) : firn_sph_pseudo_inverse(M);
}

// What particle i sums over its snow neighbours.
typedef struct firn_sph_moments {
    firn_vec3 S;
    firn_real S2;
    firn_mat3 M;
} firn_sph_moments;

static inline firn_sph_moments firn_sph_moments_particle(const firn_sph_gradient_correction_args* a,
                                                         firn_local i)
{
    const firn_vec4* place = a->work->place;
    const firn_vec3 x_i = firn_v3(place[i][0], place[i][1], place[i][2]);
    firn_sph_moments m = {firn_v3(0, 0, 0), 0, firn_m3_diagonal(0, 0, 0)};
    for (int k = 0; k < a->pairs->neighbours[i]; k++) {
        const firn_pair pair = firn_pair_at(a->pairs, i, k);
        const firn_vec4 at = place[pair.j];
        const firn_vec3 g = firn_v3_scale(pair.g, at[3]);
        const firn_vec3 x_ji = firn_v3_sub(firn_v3(at[0], at[1], at[2]), x_i);
        m.S = firn_v3_add(m.S, g);
        m.S2 += firn_v3_dot(g, pair.g);
        m.M = firn_m3_add(m.M, firn_m3_outer(g, x_ji));
    }
    return m;
}
