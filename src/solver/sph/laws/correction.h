// SPDX-License-Identifier: MIT
// The inverse of the matrix of eq. 15 (Gissler 2020), for C and CUDA; step02_gradient_correction.h
// explains it.
#pragma once
#include "math/mat3_lanes.h"
#include "math/svd3.h"

// Singular values below this fraction of the largest are truncated: their inverse would amplify
// noise. The paper gives no bound; the fraction must be well above rounding, and below that of a
// ragged surface.
#define FIRN_SPH_FLAT ((firn_real)0.02)

// The pseudo-inverse of M.
FIRN_FN_APART firn_mat3 firn_sph_pseudo_inverse(firn_mat3 M)
{
    if (!(firn_m3_dot(M, M) > 0)) return firn_m3_diagonal(0, 0, 0);  // no neighbours
    const firn_svd3 svd = firn_svd3_of(M);
    const firn_real s[3] = {svd.s.x, svd.s.y, svd.s.z};
    const firn_real most = firn_max(firn_abs(s[0]), firn_max(firn_abs(s[1]), firn_abs(s[2])));
    firn_real inverse[3];
    for (int k = 0; k < 3; k++)
        inverse[k] = most > 0 && firn_abs(s[k]) > FIRN_SPH_FLAT * most ? 1 / s[k] : (firn_real)0;
    return firn_m3_mul_transposed(
        firn_m3_mul(svd.V, firn_m3_diagonal(inverse[0], inverse[1], inverse[2])), svd.U);
}

// The inverse of a SIMD batch. *out_full: the lanes where it is valid, because every singular value
// is above FIRN_SPH_FLAT times the largest for sure; the others need the pseudo-inverse.
FIRN_LANES_FN firn_mat3_lanes firn_sph_inverse_lanes(firn_mat3_lanes M, firn_lanes_mask* out_full)
{
    const firn_mat3_lanes cof = firn_m3_lanes_cofactor(M);
    const firn_lanes det =
        firn_v3_lanes_dot(firn_m3_lanes_column(M, 0), firn_m3_lanes_column(cof, 0));
    const firn_lanes size = firn_lanes_sqrt(firn_m3_lanes_dot(M, M));
    *out_full =
        firn_lanes_less(firn_lanes_all(FIRN_SPH_FLAT) * (size * size * size), firn_lanes_abs(det));
    const firn_lanes inverse = firn_lanes_all(1) / det;
    firn_mat3_lanes L;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) L.m[r][c] = cof.m[c][r] * inverse;
    return L;
}
