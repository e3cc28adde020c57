// SPDX-License-Identifier: MIT
// What both implementations of core/simd/lanes.h need. Include core/simd/lanes.h, not this.
#pragma once
#include <math.h>
#include <string.h>

#include "firn/types.h"

// FIRN_LANES_FN     before a function of lanes: inline, and for the device where there is one
// FIRN_LANES_APART  before a function for the slow path: not inlined, so that its code does not
//                   take registers from the loops that may call it
#ifdef __CUDACC__
// Forced: a call that is not inlined would pass matrices through local memory.
#define FIRN_LANES_FN static __forceinline__ __host__ __device__
#define FIRN_LANES_APART static __noinline__ __host__ __device__ __attribute__((unused))
#else
#define FIRN_LANES_FN static inline
#define FIRN_LANES_APART static __attribute__((noinline, unused))
#endif

#ifdef FIRN_DOUBLE
#define FIRN_REAL_BYTES 8
#else
#define FIRN_REAL_BYTES 4
#endif

// a*b + c of one real, rounded as firn_lanes_fma rounds a lane: fused where the host has the
// instruction, and on a GPU. (firn_fma of math/shared.h is not fused on a GPU.)
FIRN_LANES_FN firn_real firn_real_fma(firn_real a, firn_real b, firn_real c)
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
