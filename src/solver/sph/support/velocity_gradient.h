// SPDX-License-Identifier: MIT
// The gradient of a vector field at a particle: rotation and shear from the corrected kernel
// gradient, the change of volume from the plain one. Gissler 2020, eq. 17-18. The corrected
// gradient's contribution from colliders is isotropic, and eq. 18 replaces the isotropic part: it
// drops out, and what remains is grad v'_s L^T with the trace of grad v'_s + grad v'_b
// (theory/sph.md).
#pragma once
#include "solver/sph/laws/gradient.h"
#include "solver/sph/sph_state.h"

static inline firn_mat3 firn_sph_correction_of(const firn_sph_work* w, firn_local i)
{
    firn_mat3 L;
    for (int k = 0; k < 9; k++) L.m[k / 3][k % 3] = w->L[k][i];
    return L;
}

// F_E, symmetric.
static inline firn_mat3 firn_sph_F_of(const firn_sph_work* w, firn_local i)
{
    firn_real* const* F = w->F;
    return (firn_mat3){
        {{F[0][i], F[1][i], F[2][i]}, {F[1][i], F[3][i], F[4][i]}, {F[2][i], F[4][i], F[5][i]}}};
}

// sum V_j grad W_ij x_ji^T over snow, symmetric.
static inline firn_mat3 firn_sph_moment_of(const firn_sph_work* w, firn_local i)
{
    firn_real* const* M = w->M;
    return (firn_mat3){
        {{M[0][i], M[1][i], M[2][i]}, {M[1][i], M[3][i], M[4][i]}, {M[2][i], M[4][i], M[5][i]}}};
}

// `weighted`: V_j u_j of all; `wall`: sum_b V_b u_b . grad W_ib, 0 where u is 0 on bodies.
static inline firn_mat3 firn_sph_gradient_particle(const firn_pair_list* pairs,
                                                   const firn_sph_work* w,
                                                   const firn_vec4* weighted, firn_vec3 u_i,
                                                   firn_real wall, firn_local i)
{
    firn_mat3 sum = {{{0}}};
    for (int k = 0; k < pairs->neighbours[i]; k++) {
        const firn_pair pair = firn_pair_at(pairs, i, k);
        const firn_vec4 u = weighted[pair.j];
        sum = firn_m3_add(sum, firn_m3_outer(firn_v3(u[0], u[1], u[2]), pair.g));
    }
    const firn_vec3 S = firn_v3(w->S[0][i], w->S[1][i], w->S[2][i]);
    const firn_vec3 B = firn_v3(w->B[0][i], w->B[1][i], w->B[2][i]);
    return firn_sph_gradient_from(sum, u_i, S, B, firn_sph_correction_of(w, i), wall);
}
