// SPDX-License-Identifier: MIT
// A path's own stream of random numbers, named by what it is for (picture's seed, pixel, sample):
// the same whichever thread follows the path.
#pragma once
#include "math/random.h"

typedef struct firn_rng {
    uint64_t state;
} firn_rng;

FIRN_FN firn_rng firn_rng_make(uint64_t seed, uint64_t pixel, uint64_t sample)
{
    return FIRN_LIT(firn_rng){firn_random_bits(firn_random_bits(seed, pixel), sample)};
}

// 64 mixed bits: SplitMix64 (Steele et al. 2014).
FIRN_FN uint64_t firn_rng_bits(firn_rng* r)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

// Uniform in [0, 1), a multiple of 2^-24.
FIRN_FN float firn_rng_unit(firn_rng* r)
{
    return (float)(firn_rng_bits(r) >> 40) * (1.0f / 16777216.0f);
}
