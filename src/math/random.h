// SPDX-License-Identifier: MIT
// Random numbers by counting: value = mix(seed, index). No state to carry, so particle k gets the
// same number whoever computes it, on one thread or many, now or after a restart.
#pragma once
#include "math/shared.h"

// 64 well-mixed bits of (seed, index): the finaliser of SplitMix64 (Steele et al. 2014), twice.
FIRN_FN uint64_t firn_random_bits(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + 0x9e3779b97f4a7c15ull * (index + 1);
    for (int round = 0; round < 2; round++) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        z ^= z >> 31;
        z += seed;
    }
    return z;
}

// Uniform in [0, 1).
FIRN_FN double firn_random_unit(uint64_t seed, uint64_t index)
{
    return (double)(firn_random_bits(seed, index) >> 11) * (1.0 / 9007199254740992.0);
}
