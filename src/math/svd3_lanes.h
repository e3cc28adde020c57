// SPDX-License-Identifier: MIT
// Singular value decomposition of a SIMD batch of 3x3 matrices, for C and CUDA: math/svd3.h with
// masks instead of branches, each lane with the bits of the scalar function at this SIMD level
// (test_svd3_lanes). Sweeps continue until every lane has converged; a converged lane keeps its
// values.
// F = U diag(s) V^T with det U = det V = +1, s.x >= s.y >= |s.z|, sign(s.z) = sign(det F).
#pragma once
#include "math/mat3_lanes.h"

typedef struct firn_svd3_lanes {
    firn_mat3_lanes U;
    firn_vec3_lanes s;
    firn_mat3_lanes V;
} firn_svd3_lanes;

// Columns of B = F V and of V during the sweeps.
typedef struct firn_svd3_lanes_columns {
    firn_vec3_lanes b[3], v[3];
} firn_svd3_lanes_columns;

// Rotates columns p and q until orthogonal; returns the lanes where they were not.
FIRN_LANES_FN firn_lanes_mask firn_svd3_lanes_rotate(firn_svd3_lanes_columns* w, int p, int q)
{
    const firn_lanes one = firn_lanes_all(1), two = firn_lanes_all(2), zero = firn_lanes_all(0);
    const firn_vec3_lanes bp = w->b[p], bq = w->b[q], vp = w->v[p], vq = w->v[q];
    const firn_lanes a = firn_v3_lanes_dot(bp, bp), b = firn_v3_lanes_dot(bq, bq);
    const firn_lanes g = firn_v3_lanes_dot(bp, bq);
    const firn_lanes_mask turn = firn_lanes_less(
        firn_lanes_all(FIRN_REAL_EPSILON) * firn_lanes_sqrt(a * b), firn_lanes_abs(g));
    if (!firn_mask_any(turn)) return turn;
    const firn_lanes zeta = (b - a) / (two * g);
    const firn_lanes size = firn_lanes_abs(zeta);
    // tangent of the smaller angle; for huge zeta, where zeta^2 overflows, it is 1 / (2 zeta)
    const firn_lanes below =
        firn_lanes_select(firn_lanes_less(firn_lanes_all((firn_real)1e9), size), two * size,
                          size + firn_lanes_sqrt(one + size * size));
    const firn_lanes t0 = one / below;
    const firn_lanes t = firn_lanes_select(firn_lanes_less(zeta, zero), -t0, t0);
    const firn_lanes c = one / firn_lanes_sqrt(one + t * t), s = c * t;
    w->b[p] = firn_v3_lanes_select(
        turn, firn_v3_lanes_sub(firn_v3_lanes_scale(bp, c), firn_v3_lanes_scale(bq, s)), bp);
    w->b[q] = firn_v3_lanes_select(
        turn, firn_v3_lanes_add(firn_v3_lanes_scale(bp, s), firn_v3_lanes_scale(bq, c)), bq);
    w->v[p] = firn_v3_lanes_select(
        turn, firn_v3_lanes_sub(firn_v3_lanes_scale(vp, c), firn_v3_lanes_scale(vq, s)), vp);
    w->v[q] = firn_v3_lanes_select(
        turn, firn_v3_lanes_add(firn_v3_lanes_scale(vp, s), firn_v3_lanes_scale(vq, c)), vq);
    return turn;
}

// Puts the longer of columns p and q first; the other changes sign to preserve the determinants.
FIRN_LANES_FN void firn_svd3_lanes_order(firn_svd3_lanes_columns* w, int p, int q)
{
    const firn_vec3_lanes bp = w->b[p], bq = w->b[q], vp = w->v[p], vq = w->v[q];
    const firn_lanes minus = firn_lanes_all(-1);
    const firn_lanes_mask swap =
        firn_lanes_less(firn_v3_lanes_dot(bp, bp), firn_v3_lanes_dot(bq, bq));
    w->b[p] = firn_v3_lanes_select(swap, bq, bp);
    w->v[p] = firn_v3_lanes_select(swap, vq, vp);
    w->b[q] = firn_v3_lanes_select(swap, firn_v3_lanes_scale(bp, minus), bq);
    w->v[q] = firn_v3_lanes_select(swap, firn_v3_lanes_scale(vp, minus), vq);
}

// Any unit vector orthogonal to unit vector a: a x e, e the axis that a is farthest from.
FIRN_LANES_FN firn_vec3_lanes firn_v3_lanes_across(firn_vec3_lanes a)
{
    const firn_lanes one = firn_lanes_all(1), zero = firn_lanes_all(0);
    const firn_lanes x = firn_lanes_abs(a.x), y = firn_lanes_abs(a.y), z = firn_lanes_abs(a.z);
    const firn_lanes_mask first = firn_mask_and(firn_lanes_at_most(x, y), firn_lanes_at_most(x, z));
    const firn_lanes_mask second = firn_mask_and(firn_mask_not(first), firn_lanes_at_most(y, z));
    const firn_lanes_mask third = firn_mask_not(firn_mask_or(first, second));
    const firn_vec3_lanes e =
        firn_v3_lanes(firn_lanes_select(first, one, zero), firn_lanes_select(second, one, zero),
                      firn_lanes_select(third, one, zero));
    const firn_vec3_lanes c = firn_v3_lanes_cross(a, e);
    const firn_lanes length = firn_lanes_sqrt(firn_v3_lanes_dot(c, c));
    return firn_v3_lanes_select(firn_lanes_less(firn_lanes_all(FIRN_REAL_TINY), length),
                                firn_v3_lanes_scale(c, one / length),
                                firn_v3_lanes(one, zero, zero));
}

// U and s from the rotated columns, longest first.
FIRN_LANES_FN firn_svd3_lanes firn_svd3_lanes_finish(const firn_svd3_lanes_columns* w,
                                                     firn_lanes scale)
{
    const firn_lanes one = firn_lanes_all(1);
    const firn_lanes s0 = firn_lanes_sqrt(firn_v3_lanes_dot(w->b[0], w->b[0]));
    const firn_vec3_lanes u0 = firn_v3_lanes_scale(w->b[0], one / s0);
    const firn_vec3_lanes across = firn_v3_lanes_madd(w->b[1], -firn_v3_lanes_dot(u0, w->b[1]), u0);
    // equal ones may differ by rounding
    const firn_lanes s1 = firn_lanes_min(firn_lanes_sqrt(firn_v3_lanes_dot(across, across)), s0);
    const firn_lanes_mask regular =
        firn_lanes_less(firn_lanes_all(FIRN_REAL_EPSILON * FIRN_REAL_EPSILON) * s0, s1);
    const firn_vec3_lanes u1 = firn_v3_lanes_select(regular, firn_v3_lanes_scale(across, one / s1),
                                                    firn_v3_lanes_across(u0));
    const firn_vec3_lanes u2 = firn_v3_lanes_cross(u0, u1);
    const firn_lanes s2 = firn_lanes_clamp(firn_v3_lanes_dot(u2, w->b[2]), -s1, s1);
    firn_svd3_lanes r;
    r.U = firn_m3_lanes_from_columns(u0, u1, u2);
    r.s = firn_v3_lanes_scale(firn_v3_lanes(s0, s1, s2), scale);
    r.V = firn_m3_lanes_from_columns(w->v[0], w->v[1], w->v[2]);
    return r;
}

// Not inlined: it is the slow path of the loops that call it.
FIRN_LANES_APART firn_svd3_lanes firn_svd3_lanes_of(const firn_mat3_lanes* given)
{
    const firn_lanes one = firn_lanes_all(1), zero = firn_lanes_all(0);
    firn_mat3_lanes F = *given;
    const firn_lanes_mask finite = firn_m3_lanes_is_finite(F);
    firn_lanes biggest = zero;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) biggest = firn_lanes_max(biggest, firn_lanes_abs(F.m[i][j]));
    const firn_lanes_mask good = firn_mask_and(
        finite, firn_lanes_at_most(firn_lanes_all(FIRN_REAL_TINY), biggest));  // else zero
    // squares must neither overflow nor vanish
    const firn_lanes_mask far =
        firn_mask_or(firn_lanes_less(firn_lanes_all((firn_real)1e8), biggest),
                     firn_lanes_less(biggest, firn_lanes_all((firn_real)1e-8)));
    const firn_mat3_lanes I =
        firn_m3_lanes_all(FIRN_LIT(firn_mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
    const firn_lanes scale = firn_lanes_select(firn_mask_and(far, good), biggest, one);
    F = firn_m3_lanes_select(good, firn_m3_lanes_scale(F, one / scale), I);
    firn_svd3_lanes_columns w;
    for (int j = 0; j < 3; j++) {
        w.b[j] = firn_m3_lanes_column(F, j);
        w.v[j] = firn_m3_lanes_column(I, j);
    }
    for (int sweep = 0; sweep < 12; sweep++) {  // 4 to 6 are usual; convergence is quadratic
        firn_lanes_mask turned = firn_svd3_lanes_rotate(&w, 0, 1);
        turned = firn_mask_or(turned, firn_svd3_lanes_rotate(&w, 0, 2));
        turned = firn_mask_or(turned, firn_svd3_lanes_rotate(&w, 1, 2));
        if (!firn_mask_any(turned)) break;
    }
    firn_svd3_lanes_order(&w, 0, 1);
    firn_svd3_lanes_order(&w, 0, 2);
    firn_svd3_lanes_order(&w, 1, 2);
    firn_svd3_lanes r = firn_svd3_lanes_finish(&w, firn_lanes_select(good, scale, zero));
    return r;
}
