// SPDX-License-Identifier: MIT
// 3x3 algebra in a type with more digits than firn_real: the reference of tests. Written apart from
// src/math: indexed loops, no fused operations, Jacobi rotations until nothing changes.
#pragma once
#include <math.h>

#include "firn/types.h"

#ifdef FIRN_DOUBLE
typedef long double precise;
#define PRECISE_EPSILON 1.1e-19L
#else
typedef double precise;  // nine digits more than float are enough, and fast
#define PRECISE_EPSILON 2.3e-16
#endif

typedef struct precise3 {
    precise m[3][3];
} precise3;

static inline precise precise_sqrt(precise x)
{
#ifdef FIRN_DOUBLE
    return sqrtl(x);
#else
    return sqrt(x);
#endif
}

static inline precise precise_abs(precise x)
{
    return x < 0 ? -x : x;
}

static inline precise3 precise_from(firn_mat3 a)
{
    precise3 w;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) w.m[i][j] = (precise)a.m[i][j];
    return w;
}

static inline firn_mat3 precise_to(precise3 a)
{
    firn_mat3 r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r.m[i][j] = (firn_real)a.m[i][j];
    return r;
}

static inline precise3 precise_identity(void)
{
    return (precise3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

static inline precise3 precise_transpose(precise3 a)
{
    precise3 t;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) t.m[i][j] = a.m[j][i];
    return t;
}

static inline precise3 precise_mul(precise3 a, precise3 b)
{
    precise3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    return c;
}

// a + s b
static inline precise3 precise_madd(precise3 a, precise s, precise3 b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a.m[i][j] += s * b.m[i][j];
    return a;
}

static inline precise precise_dot(precise3 a, precise3 b)
{
    precise s = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) s += a.m[i][j] * b.m[i][j];
    return s;
}

static inline precise precise_norm(precise3 a)
{
    return precise_sqrt(precise_dot(a, a));
}

static inline precise precise_distance(precise3 a, precise3 b)
{
    return precise_norm(precise_madd(a, -1, b));
}

static inline precise precise_det(precise3 a)
{
    return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) -
           a.m[0][1] * (a.m[1][0] * a.m[2][2] - a.m[1][2] * a.m[2][0]) +
           a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);
}

// How far a matrix is from orthogonal: |A^T A - I|.
static inline precise precise_skewness(precise3 a)
{
    return precise_distance(precise_mul(precise_transpose(a), a), precise_identity());
}

// Turns columns p and q of B, and of V with them, until they are orthogonal; false: they were.
static inline int precise_turn(precise3* B, precise3* V, int p, int q)
{
    precise a = 0, b = 0, g = 0;
    for (int i = 0; i < 3; i++) {
        a += B->m[i][p] * B->m[i][p];
        b += B->m[i][q] * B->m[i][q];
        g += B->m[i][p] * B->m[i][q];
    }
    if (precise_abs(g) <= 4 * PRECISE_EPSILON * precise_sqrt(a * b)) return 0;
    const precise tau = (b - a) / (2 * g);
    const precise t = (tau < 0 ? -1 : 1) / (precise_abs(tau) + precise_sqrt(1 + tau * tau));
    const precise c = 1 / precise_sqrt(1 + t * t), s = t * c;
    for (int i = 0; i < 3; i++) {
        const precise x = B->m[i][p], y = B->m[i][q], v = V->m[i][p], w = V->m[i][q];
        B->m[i][p] = c * x - s * y;
        B->m[i][q] = s * x + c * y;
        V->m[i][p] = c * v - s * w;
        V->m[i][q] = s * v + c * w;
    }
    return 1;
}

// Singular values, largest first, the last with the sign of det F; `out_V` may be null.
static inline void precise_singular_values(precise3 F, precise s[3], precise3* out_V)
{
    precise3 V = precise_identity();
    const precise det = precise_det(F);
    for (int sweep = 0; sweep < 60; sweep++)
        if (precise_turn(&F, &V, 0, 1) + precise_turn(&F, &V, 0, 2) + precise_turn(&F, &V, 1, 2) ==
            0)
            break;
    for (int j = 0; j < 3; j++)
        s[j] = precise_sqrt(F.m[0][j] * F.m[0][j] + F.m[1][j] * F.m[1][j] + F.m[2][j] * F.m[2][j]);
    for (int a = 0; a < 2; a++) {
        for (int b = 0; b < 2 - a; b++) {
            if (s[b] >= s[b + 1]) continue;
            const precise keep = s[b];
            s[b] = s[b + 1];
            s[b + 1] = keep;
            for (int i = 0; i < 3; i++) {
                const precise column = V.m[i][b];
                V.m[i][b] = V.m[i][b + 1];
                V.m[i][b + 1] = column;
            }
        }
    }
    if (det < 0) s[2] = -s[2];
    if (out_V != NULL) *out_V = V;
}

// The rotation of F = R S for regular F with det > 0: R = F V diag(1/s) V^T.
static inline precise3 precise_polar(precise3 F)
{
    precise s[3];
    precise3 V;
    precise_singular_values(F, s, &V);
    precise3 scaled = V;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) scaled.m[i][j] /= s[j];
    return precise_mul(F, precise_mul(scaled, precise_transpose(V)));
}
