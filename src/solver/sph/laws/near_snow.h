// SPDX-License-Identifier: MIT
// Which boundary particles limit the length of a step: those with snow within two cells of 2 h, for
// C and CUDA. It depends on where snow is now, not on where surfaces have been sampled before, so
// that resumed runs and other machines, which sample other parts, choose the same steps.
#pragma once
#include <stdint.h>

#include "firn/types.h"
#include "math/key_search.h"

// As state/neighbours.c: x, y and z of a cell from the highest bits of a key down.
#define FIRN_SPH_AXIS_BITS 21

// True if snow is within two cells of the one with `key`, at least 4 h around everything in it.
// `keys`: of the cells with snow, ascending.
FIRN_FN bool firn_sph_snow_near(const uint64_t* keys, firn_local count, uint64_t key)
{
    const uint64_t x = (uint64_t)1 << (2 * FIRN_SPH_AXIS_BITS);
    const uint64_t y = (uint64_t)1 << FIRN_SPH_AXIS_BITS;
    for (int row = 0; row < 25; row++) {
        const int across = (row + 12) % 25;  // its own row first
        const uint64_t first =
            key - 2 * x - 2 * y - 2 + (uint64_t)(across / 5) * x + (uint64_t)(across % 5) * y;
        const firn_local at = firn_key_search(keys, count, first);
        if (at < count && keys[at] <= first + 4) return true;
    }
    return false;
}
