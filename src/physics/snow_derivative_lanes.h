// SPDX-License-Identifier: MIT
// The derivative of the stress of a SIMD batch, for C and CUDA, in the form that the semi-implicit
// solve needs: T = V dP(grad_u F_E) F_E^T of Stomakhin 2013, eq. 7-8, from a displacement gradient
// grad_u. A second form of firn_snow_stress_derivative (physics/snow_stress.h) that needs no
// rotation and half the operations; test_snow_derivative_lanes compares the two, and
// test_mpm_solve_simd the loops that use them.
//
// With F_E = L R_E, J = det F_E, dF = grad_u F_E and t = tr grad_u:
//     cof(F) F^T = J I           so that (cof(F) : dF) cof(F) F^T = J^2 t I,
//                                and dcof(F) F^T = J t I - cof(F) dF^T = J (t I - grad_u^T)
//     dF F^T = grad_u L^2
//     dR F^T = W L               dR = W R with W skew
//     W L + L W = grad_u L - L grad_u^T      as F R^T = L stays symmetric
// so that R_E is not needed, and of F_E only L:
//     T/V = 2 mu (grad_u L - W) L + lambda J (2 J - 1) t I - lambda J (J - 1) grad_u^T
// W comes from the 3x3 system of VALIDATION T10, with L in place of S. Nine reals are stored per
// particle; the inverse of the system is recomputed in each iteration: 30 operations cost less than
// reading six reals.
#pragma once
#include "physics/snow_stress_lanes.h"

typedef struct firn_snow_linear_lanes {
    firn_sym3_lanes L;      // left stretch of F_E [1]
    firn_lanes mu2;         // 2 mu V [J]
    firn_lanes trace;       // lambda J (2 J - 1) V [J]
    firn_lanes transposed;  // lambda J (J - 1) V [J]
} firn_snow_linear_lanes;

// `lame` times the particle's volume [J].
FIRN_LANES_FN firn_snow_linear_lanes firn_snow_linear_lanes_of(const firn_snow_stretch_lanes* s,
                                                               firn_lame_lanes lame)
{
    const firn_lanes one = firn_lanes_all(1);
    const firn_lanes J = s->J, lambda_J = lame.lambda * J;
    firn_snow_linear_lanes l;
    l.L = s->X;
    l.L.xx += one;
    l.L.yy += one;
    l.L.zz += one;
    l.mu2 = firn_lanes_all(2) * lame.mu;
    l.trace = lambda_J * (J + (J - one));
    l.transposed = lambda_J * (J - one);
    return l;
}

// W01, W02, W12 of W L + L W = K, from K01, K02, K12.
FIRN_LANES_FN firn_vec3_lanes firn_snow_spin_lanes(const firn_sym3_lanes* L, firn_vec3_lanes K)
{
    const firn_lanes m00 = L->xx + L->yy, m01 = L->yz, m02 = -L->xz;
    const firn_lanes m11 = L->xx + L->zz, m12 = L->xy, m22 = L->yy + L->zz;
    const firn_lanes c00 = firn_lanes_fma(m11, m22, -(m12 * m12));
    const firn_lanes c01 = firn_lanes_fma(m02, m12, -(m01 * m22));
    const firn_lanes c02 = firn_lanes_fma(m01, m12, -(m02 * m11));
    const firn_lanes c11 = firn_lanes_fma(m00, m22, -(m02 * m02));
    const firn_lanes c12 = firn_lanes_fma(m01, m02, -(m00 * m12));
    const firn_lanes c22 = firn_lanes_fma(m00, m11, -(m01 * m01));
    const firn_lanes det = firn_lanes_fma(m00, c00, firn_lanes_fma(m01, c01, m02 * c02));
    // regular unless two signed stretches cancel, which the plastic clamp rules out
    const firn_lanes i =
        firn_lanes_select(firn_lanes_less(firn_lanes_all(FIRN_REAL_TINY), firn_lanes_abs(det)),
                          firn_lanes_all(1) / det, firn_lanes_all(0));
    const firn_lanes k0 = K.x * i, k1 = K.y * i, k2 = K.z * i;
    return firn_v3_lanes(firn_lanes_fma(c00, k0, firn_lanes_fma(c01, k1, c02 * k2)),
                         firn_lanes_fma(c01, k0, firn_lanes_fma(c11, k1, c12 * k2)),
                         firn_lanes_fma(c02, k0, firn_lanes_fma(c12, k1, c22 * k2)));
}

// T [J]
FIRN_LANES_FN firn_mat3_lanes firn_snow_linear_lanes_apply(const firn_snow_linear_lanes* l,
                                                           firn_mat3_lanes grad_u)
{
    const firn_sym3_lanes* s = &l->L;
    const firn_mat3_lanes L = {
        {{s->xx, s->xy, s->xz}, {s->xy, s->yy, s->yz}, {s->xz, s->yz, s->zz}}};
    firn_mat3_lanes H = firn_m3_lanes_mul(grad_u, L);
    const firn_vec3_lanes w = firn_snow_spin_lanes(
        s, firn_v3_lanes(H.m[0][1] - H.m[1][0], H.m[0][2] - H.m[2][0], H.m[1][2] - H.m[2][1]));
    H.m[0][1] -= w.x;
    H.m[0][2] -= w.y;
    H.m[1][0] += w.x;
    H.m[1][2] -= w.z;
    H.m[2][0] += w.y;
    H.m[2][1] += w.z;
    const firn_lanes spread = l->trace * (grad_u.m[0][0] + grad_u.m[1][1] + grad_u.m[2][2]);
    const firn_mat3_lanes HL = firn_m3_lanes_mul(H, L);
    firn_mat3_lanes T;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const firn_lanes bulk = i == j ? firn_lanes_fma(-l->transposed, grad_u.m[j][i], spread)
                                           : -l->transposed * grad_u.m[j][i];
            T.m[i][j] = firn_lanes_fma(l->mu2, HL.m[i][j], bulk);
        }
    }
    return T;
}
