// SPDX-License-Identifier: MIT
// The lanes of core/simd/lanes.h when a register is one plain real: C and CUDA. Include
// core/simd/lanes.h, not this. Each function gives the bits that a lane of lanes_vector.h has where
// both fuse.
#pragma once
#include <math.h>
#include <string.h>

#include "firn/types.h"

#ifdef __CUDACC__
// Forced: a call that is not inlined would pass matrices through local memory.
#define FIRN_LANES_FN static __forceinline__ __host__ __device__
#define FIRN_LANES_APART static __noinline__ __host__ __device__ __attribute__((unused))
#else
#define FIRN_LANES_FN static inline
#define FIRN_LANES_APART static __attribute__((noinline, unused))
#endif

#define FIRN_LANES_BYTES ((int)sizeof(firn_real))
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

// a*b + c, fused on a GPU, and where the host has the instruction.
FIRN_LANES_FN firn_lanes firn_lanes_fma(firn_lanes a, firn_lanes b, firn_lanes c)
{
#if defined(__CUDA_ARCH__) || defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#ifdef FIRN_DOUBLE
    return fma(a, b, c);
#else
    return fmaf(a, b, c);
#endif
#else
    return a * b + c;
#endif
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

// Not && and ||: both sides are there already, and a branch would cost more than a bit.
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

// As firn_min and firn_max: b where the two do not compare. CUDA's own give the number of a number
// and a NaN.
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
