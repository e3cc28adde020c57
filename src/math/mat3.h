// SPDX-License-Identifier: MIT
// 3x3 matrices, row-major: A.m[row][column].
#pragma once
#include "math/vec3.h"

FIRN_FN firn_mat3 firn_m3_diagonal(firn_real a, firn_real b, firn_real c)
{
    return FIRN_LIT(firn_mat3){{{a, 0, 0}, {0, b, 0}, {0, 0, c}}};
}

FIRN_FN firn_mat3 firn_m3_identity(void)
{
    return firn_m3_diagonal(1, 1, 1);
}

FIRN_FN firn_mat3 firn_m3_add(firn_mat3 a, firn_mat3 b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a.m[i][j] += b.m[i][j];
    return a;
}

FIRN_FN firn_mat3 firn_m3_sub(firn_mat3 a, firn_mat3 b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a.m[i][j] -= b.m[i][j];
    return a;
}

FIRN_FN firn_mat3 firn_m3_scale(firn_mat3 a, firn_real s)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a.m[i][j] *= s;
    return a;
}

// A + s B
FIRN_FN firn_mat3 firn_m3_madd(firn_mat3 a, firn_real s, firn_mat3 b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a.m[i][j] = firn_fma(s, b.m[i][j], a.m[i][j]);
    return a;
}

FIRN_FN firn_mat3 firn_m3_transpose(firn_mat3 a)
{
    return FIRN_LIT(firn_mat3){{{a.m[0][0], a.m[1][0], a.m[2][0]},
                                {a.m[0][1], a.m[1][1], a.m[2][1]},
                                {a.m[0][2], a.m[1][2], a.m[2][2]}}};
}

// A B
FIRN_FN firn_mat3 firn_m3_mul(firn_mat3 a, firn_mat3 b)
{
    firn_mat3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.m[i][j] = firn_fma(a.m[i][0], b.m[0][j],
                                 firn_fma(a.m[i][1], b.m[1][j], a.m[i][2] * b.m[2][j]));
    return c;
}

// A B^T
FIRN_FN firn_mat3 firn_m3_mul_transposed(firn_mat3 a, firn_mat3 b)
{
    firn_mat3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.m[i][j] = firn_fma(a.m[i][0], b.m[j][0],
                                 firn_fma(a.m[i][1], b.m[j][1], a.m[i][2] * b.m[j][2]));
    return c;
}

// A^T B
FIRN_FN firn_mat3 firn_m3_transposed_mul(firn_mat3 a, firn_mat3 b)
{
    firn_mat3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.m[i][j] = firn_fma(a.m[0][i], b.m[0][j],
                                 firn_fma(a.m[1][i], b.m[1][j], a.m[2][i] * b.m[2][j]));
    return c;
}

FIRN_FN firn_vec3 firn_m3_mul_v3(firn_mat3 a, firn_vec3 v)
{
    return firn_v3(firn_fma(a.m[0][0], v.x, firn_fma(a.m[0][1], v.y, a.m[0][2] * v.z)),
                   firn_fma(a.m[1][0], v.x, firn_fma(a.m[1][1], v.y, a.m[1][2] * v.z)),
                   firn_fma(a.m[2][0], v.x, firn_fma(a.m[2][1], v.y, a.m[2][2] * v.z)));
}

// A^T v
FIRN_FN firn_vec3 firn_m3_transposed_mul_v3(firn_mat3 a, firn_vec3 v)
{
    return firn_v3(firn_fma(a.m[0][0], v.x, firn_fma(a.m[1][0], v.y, a.m[2][0] * v.z)),
                   firn_fma(a.m[0][1], v.x, firn_fma(a.m[1][1], v.y, a.m[2][1] * v.z)),
                   firn_fma(a.m[0][2], v.x, firn_fma(a.m[1][2], v.y, a.m[2][2] * v.z)));
}

// a b^T
FIRN_FN firn_mat3 firn_m3_outer(firn_vec3 a, firn_vec3 b)
{
    return FIRN_LIT(firn_mat3){{{a.x * b.x, a.x * b.y, a.x * b.z},
                                {a.y * b.x, a.y * b.y, a.y * b.z},
                                {a.z * b.x, a.z * b.y, a.z * b.z}}};
}

FIRN_FN firn_vec3 firn_m3_column(firn_mat3 a, int j)
{
    return firn_v3(a.m[0][j], a.m[1][j], a.m[2][j]);
}

FIRN_FN firn_mat3 firn_m3_from_columns(firn_vec3 a, firn_vec3 b, firn_vec3 c)
{
    return FIRN_LIT(firn_mat3){{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

FIRN_FN firn_real firn_m3_trace(firn_mat3 a)
{
    return a.m[0][0] + a.m[1][1] + a.m[2][2];
}

// A : B, the sum of products of entries
FIRN_FN firn_real firn_m3_dot(firn_mat3 a, firn_mat3 b)
{
    firn_real s = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) s = firn_fma(a.m[i][j], b.m[i][j], s);
    return s;
}

FIRN_FN firn_real firn_m3_norm(firn_mat3 a)
{
    return firn_sqrt(firn_m3_dot(a, a));
}

// cof(A) = det(A) A^-T, valid at singular A too: its columns are cross products of A's columns.
FIRN_FN firn_mat3 firn_m3_cofactor(firn_mat3 a)
{
    const firn_vec3 f0 = firn_m3_column(a, 0), f1 = firn_m3_column(a, 1), f2 = firn_m3_column(a, 2);
    return firn_m3_from_columns(firn_v3_cross(f1, f2), firn_v3_cross(f2, f0),
                                firn_v3_cross(f0, f1));
}

FIRN_FN firn_real firn_m3_det(firn_mat3 a)
{
    return firn_v3_dot(firn_m3_column(a, 0),
                       firn_v3_cross(firn_m3_column(a, 1), firn_m3_column(a, 2)));
}

// A^-1; the caller knows that A is regular.
FIRN_FN firn_mat3 firn_m3_inverse(firn_mat3 a)
{
    const firn_mat3 c = firn_m3_cofactor(a);
    const firn_real det = firn_v3_dot(firn_m3_column(a, 0), firn_m3_column(c, 0));
    return firn_m3_scale(firn_m3_transpose(c), 1 / det);
}

FIRN_FN bool firn_m3_is_finite(firn_mat3 a)
{
    bool finite = true;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) finite = finite && firn_is_finite(a.m[i][j]);
    return finite;
}
