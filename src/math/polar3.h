// SPDX-License-Identifier: MIT
// Polar decomposition F = R S: R a rotation (det +1), S symmetric. Near a rotation, where elastic
// snow always is, Newton's iteration R <- (R + R^-T)/2 (Higham 1986) doubles the digits each round;
// elsewhere (large strain, singular, inverted) R = U V^T from the SVD.
#pragma once
#include "math/svd3.h"

FIRN_FN firn_mat3 firn_polar3_rotation(firn_mat3 F)
{
    firn_mat3 R = F;
    const firn_real size = firn_m3_dot(F, F);  // 3 for a rotation
    if (size > (firn_real)1.5 && size < (firn_real)6) {
        for (int round = 0; round < 8; round++) {
            const firn_mat3 C = firn_m3_cofactor(R);
            const firn_real det = firn_v3_dot(firn_m3_column(R, 0), firn_m3_column(C, 0));
            if (!(det > (firn_real)0.2)) break;
            const firn_real half_over_det = (firn_real)0.5 / det;
            firn_real change = 0;
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    const firn_real d =
                        firn_fma(C.m[i][j], half_over_det, -(firn_real)0.5 * R.m[i][j]);
                    R.m[i][j] += d;
                    change = firn_fma(d, d, change);
                }
            }
            // the error after this round is about change/2
            if (change < FIRN_REAL_EPSILON) return R;
        }
    }
    const firn_svd3 svd = firn_svd3_of(F);
    return firn_m3_mul_transposed(svd.U, svd.V);
}

// S = R^T F, made exactly symmetric.
FIRN_FN firn_mat3 firn_polar3_stretch(firn_mat3 R, firn_mat3 F)
{
    firn_mat3 S = firn_m3_transposed_mul(R, F);
    for (int i = 0; i < 3; i++) {
        for (int j = i + 1; j < 3; j++) {
            const firn_real mean = (firn_real)0.5 * (S.m[i][j] + S.m[j][i]);
            S.m[i][j] = mean;
            S.m[j][i] = mean;
        }
    }
    return S;
}
