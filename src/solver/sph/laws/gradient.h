// SPDX-License-Identifier: MIT
// The gradient of a vector field from the sums over neighbours (Gissler 2020, eq. 17-18), plain and
// as a SIMD batch, for C and CUDA; support/velocity_gradient.h explains it.
#pragma once
#include "math/mat3.h"
#include "math/mat3_lanes.h"

// `sum`: V_j u_j grad W_ij^T over snow; `wall`: sum_b V_b u_b . grad W_ib, 0 where u is 0 on
// bodies.
FIRN_FN firn_mat3 firn_sph_gradient_from(firn_mat3 sum, firn_vec3 u_i, firn_vec3 S, firn_vec3 B,
                                         firn_mat3 L, firn_real wall)
{
    const firn_mat3 plain = firn_m3_sub(sum, firn_m3_outer(u_i, S));  // eq. 17
    const firn_mat3 corrected = firn_m3_mul_transposed(plain, L);
    const firn_real volume = firn_m3_trace(plain) + wall - firn_v3_dot(u_i, B);
    const firn_real third = (volume - firn_m3_trace(corrected)) / 3;
    return firn_m3_add(corrected, firn_m3_diagonal(third, third, third));  // eq. 18
}

// The same of a SIMD batch, with fused multiply-adds.
FIRN_LANES_FN firn_mat3_lanes firn_sph_gradient_from_lanes(firn_mat3_lanes sum, firn_vec3_lanes u_i,
                                                           firn_vec3_lanes S, firn_vec3_lanes B,
                                                           firn_mat3_lanes L, firn_lanes wall)
{
    const firn_lanes own[3] = {u_i.x, u_i.y, u_i.z};
    for (int r = 0; r < 3; r++) {  // eq. 17
        sum.m[r][0] = firn_lanes_fma(-own[r], S.x, sum.m[r][0]);
        sum.m[r][1] = firn_lanes_fma(-own[r], S.y, sum.m[r][1]);
        sum.m[r][2] = firn_lanes_fma(-own[r], S.z, sum.m[r][2]);
    }
    firn_mat3_lanes grad = firn_m3_lanes_mul_transposed(sum, L);
    const firn_lanes volume =
        sum.m[0][0] + sum.m[1][1] + sum.m[2][2] + wall - firn_v3_lanes_dot(u_i, B);
    const firn_lanes trace = grad.m[0][0] + grad.m[1][1] + grad.m[2][2];
    const firn_lanes third = (volume - trace) * firn_lanes_all((firn_real)(1.0 / 3));
    for (int r = 0; r < 3; r++) grad.m[r][r] += third;  // eq. 18
    return grad;
}
