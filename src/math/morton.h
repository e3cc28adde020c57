// SPDX-License-Identifier: MIT
// Morton codes: three coordinates of up to 21 bits, their bits interleaved, so that codes which
// are close are close in space. For C and CUDA.
#pragma once
#include "math/shared.h"

// Spreads the lowest 21 bits so that two zero bits follow each.
FIRN_FN uint64_t firn_morton_spread(uint64_t x)
{
    x &= 0x1fffff;
    x = (x | x << 32) & 0x1f00000000ffffull;
    x = (x | x << 16) & 0x1f0000ff0000ffull;
    x = (x | x << 8) & 0x100f00f00f00f00full;
    x = (x | x << 4) & 0x10c30c30c30c30c3ull;
    x = (x | x << 2) & 0x1249249249249249ull;
    return x;
}

// The inverse.
FIRN_FN uint64_t firn_morton_compact(uint64_t x)
{
    x &= 0x1249249249249249ull;
    x = (x | x >> 2) & 0x10c30c30c30c30c3ull;
    x = (x | x >> 4) & 0x100f00f00f00f00full;
    x = (x | x >> 8) & 0x1f0000ff0000ffull;
    x = (x | x >> 16) & 0x1f00000000ffffull;
    x = (x | x >> 32) & 0x1fffff;
    return x;
}

FIRN_FN uint64_t firn_morton_code(uint64_t x, uint64_t y, uint64_t z)
{
    return firn_morton_spread(x) << 2 | firn_morton_spread(y) << 1 | firn_morton_spread(z);
}
