// SPDX-License-Identifier: MIT
// A register full of reals, one particle per lane. Every operation acts lane by lane and rounds as
// its scalar counterpart in math/shared.h does, so a particle's result does not depend on how many
// lanes there are. Two flavours with the same functions:
//   lanes_vector.h   the vector registers of a CPU: 4 to 16 floats, half as many doubles
//   lanes_one.h      one plain real: a thread of a GPU is a lane already. For CUDA, and in C where
//                    FIRN_ONE_LANE is defined before the first include, for tests without a GPU
// A file has one flavour; nothing made of lanes crosses a call between files.
#pragma once
#include <math.h>
#include <string.h>

#include "firn/types.h"

// Both flavours define:
//   FIRN_LANES        lanes of a register
//   FIRN_LANES_FN     before a function of lanes: inline, and for the device where there is one
//   FIRN_LANES_APART  before a function that few registers need: kept out of the loops that may
//                     call it, so that its code does not crowd their registers
#if defined(__CUDACC__) || defined(FIRN_ONE_LANE)
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
