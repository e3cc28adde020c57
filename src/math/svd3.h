// SPDX-License-Identifier: MIT
// Singular values of a 3x3 matrix by one-sided Jacobi rotations (Hestenes 1958): columns are
// rotated against each other until they are orthogonal. Unlike methods that form F^T F it keeps
// small singular values accurate. F = U diag(s) V^T with det U = det V = +1, s.x >= s.y >= |s.z|,
// sign(s.z) = sign(det F).
#pragma once
#include "math/mat3.h"

typedef struct firn_svd3 {
    firn_mat3 U;
    firn_vec3 s;
    firn_mat3 V;
} firn_svd3;

// Rotates columns p and q of B until orthogonal, and V with them. False if they already were.
FIRN_FN bool firn_svd3_rotate(firn_vec3* bp, firn_vec3* bq, firn_vec3* vp, firn_vec3* vq)
{
    const firn_real a = firn_v3_dot(*bp, *bp), b = firn_v3_dot(*bq, *bq);
    const firn_real g = firn_v3_dot(*bp, *bq);
    if (!(firn_abs(g) > FIRN_REAL_EPSILON * firn_sqrt(a * b))) return false;
    const firn_real zeta = (b - a) / (2 * g);
    const firn_real size = firn_abs(zeta);
    // tangent of the smaller angle; for huge zeta, where zeta^2 overflows, it is 1 / (2 zeta)
    const firn_real t0 =
        size > (firn_real)1e9 ? 1 / (2 * size) : 1 / (size + firn_sqrt(1 + size * size));
    const firn_real t = zeta < 0 ? -t0 : t0;
    const firn_real c = 1 / firn_sqrt(1 + t * t), s = c * t;
    const firn_vec3 b0 = *bp, v0 = *vp;
    *bp = firn_v3_sub(firn_v3_scale(b0, c), firn_v3_scale(*bq, s));
    *bq = firn_v3_add(firn_v3_scale(b0, s), firn_v3_scale(*bq, c));
    *vp = firn_v3_sub(firn_v3_scale(v0, c), firn_v3_scale(*vq, s));
    *vq = firn_v3_add(firn_v3_scale(v0, s), firn_v3_scale(*vq, c));
    return true;
}

// Swaps two columns of B and V; one changes sign to preserve the determinants.
FIRN_FN void firn_svd3_swap(firn_vec3* bp, firn_vec3* bq, firn_vec3* vp, firn_vec3* vq)
{
    const firn_vec3 b0 = *bp, v0 = *vp;
    *bp = *bq;
    *vp = *vq;
    *bq = firn_v3_scale(b0, -1);
    *vq = firn_v3_scale(v0, -1);
}

// Any unit vector orthogonal to unit vector a.
FIRN_FN firn_vec3 firn_v3_across(firn_vec3 a)
{
    const firn_vec3 m = firn_v3_abs(a);
    const firn_vec3 e = m.x <= m.y && m.x <= m.z ? firn_v3(1, 0, 0)
                        : m.y <= m.z             ? firn_v3(0, 1, 0)
                                                 : firn_v3(0, 0, 1);
    return firn_v3_normalize(firn_v3_cross(a, e), firn_v3(1, 0, 0));
}

FIRN_FN firn_svd3 firn_svd3_of(firn_mat3 F)
{
    firn_real biggest = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) biggest = firn_max(biggest, firn_abs(F.m[i][j]));
    if (!(biggest >= FIRN_REAL_TINY) || !firn_is_finite(biggest)) {  // subnormal counts as zero
        return FIRN_LIT(firn_svd3){firn_m3_identity(), firn_v3(0, 0, 0), firn_m3_identity()};
    }
    // squares must neither overflow nor vanish
    const firn_real scale = biggest > (firn_real)1e8 || biggest < (firn_real)1e-8 ? biggest : 1;
    if (scale != 1) F = firn_m3_scale(F, 1 / scale);
    firn_vec3 b0 = firn_m3_column(F, 0), b1 = firn_m3_column(F, 1), b2 = firn_m3_column(F, 2);
    firn_vec3 v0 = firn_v3(1, 0, 0), v1 = firn_v3(0, 1, 0), v2 = firn_v3(0, 0, 1);
    for (int sweep = 0; sweep < 12; sweep++) {  // 4 to 6 are usual; convergence is quadratic
        bool turned = firn_svd3_rotate(&b0, &b1, &v0, &v1);
        turned = firn_svd3_rotate(&b0, &b2, &v0, &v2) || turned;
        turned = firn_svd3_rotate(&b1, &b2, &v1, &v2) || turned;
        if (!turned) break;
    }
    if (firn_v3_dot(b0, b0) < firn_v3_dot(b1, b1)) firn_svd3_swap(&b0, &b1, &v0, &v1);
    if (firn_v3_dot(b0, b0) < firn_v3_dot(b2, b2)) firn_svd3_swap(&b0, &b2, &v0, &v2);
    if (firn_v3_dot(b1, b1) < firn_v3_dot(b2, b2)) firn_svd3_swap(&b1, &b2, &v1, &v2);

    const firn_real s0 = firn_v3_length(b0);
    const firn_vec3 u0 = firn_v3_scale(b0, 1 / s0);
    const firn_vec3 across = firn_v3_madd(b1, -firn_v3_dot(u0, b1), u0);
    const firn_real s1 = firn_min(firn_v3_length(across), s0);  // equal ones may differ by rounding
    const firn_vec3 u1 = s1 > FIRN_REAL_EPSILON * FIRN_REAL_EPSILON * s0
                             ? firn_v3_scale(across, 1 / s1)
                             : firn_v3_across(u0);
    const firn_vec3 u2 = firn_v3_cross(u0, u1);
    const firn_real s2 = firn_clamp(firn_v3_dot(u2, b2), -s1, s1);
    return FIRN_LIT(firn_svd3){firn_m3_from_columns(u0, u1, u2),
                               firn_v3_scale(firn_v3(s0, s1, s2), scale),
                               firn_m3_from_columns(v0, v1, v2)};
}
