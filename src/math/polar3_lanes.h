// SPDX-License-Identifier: MIT
// Polar decomposition of a SIMD batch of 3x3 matrices, F = R S = L R: R a rotation, S and L
// symmetric. For C and CUDA. The rotation is that of math/polar3.h with masks instead of branches,
// to the bit (test_polar3_lanes). Stress and its derivative only need the left stretch L, which
// near a rotation is a short series: L = sqrt(F F^T).
#pragma once
#include "math/svd3_lanes.h"

// Newton's iteration R <- (R + R^-T)/2 in lanes near a rotation; returns the lanes that converged.
FIRN_LANES_FN firn_lanes_mask firn_polar3_lanes_newton(const firn_mat3_lanes* F,
                                                       firn_mat3_lanes* out_R)
{
    const firn_lanes half = firn_lanes_all((firn_real)0.5);
    firn_mat3_lanes R = *F;
    const firn_lanes size = firn_m3_lanes_dot(R, R);  // 3 for a rotation
    firn_lanes_mask going = firn_mask_and(firn_lanes_less(firn_lanes_all((firn_real)1.5), size),
                                          firn_lanes_less(size, firn_lanes_all(6)));
    firn_lanes_mask settled = firn_mask_and(going, firn_mask_not(going));
    for (int round = 0; round < 8 && firn_mask_any(going); round++) {
        const firn_mat3_lanes C = firn_m3_lanes_cofactor(R);
        const firn_lanes det =
            firn_v3_lanes_dot(firn_m3_lanes_column(R, 0), firn_m3_lanes_column(C, 0));
        going = firn_mask_and(going, firn_lanes_less(firn_lanes_all((firn_real)0.2), det));
        const firn_lanes half_over_det = half / det;
        firn_lanes change = firn_lanes_all(0);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                const firn_lanes d = firn_lanes_fma(C.m[i][j], half_over_det, -half * R.m[i][j]);
                R.m[i][j] = firn_lanes_select(going, R.m[i][j] + d, R.m[i][j]);
                change = firn_lanes_fma(d, d, change);
            }
        }
        // the error after this round is about change/2
        const firn_lanes_mask close =
            firn_mask_and(going, firn_lanes_less(change, firn_lanes_all(FIRN_REAL_EPSILON)));
        settled = firn_mask_or(settled, close);
        going = firn_mask_and(going, firn_mask_not(close));
    }
    *out_R = R;
    return settled;
}

FIRN_LANES_FN firn_mat3_lanes firn_polar3_lanes_rotation(firn_mat3_lanes F)
{
    firn_mat3_lanes R;
    const firn_lanes_mask settled = firn_polar3_lanes_newton(&F, &R);
    if (firn_mask_all(settled)) return R;
    const firn_mat3_lanes copy = F;  // so that F itself stays in registers
    const firn_svd3_lanes svd = firn_svd3_lanes_of(&copy);
    return firn_m3_lanes_select(settled, R, firn_m3_lanes_mul_transposed(svd.U, svd.V));
}

// F = L R without R.
typedef struct firn_left_stretch_lanes {
    firn_sym3_lanes E;  // F F^T - I
    firn_sym3_lanes X;  // L - I; 2 X + X^2 = E
} firn_left_stretch_lanes;

// L - I = F R^T - I through the rotation: the slow path, for lanes outside the series' range.
FIRN_LANES_APART firn_sym3_lanes firn_polar3_lanes_left_stretch_slow(const firn_mat3_lanes* F)
{
    const firn_mat3_lanes R = firn_polar3_lanes_rotation(*F);
    const firn_mat3_lanes L = firn_m3_lanes_mul_transposed(*F, R);
    const firn_lanes half = firn_lanes_all((firn_real)0.5), one = firn_lanes_all(1);
    return FIRN_LIT(firn_sym3_lanes){
        L.m[0][0] - one, half * (L.m[0][1] + L.m[1][0]), half * (L.m[0][2] + L.m[2][0]),
        L.m[1][1] - one, half * (L.m[1][2] + L.m[2][1]), L.m[2][2] - one};
}

// sqrt(1 + x) - 1 = x/2 - x^2/8 + a x^3 + b x^4 with a and b fitted for |x| <= 0.1 (Taylor has 1/16
// and -5/128): error 4e-8, a third of an epsilon of float, and none at small x.
FIRN_LANES_FN firn_sym3_lanes firn_polar3_lanes_series(firn_sym3_lanes E)
{
    const firn_sym3_lanes E2 = firn_sym3_lanes_mul(E, E);
    const firn_lanes a = firn_lanes_all((firn_real)0.0627368),
                     b = firn_lanes_all((firn_real)-0.03926812);
    const firn_lanes eighth = firn_lanes_all((firn_real)-0.125),
                     half = firn_lanes_all((firn_real)0.5);
    firn_sym3_lanes Y;  // -1/8 + a E + b E^2
    Y.xx = firn_lanes_fma(b, E2.xx, firn_lanes_fma(a, E.xx, eighth));
    Y.xy = firn_lanes_fma(b, E2.xy, a * E.xy);
    Y.xz = firn_lanes_fma(b, E2.xz, a * E.xz);
    Y.yy = firn_lanes_fma(b, E2.yy, firn_lanes_fma(a, E.yy, eighth));
    Y.yz = firn_lanes_fma(b, E2.yz, a * E.yz);
    Y.zz = firn_lanes_fma(b, E2.zz, firn_lanes_fma(a, E.zz, eighth));
    firn_sym3_lanes X = firn_sym3_lanes_mul(E2, Y);
    X.xx = firn_lanes_fma(half, E.xx, X.xx);
    X.xy = firn_lanes_fma(half, E.xy, X.xy);
    X.xz = firn_lanes_fma(half, E.xz, X.xz);
    X.yy = firn_lanes_fma(half, E.yy, X.yy);
    X.yz = firn_lanes_fma(half, E.yz, X.yz);
    X.zz = firn_lanes_fma(half, E.zz, X.zz);
    return X;
}

// The left stretch of F. Lanes with det F < 0 get a negative eigenvalue, as in math/svd3.h.
FIRN_LANES_FN firn_left_stretch_lanes firn_polar3_lanes_left_stretch(firn_mat3_lanes F,
                                                                     firn_lanes det)
{
    firn_left_stretch_lanes r;
    r.E = firn_m3_lanes_left_strain(F);
#ifdef FIRN_DOUBLE
    (void)det;  // the series would need fifteen terms: Newton's four rounds cost the same
    r.X = firn_polar3_lanes_left_stretch_slow(&F);
#else
    // |E| bounds its eigenvalues; the plastic clamp of the paper keeps them in [-0.05, 0.015]
    const firn_lanes_mask near =
        firn_mask_and(firn_lanes_at_most(firn_sym3_lanes_dot_self(r.E), firn_lanes_all(0.01f)),
                      firn_lanes_less(firn_lanes_all(0), det));
    r.X = firn_polar3_lanes_series(r.E);
    if (!firn_mask_all(near)) {
        const firn_mat3_lanes copy = F;  // so that F itself stays in registers
        r.X = firn_sym3_lanes_select(near, r.X, firn_polar3_lanes_left_stretch_slow(&copy));
    }
#endif
    return r;
}
