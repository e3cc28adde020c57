// SPDX-License-Identifier: MIT
// What C17 and CUDA C++ need to share a function: FIRN_FN, FIRN_FN_APART, FIRN_LIT, FIRN_RESTRICT,
// fused multiply-add by name, and real-valued min/max/clamp.
#pragma once
#include <math.h>

#include "firn/types.h"

// FIRN_FN_APART: for a large function that few threads need. A GPU gives every thread of a kernel
// the registers and the stack of all that is inlined into it, so there it is called instead.
#ifdef __CUDACC__
#define FIRN_FN static inline __host__ __device__
#define FIRN_FN_APART static __noinline__ __host__ __device__ __attribute__((unused))
#define FIRN_LIT(T) T
#define FIRN_RESTRICT __restrict__
#elif defined(__cplusplus)
#define FIRN_FN static inline
#define FIRN_FN_APART static inline
#define FIRN_LIT(T) T
#define FIRN_RESTRICT __restrict__
#else
#define FIRN_FN static inline
#define FIRN_FN_APART static inline
#define FIRN_LIT(T) (T)
#define FIRN_RESTRICT restrict
#endif

#ifdef FIRN_DOUBLE
#define FIRN_REAL_EPSILON 2.220446049250313e-16  // distance from 1 to the next number
#define FIRN_REAL_TINY 2.2250738585072014e-308   // smallest normal number
#define FIRN_REAL_MAX 1.7976931348623157e308
#else
#define FIRN_REAL_EPSILON 1.1920929e-7f
#define FIRN_REAL_TINY 1.17549435e-38f
#define FIRN_REAL_MAX 3.40282347e38f
#endif

// a*b + c. Fused where the machine has the instruction (x86-64-v3 and up, NEON), two roundings on
// baseline x86-64: results depend on the SIMD level, never on what the compiler contracts. Not
// fused on CUDA: what uses it there is the geometry of bodies, which on the host is compiled for
// the baseline, and a node on a surface must be on the same side of it on both. Kernels and lanes
// fuse by their own name for it.
FIRN_FN firn_real firn_fma(firn_real a, firn_real b, firn_real c)
{
#if !defined(__CUDACC__) && (defined(__FMA__) || defined(__ARM_FEATURE_FMA))
#ifdef FIRN_DOUBLE
    return fma(a, b, c);
#else
    return fmaf(a, b, c);
#endif
#else
    return a * b + c;
#endif
}

FIRN_FN firn_real firn_min(firn_real a, firn_real b)
{
    return a < b ? a : b;
}

FIRN_FN firn_real firn_max(firn_real a, firn_real b)
{
    return a > b ? a : b;
}

FIRN_FN firn_real firn_clamp(firn_real x, firn_real low, firn_real high)
{
    return firn_min(firn_max(x, low), high);
}

FIRN_FN firn_real firn_abs(firn_real x)
{
    return x < 0 ? -x : x;
}

// IEEE square root: correctly rounded everywhere.
FIRN_FN firn_real firn_sqrt(firn_real x)
{
#ifdef FIRN_DOUBLE
    return sqrt(x);
#else
    return sqrtf(x);
#endif
}

FIRN_FN firn_real firn_floor(firn_real x)
{
#ifdef FIRN_DOUBLE
    return floor(x);
#else
    return floorf(x);
#endif
}

// False for NaN and infinities.
FIRN_FN bool firn_is_finite(firn_real x)
{
    return x - x == 0;
}
