// SPDX-License-Identifier: MIT
// Plain 3x3 algebra in a wider type than firn_real: the judge of the tests. Written independently
// of src/math: indexed loops, no fused operations, Jacobi until nothing changes.
#pragma once
#include <math.h>

#include "firn/types.h"

#ifdef FIRN_DOUBLE
typedef long double wide;
#define WIDE_EPSILON 1.1e-19L
#else
typedef double wide;  // nine digits more than float are enough, and fast
#define WIDE_EPSILON 2.3e-16
#endif

typedef struct wide3 {
    wide m[3][3];
} wide3;

static inline wide wide_sqrt(wide x)
{
#ifdef FIRN_DOUBLE
    return sqrtl(x);
#else
    return sqrt(x);
#endif
}

static inline wide wide_abs(wide x)
{
    return x < 0 ? -x : x;
}

static inline wide3 wide_from(firn_mat3 a)
{
    wide3 w;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) w.m[i][j] = (wide)a.m[i][j];
    return w;
}

static inline firn_mat3 wide_to(wide3 a)
{
    firn_mat3 r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r.m[i][j] = (firn_real)a.m[i][j];
    return r;
}

static inline wide3 wide_identity(void)
{
    return (wide3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

static inline wide3 wide_transpose(wide3 a)
{
    wide3 t;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) t.m[i][j] = a.m[j][i];
    return t;
}

static inline wide3 wide_mul(wide3 a, wide3 b)
{
    wide3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    return c;
}

// a + s b
static inline wide3 wide_madd(wide3 a, wide s, wide3 b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a.m[i][j] += s * b.m[i][j];
    return a;
}

static inline wide wide_dot(wide3 a, wide3 b)
{
    wide s = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) s += a.m[i][j] * b.m[i][j];
    return s;
}

static inline wide wide_norm(wide3 a)
{
    return wide_sqrt(wide_dot(a, a));
}

static inline wide wide_distance(wide3 a, wide3 b)
{
    return wide_norm(wide_madd(a, -1, b));
}

static inline wide wide_det(wide3 a)
{
    return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) -
           a.m[0][1] * (a.m[1][0] * a.m[2][2] - a.m[1][2] * a.m[2][0]) +
           a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);
}

// How far a matrix is from orthogonal: |A^T A - I|.
static inline wide wide_skewness(wide3 a)
{
    return wide_distance(wide_mul(wide_transpose(a), a), wide_identity());
}

// Turns columns p and q of B, and of V with them, until they are orthogonal; false: they were.
static inline int wide_turn(wide3* B, wide3* V, int p, int q)
{
    wide a = 0, b = 0, g = 0;
    for (int i = 0; i < 3; i++) {
        a += B->m[i][p] * B->m[i][p];
        b += B->m[i][q] * B->m[i][q];
        g += B->m[i][p] * B->m[i][q];
    }
    if (wide_abs(g) <= 4 * WIDE_EPSILON * wide_sqrt(a * b)) return 0;
    const wide tau = (b - a) / (2 * g);
    const wide t = (tau < 0 ? -1 : 1) / (wide_abs(tau) + wide_sqrt(1 + tau * tau));
    const wide c = 1 / wide_sqrt(1 + t * t), s = t * c;
    for (int i = 0; i < 3; i++) {
        const wide x = B->m[i][p], y = B->m[i][q], v = V->m[i][p], w = V->m[i][q];
        B->m[i][p] = c * x - s * y;
        B->m[i][q] = s * x + c * y;
        V->m[i][p] = c * v - s * w;
        V->m[i][q] = s * v + c * w;
    }
    return 1;
}

// Singular values, largest first, the last with the sign of det F; `out_V` may be null.
static inline void wide_singular_values(wide3 F, wide s[3], wide3* out_V)
{
    wide3 V = wide_identity();
    const wide det = wide_det(F);
    for (int sweep = 0; sweep < 60; sweep++)
        if (wide_turn(&F, &V, 0, 1) + wide_turn(&F, &V, 0, 2) + wide_turn(&F, &V, 1, 2) == 0) break;
    for (int j = 0; j < 3; j++)
        s[j] = wide_sqrt(F.m[0][j] * F.m[0][j] + F.m[1][j] * F.m[1][j] + F.m[2][j] * F.m[2][j]);
    for (int a = 0; a < 2; a++) {
        for (int b = 0; b < 2 - a; b++) {
            if (s[b] >= s[b + 1]) continue;
            const wide keep = s[b];
            s[b] = s[b + 1];
            s[b + 1] = keep;
            for (int i = 0; i < 3; i++) {
                const wide column = V.m[i][b];
                V.m[i][b] = V.m[i][b + 1];
                V.m[i][b + 1] = column;
            }
        }
    }
    if (det < 0) s[2] = -s[2];
    if (out_V != NULL) *out_V = V;
}

// The rotation of F = R S for regular F with det > 0: R = F V diag(1/s) V^T.
static inline wide3 wide_polar(wide3 F)
{
    wide s[3];
    wide3 V;
    wide_singular_values(F, s, &V);
    wide3 scaled = V;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) scaled.m[i][j] /= s[j];
    return wide_mul(F, wide_mul(scaled, wide_transpose(V)));
}
