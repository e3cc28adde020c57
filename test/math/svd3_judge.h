// SPDX-License-Identifier: MIT
// T11: matrices of every kind, and what their singular values and vectors must satisfy.
#pragma once
#include "figure.h"
#include "math/svd3.h"
#include "precise.h"
#include "seed.h"

#ifdef FIRN_DOUBLE
#define LARGEST_POWER 150  // squares stay finite at any scale of the type only because of scaling
#else
#define LARGEST_POWER 30
#endif

typedef struct errors {
    double product, U, V, determinant, values;
    int wrong_order, wrong_sign, not_finite;
} errors;

static inline double larger(double a, precise b)
{
    return (double)b > a ? (double)b : a;
}

// What a result must satisfy whatever F is.
static inline void judge(errors* e, firn_mat3 F, firn_svd3 svd)
{
    if (!firn_m3_is_finite(svd.U) || !firn_m3_is_finite(svd.V) || !firn_v3_is_finite(svd.s)) {
        e->not_finite++;
        return;
    }
    const precise3 f = precise_from(F), U = precise_from(svd.U), V = precise_from(svd.V);
    const precise size = precise_norm(f);
    precise s[3];
    precise_singular_values(f, s, NULL);
    const precise3 S = {
        {{(precise)svd.s.x, 0, 0}, {0, (precise)svd.s.y, 0}, {0, 0, (precise)svd.s.z}}};
    const precise scale = size > 0 ? size : 1;
    e->product =
        larger(e->product,
               precise_distance(precise_mul(precise_mul(U, S), precise_transpose(V)), f) / scale);
    e->U = larger(e->U, precise_skewness(U));
    e->V = larger(e->V, precise_skewness(V));
    e->determinant = larger(e->determinant, precise_abs(precise_det(U) - 1));
    e->determinant = larger(e->determinant, precise_abs(precise_det(V) - 1));
    e->values = larger(e->values, precise_abs((precise)svd.s.x - s[0]) / scale);
    e->values = larger(e->values, precise_abs((precise)svd.s.y - s[1]) / scale);
    e->wrong_order += !(svd.s.x >= svd.s.y && svd.s.y >= firn_abs(svd.s.z));
    // the sign of a value that is only rounding is anybody's
    const bool sure = precise_abs(s[2]) > (precise)(100 * FIRN_REAL_EPSILON) * scale;
    e->values = larger(e->values, (precise_abs(s[2]) - precise_abs((precise)svd.s.z)) / scale);
    e->values = larger(e->values, (precise_abs((precise)svd.s.z) - precise_abs(s[2])) / scale);
    if (sure) e->wrong_sign += (s[2] < 0) != (svd.s.z < 0);
}

static inline void report(const errors* e)
{
    assert_int_equal(e->not_finite, 0);
    assert_int_equal(e->wrong_order, 0);
    assert_int_equal(e->wrong_sign, 0);
    check_figure(T11_product, e->product);
    check_figure(T11_U_orthogonal, e->U);
    check_figure(T11_V_orthogonal, e->V);
    check_figure(T11_determinant, e->determinant);
    check_figure(T11_values, e->values);
}

static inline firn_mat3 scaled_columns(any_source* r, firn_mat3 F, double power, bool rows)
{
    for (int j = 0; j < 3; j++) {
        const firn_real s = (firn_real)pow(10, any_between(r, -power, power));
        for (int i = 0; i < 3; i++) {
            if (rows)
                F.m[j][i] *= s;
            else
                F.m[i][j] *= s;
        }
    }
    return F;
}

// A matrix of the k-th kind; the kinds go round.
static inline firn_mat3 case_of(any_source* r, int kind)
{
    const firn_mat3 F = any_mat3(r, 1);
    const firn_mat3 Q = any_rotation(r);
    const firn_real a = (firn_real)any_between(r, -2, 2), b = (firn_real)any_between(r, 0, 2);
    switch (kind) {
    case 0: return F;
    case 1: return any_stretched(r, 0.9, 1.1);  // what snow is
    case 2: return firn_m3_scale(F, (firn_real)pow(10, any_between(r, -12, 12)));
    case 3: return firn_m3_mul(firn_m3_mul(Q, firn_m3_diagonal(b, b, a)), any_rotation(r));
    case 4: return firn_m3_scale(Q, b);                            // all three equal
    case 5: return firn_m3_outer(any_vec3(r, 1), any_vec3(r, 1));  // rank 1
    case 6: return firn_m3_mul(firn_m3_mul(Q, firn_m3_diagonal(1, b, 0)), any_rotation(r));
    case 7: return firn_m3_mul(firn_m3_mul(Q, firn_m3_diagonal(2, b, -b)), any_rotation(r));
    case 8: return scaled_columns(r, F, 6, false);
    case 9: return scaled_columns(r, F, 6, true);
    case 10: return firn_m3_madd(firn_m3_identity(), (firn_real)1e-7, F);  // nearly I
    case 11: return firn_m3_add(Q, firn_m3_scale(F, FIRN_REAL_EPSILON));   // nearly a rotation
    default:
        return firn_m3_scale(F, (firn_real)pow(10, any_between(r, -LARGEST_POWER, LARGEST_POWER)));
    }
}
