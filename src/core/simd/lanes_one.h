// SPDX-License-Identifier: MIT
// core/simd/lanes.h with one plain real as the batch, for C and CUDA. Include core/simd/lanes.h,
// not this. Each function returns the bits that a lane of lanes_vector.h has where both fuse.
#pragma once
#include "core/simd/lanes_real.h"

#define FIRN_LANES_BYTES FIRN_REAL_BYTES
#define FIRN_LANES 1

typedef firn_real firn_lanes;
typedef bool firn_lanes_mask;
#ifdef FIRN_DOUBLE
typedef int64_t firn_lanes_int;
#else
typedef int32_t firn_lanes_int;
#endif

FIRN_LANES_FN firn_lanes firn_lanes_all(firn_real x)
{
    return x;
}

FIRN_LANES_FN firn_lanes firn_lanes_load(const firn_real* from)
{
    return *from;
}

FIRN_LANES_FN void firn_lanes_store(firn_real* to, firn_lanes x)
{
    *to = x;
}

FIRN_LANES_FN firn_lanes_int firn_lanes_bits(firn_lanes x)
{
    firn_lanes_int bits;
    memcpy(&bits, &x, sizeof bits);  // a move between registers, on a GPU too
    return bits;
}

FIRN_LANES_FN firn_lanes firn_lanes_from_bits(firn_lanes_int bits)
{
    firn_lanes x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

FIRN_LANES_FN firn_lanes firn_lanes_fma(firn_lanes a, firn_lanes b, firn_lanes c)
{
    return firn_real_fma(a, b, c);
}

FIRN_LANES_FN firn_lanes firn_lanes_sqrt(firn_lanes x)
{
#ifdef FIRN_DOUBLE
    return sqrt(x);
#else
    return sqrtf(x);
#endif
}

// a < b and a <= b; false where either is NaN.
FIRN_LANES_FN firn_lanes_mask firn_lanes_less(firn_lanes a, firn_lanes b)
{
    return a < b;
}

FIRN_LANES_FN firn_lanes_mask firn_lanes_at_most(firn_lanes a, firn_lanes b)
{
    return a <= b;
}

FIRN_LANES_FN firn_lanes_mask firn_mask_not(firn_lanes_mask m)
{
    return !m;
}

// Not && and ||: both sides are computed already, and a branch costs more than a bit operation.
FIRN_LANES_FN firn_lanes_mask firn_mask_and(firn_lanes_mask a, firn_lanes_mask b)
{
    return (a & b) != 0;
}

FIRN_LANES_FN firn_lanes_mask firn_mask_or(firn_lanes_mask a, firn_lanes_mask b)
{
    return (a | b) != 0;
}

FIRN_LANES_FN unsigned firn_mask_bits(firn_lanes_mask m)
{
    return m ? 1u : 0u;
}

FIRN_LANES_FN firn_lanes_mask firn_mask_from_bits(unsigned bits)
{
    return (bits & 1) != 0;
}

FIRN_LANES_FN firn_lanes firn_lanes_select(firn_lanes_mask m, firn_lanes yes, firn_lanes no)
{
    return m ? yes : no;
}

// As firn_min and firn_max: b where either is NaN. CUDA's fminf returns the one that is a number.
FIRN_LANES_FN firn_lanes firn_lanes_min(firn_lanes a, firn_lanes b)
{
    return a < b ? a : b;
}

FIRN_LANES_FN firn_lanes firn_lanes_max(firn_lanes a, firn_lanes b)
{
    return b < a ? a : b;
}

FIRN_LANES_FN firn_lanes firn_lanes_abs(firn_lanes x)
{
#ifdef FIRN_DOUBLE
    return fabs(x);
#else
    return fabsf(x);
#endif
}

FIRN_LANES_FN firn_lanes_int firn_lanes_words(const uint32_t from[FIRN_LANES])
{
    return (int32_t)from[0];
}

FIRN_LANES_FN firn_lanes_mask firn_lanes_has_bit(firn_lanes_int words, int k)
{
    return ((uint32_t)words >> k & 1) != 0;
}

FIRN_LANES_FN firn_lanes_int firn_lanes_set_bit(firn_lanes_int words, int k, firn_lanes_mask m)
{
    return (int32_t)((uint32_t)words | (uint32_t)m << k);
}
