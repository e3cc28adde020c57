// SPDX-License-Identifier: MIT
// A SIMD batch: one real of as many particles as a register holds, a particle per lane. The type is
// firn_lanes. Every operation acts lane by lane and rounds as its scalar counterpart in
// math/shared.h does, so a particle's result does not depend on how many lanes there are. Two
// implementations of the same functions, one per source file:
//   lanes_vector.h   the vector registers of a CPU, 4 to 16 floats, half as many doubles: in C
//                    files compiled once per SIMD level (FIRN_SIMD_LEVEL of FirnSources.cmake)
//   lanes_one.h      one plain real: in all other C files, in CUDA, where a thread is a lane
//                    already, and where FIRN_ONE_LANE is defined before the first include
// A function written over firn_lanes therefore serves plain loops, SIMD loops and CUDA kernels.
// Nothing made of lanes is passed between source files: its size depends on the SIMD level.
#pragma once

// Both implementations define FIRN_LANES, the number of lanes.
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
