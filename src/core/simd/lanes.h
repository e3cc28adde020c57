// SPDX-License-Identifier: MIT
// A SIMD batch: one real of as many particles as a register holds, a particle per lane. The type is
// firn_lanes. Every operation acts lane by lane and rounds as its scalar counterpart in
// math/shared.h does, so a particle's result does not depend on how many lanes there are. Two
// implementations of the same functions, one per source file:
//   lanes_vector.h   the vector registers of a CPU, 4 to 16 floats, half as many doubles: in C
//   files
//                    that are compiled once per SIMD level (FIRN_SIMD_LEVEL,
//                    cmake/FirnSources.cmake)
//   lanes_one.h      one plain real: in all other C files, in CUDA, where a thread is a lane
//                    already, and where FIRN_ONE_LANE is defined before the first include
// A function written over firn_lanes therefore serves plain loops, SIMD loops and CUDA kernels.
// Nothing made of lanes is passed between source files: its size depends on the SIMD level.
#pragma once
#include <math.h>
#include <string.h>

#include "firn/types.h"

// FIRN_LANES_FN     before a function of lanes: inline, and for the device where there is one
// FIRN_LANES_APART  before a function for the slow path: not inlined, so that its code does not
//                   take registers from the loops that may call it
// Both implementations define FIRN_LANES, the number of lanes.
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

#if defined(__CUDACC__) || defined(FIRN_ONE_LANE) || !defined(FIRN_SIMD_LEVEL)
#include "core/simd/lanes_one.h"
#else
#include "core/simd/lanes_vector.h"
#endif
#define FIRN_LANES_MOST 16  // of any level: a size for buffers that all levels share

FIRN_LANES_FN bool firn_mask_any(firn_lanes_mask m)
{
    return firn_mask_bits(m) != 0;
}

FIRN_LANES_FN bool firn_mask_all(firn_lanes_mask m)
{
    return firn_mask_bits(m) == (1u << FIRN_LANES) - 1;
}

FIRN_LANES_FN firn_lanes firn_lanes_clamp(firn_lanes x, firn_lanes low, firn_lanes high)
{
    return firn_lanes_min(firn_lanes_max(x, low), high);
}
