// SPDX-License-Identifier: MIT
// Include first in files whose counterpart on the CPU is compiled once per SIMD level
// (support/sph_cpu.c): firn_fma is fused there where the machine can. In CUDA math/shared.h does
// not fuse it, for the geometry of colliders, which on the CPU is compiled for the baseline. Here
// it is replaced before the headers that use it are read.
#pragma once
#define firn_fma firn_fma_of_the_baseline
#include "math/shared.h"
#undef firn_fma
#include "core/simd/lanes.h"

FIRN_FN firn_real firn_fma(firn_real a, firn_real b, firn_real c)
{
    return firn_real_fma(a, b, c);
}
