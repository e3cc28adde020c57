// SPDX-License-Identifier: MIT
// 3x3 matrices of a SIMD batch, one particle per lane (core/simd/lanes.h). Products round as those
// of math/mat3.h and math/vec3.h do, lane by lane: test_mat3_lanes. For C and CUDA. SIMD
// files need both: those for one particle, and these for a batch.
#pragma once
#include "core/simd/lanes.h"
#include "math/shared.h"

#if FIRN_LANES == 1
typedef firn_vec3 firn_vec3_lanes;
typedef firn_mat3 firn_mat3_lanes;
#else
typedef struct firn_vec3_lanes {
    firn_lanes x, y, z;
} firn_vec3_lanes;

typedef struct firn_mat3_lanes {
    firn_lanes m[3][3];
} firn_mat3_lanes;
#endif

// A symmetric matrix: its upper triangle.
typedef struct firn_sym3_lanes {
    firn_lanes xx, xy, xz, yy, yz, zz;
} firn_sym3_lanes;

FIRN_LANES_FN firn_vec3_lanes firn_v3_lanes(firn_lanes x, firn_lanes y, firn_lanes z)
{
    return FIRN_LIT(firn_vec3_lanes){x, y, z};
}

FIRN_LANES_FN firn_vec3_lanes firn_v3_lanes_add(firn_vec3_lanes a, firn_vec3_lanes b)
{
    return firn_v3_lanes(a.x + b.x, a.y + b.y, a.z + b.z);
}

FIRN_LANES_FN firn_vec3_lanes firn_v3_lanes_sub(firn_vec3_lanes a, firn_vec3_lanes b)
{
    return firn_v3_lanes(a.x - b.x, a.y - b.y, a.z - b.z);
}

FIRN_LANES_FN firn_vec3_lanes firn_v3_lanes_scale(firn_vec3_lanes a, firn_lanes s)
{
    return firn_v3_lanes(a.x * s, a.y * s, a.z * s);
}

// a + s b
FIRN_LANES_FN firn_vec3_lanes firn_v3_lanes_madd(firn_vec3_lanes a, firn_lanes s, firn_vec3_lanes b)
{
    return firn_v3_lanes(firn_lanes_fma(s, b.x, a.x), firn_lanes_fma(s, b.y, a.y),
                         firn_lanes_fma(s, b.z, a.z));
}

FIRN_LANES_FN firn_lanes firn_v3_lanes_dot(firn_vec3_lanes a, firn_vec3_lanes b)
{
    return firn_lanes_fma(a.x, b.x, firn_lanes_fma(a.y, b.y, a.z * b.z));
}

FIRN_LANES_FN firn_vec3_lanes firn_v3_lanes_cross(firn_vec3_lanes a, firn_vec3_lanes b)
{
    return firn_v3_lanes(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

FIRN_LANES_FN firn_vec3_lanes firn_v3_lanes_select(firn_lanes_mask m, firn_vec3_lanes yes,
                                                   firn_vec3_lanes no)
{
    return firn_v3_lanes(firn_lanes_select(m, yes.x, no.x), firn_lanes_select(m, yes.y, no.y),
                         firn_lanes_select(m, yes.z, no.z));
}

FIRN_LANES_FN firn_vec3_lanes firn_m3_lanes_column(firn_mat3_lanes a, int j)
{
    return firn_v3_lanes(a.m[0][j], a.m[1][j], a.m[2][j]);
}

FIRN_LANES_FN firn_mat3_lanes firn_m3_lanes_from_columns(firn_vec3_lanes a, firn_vec3_lanes b,
                                                         firn_vec3_lanes c)
{
    return FIRN_LIT(firn_mat3_lanes){{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

// The same matrix in every lane.
FIRN_LANES_FN firn_mat3_lanes firn_m3_lanes_all(firn_mat3 a)
{
    firn_mat3_lanes r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r.m[i][j] = firn_lanes_all(a.m[i][j]);
    return r;
}

FIRN_LANES_FN firn_mat3_lanes firn_m3_lanes_select(firn_lanes_mask m, firn_mat3_lanes yes,
                                                   firn_mat3_lanes no)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) no.m[i][j] = firn_lanes_select(m, yes.m[i][j], no.m[i][j]);
    return no;
}

FIRN_LANES_FN firn_mat3_lanes firn_m3_lanes_scale(firn_mat3_lanes a, firn_lanes s)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a.m[i][j] *= s;
    return a;
}

// A + s B
FIRN_LANES_FN firn_mat3_lanes firn_m3_lanes_madd(firn_mat3_lanes a, firn_lanes s, firn_mat3_lanes b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a.m[i][j] = firn_lanes_fma(s, b.m[i][j], a.m[i][j]);
    return a;
}

// A B
FIRN_LANES_FN firn_mat3_lanes firn_m3_lanes_mul(firn_mat3_lanes a, firn_mat3_lanes b)
{
    firn_mat3_lanes c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.m[i][j] = firn_lanes_fma(a.m[i][0], b.m[0][j],
                                       firn_lanes_fma(a.m[i][1], b.m[1][j], a.m[i][2] * b.m[2][j]));
    return c;
}

// A B^T
FIRN_LANES_FN firn_mat3_lanes firn_m3_lanes_mul_transposed(firn_mat3_lanes a, firn_mat3_lanes b)
{
    firn_mat3_lanes c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.m[i][j] = firn_lanes_fma(a.m[i][0], b.m[j][0],
                                       firn_lanes_fma(a.m[i][1], b.m[j][1], a.m[i][2] * b.m[j][2]));
    return c;
}

// A : B, the sum of products of entries
FIRN_LANES_FN firn_lanes firn_m3_lanes_dot(firn_mat3_lanes a, firn_mat3_lanes b)
{
    firn_lanes s = firn_lanes_all(0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) s = firn_lanes_fma(a.m[i][j], b.m[i][j], s);
    return s;
}

// cof(A) = det(A) A^-T, valid at singular A too.
FIRN_LANES_FN firn_mat3_lanes firn_m3_lanes_cofactor(firn_mat3_lanes a)
{
    const firn_vec3_lanes f0 = firn_m3_lanes_column(a, 0), f1 = firn_m3_lanes_column(a, 1);
    const firn_vec3_lanes f2 = firn_m3_lanes_column(a, 2);
    return firn_m3_lanes_from_columns(firn_v3_lanes_cross(f1, f2), firn_v3_lanes_cross(f2, f0),
                                      firn_v3_lanes_cross(f0, f1));
}

FIRN_LANES_FN firn_lanes firn_m3_lanes_det(firn_mat3_lanes a)
{
    return firn_v3_lanes_dot(
        firn_m3_lanes_column(a, 0),
        firn_v3_lanes_cross(firn_m3_lanes_column(a, 1), firn_m3_lanes_column(a, 2)));
}

// Lanes without NaN and infinity: x - x is 0 for those only, and sums of zeros are zero.
FIRN_LANES_FN firn_lanes_mask firn_m3_lanes_is_finite(firn_mat3_lanes a)
{
    firn_lanes none = firn_lanes_all(0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) none += a.m[i][j] - a.m[i][j];
    return firn_lanes_at_most(none, firn_lanes_all(0));
}

// A : A
FIRN_LANES_FN firn_lanes firn_sym3_lanes_dot_self(firn_sym3_lanes a)
{
    const firn_lanes across = firn_lanes_fma(a.xy, a.xy, firn_lanes_fma(a.xz, a.xz, a.yz * a.yz));
    const firn_lanes along = firn_lanes_fma(a.xx, a.xx, firn_lanes_fma(a.yy, a.yy, a.zz * a.zz));
    return firn_lanes_fma(firn_lanes_all(2), across, along);
}

// A B of two matrices that commute, so that the product is symmetric too.
FIRN_LANES_FN firn_sym3_lanes firn_sym3_lanes_mul(firn_sym3_lanes a, firn_sym3_lanes b)
{
    firn_sym3_lanes c;
    c.xx = firn_lanes_fma(a.xx, b.xx, firn_lanes_fma(a.xy, b.xy, a.xz * b.xz));
    c.xy = firn_lanes_fma(a.xx, b.xy, firn_lanes_fma(a.xy, b.yy, a.xz * b.yz));
    c.xz = firn_lanes_fma(a.xx, b.xz, firn_lanes_fma(a.xy, b.yz, a.xz * b.zz));
    c.yy = firn_lanes_fma(a.xy, b.xy, firn_lanes_fma(a.yy, b.yy, a.yz * b.yz));
    c.yz = firn_lanes_fma(a.xy, b.xz, firn_lanes_fma(a.yy, b.yz, a.yz * b.zz));
    c.zz = firn_lanes_fma(a.xz, b.xz, firn_lanes_fma(a.yz, b.yz, a.zz * b.zz));
    return c;
}

FIRN_LANES_FN firn_sym3_lanes firn_sym3_lanes_select(firn_lanes_mask m, firn_sym3_lanes yes,
                                                     firn_sym3_lanes no)
{
    no.xx = firn_lanes_select(m, yes.xx, no.xx);
    no.xy = firn_lanes_select(m, yes.xy, no.xy);
    no.xz = firn_lanes_select(m, yes.xz, no.xz);
    no.yy = firn_lanes_select(m, yes.yy, no.yy);
    no.yz = firn_lanes_select(m, yes.yz, no.yz);
    no.zz = firn_lanes_select(m, yes.zz, no.zz);
    return no;
}

// F F^T - I, twice the left strain. Entries of F near a rotation are below 1, so each of the three
// roundings of an entry is at most half an epsilon, however small the strain.
FIRN_LANES_FN firn_sym3_lanes firn_m3_lanes_left_strain(firn_mat3_lanes F)
{
    firn_lanes e[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            const firn_lanes last = i == j
                                        ? firn_lanes_fma(F.m[i][2], F.m[i][2], firn_lanes_all(-1))
                                        : F.m[i][2] * F.m[j][2];
            e[i][j] =
                firn_lanes_fma(F.m[i][0], F.m[j][0], firn_lanes_fma(F.m[i][1], F.m[j][1], last));
        }
    }
    return FIRN_LIT(firn_sym3_lanes){e[0][0], e[0][1], e[0][2], e[1][1], e[1][2], e[2][2]};
}
