// SPDX-License-Identifier: MIT
// Vectors of three reals.
#pragma once
#include "math/shared.h"

FIRN_FN firn_vec3 firn_v3(firn_real x, firn_real y, firn_real z)
{
    return FIRN_LIT(firn_vec3){x, y, z};
}

FIRN_FN firn_vec3 firn_v3_add(firn_vec3 a, firn_vec3 b)
{
    return firn_v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

FIRN_FN firn_vec3 firn_v3_sub(firn_vec3 a, firn_vec3 b)
{
    return firn_v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

FIRN_FN firn_vec3 firn_v3_scale(firn_vec3 a, firn_real s)
{
    return firn_v3(a.x * s, a.y * s, a.z * s);
}

// a + s b
FIRN_FN firn_vec3 firn_v3_madd(firn_vec3 a, firn_real s, firn_vec3 b)
{
    return firn_v3(firn_fma(s, b.x, a.x), firn_fma(s, b.y, a.y), firn_fma(s, b.z, a.z));
}

FIRN_FN firn_vec3 firn_v3_mul(firn_vec3 a, firn_vec3 b)
{
    return firn_v3(a.x * b.x, a.y * b.y, a.z * b.z);
}

FIRN_FN firn_real firn_v3_dot(firn_vec3 a, firn_vec3 b)
{
    return firn_fma(a.x, b.x, firn_fma(a.y, b.y, a.z * b.z));
}

FIRN_FN firn_vec3 firn_v3_cross(firn_vec3 a, firn_vec3 b)
{
    return firn_v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

FIRN_FN firn_real firn_v3_length(firn_vec3 a)
{
    return firn_sqrt(firn_v3_dot(a, a));
}

// Unit vector along a; `fallback` when a is (nearly) zero.
FIRN_FN firn_vec3 firn_v3_normalize(firn_vec3 a, firn_vec3 fallback)
{
    const firn_real l = firn_v3_length(a);
    return l > FIRN_REAL_TINY ? firn_v3_scale(a, 1 / l) : fallback;
}

FIRN_FN firn_vec3 firn_v3_min(firn_vec3 a, firn_vec3 b)
{
    return firn_v3(firn_min(a.x, b.x), firn_min(a.y, b.y), firn_min(a.z, b.z));
}

FIRN_FN firn_vec3 firn_v3_max(firn_vec3 a, firn_vec3 b)
{
    return firn_v3(firn_max(a.x, b.x), firn_max(a.y, b.y), firn_max(a.z, b.z));
}

FIRN_FN firn_vec3 firn_v3_abs(firn_vec3 a)
{
    return firn_v3(firn_abs(a.x), firn_abs(a.y), firn_abs(a.z));
}

FIRN_FN bool firn_v3_is_finite(firn_vec3 a)
{
    return firn_is_finite(a.x) && firn_is_finite(a.y) && firn_is_finite(a.z);
}
