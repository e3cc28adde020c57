// SPDX-License-Identifier: MIT
// Searching a sorted list of keys, for C and CUDA.
#pragma once
#include <stdint.h>

#include "firn/types.h"
#include "math/shared.h"

// The first of `count` ascending keys that is not below `key`; `count` if all are.
FIRN_FN firn_local firn_key_search(const uint64_t* keys, firn_local count, uint64_t key)
{
    firn_local low = 0, high = count;
    while (low < high) {
        const firn_local middle = low + (high - low) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
