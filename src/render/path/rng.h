// SPDX-License-Identifier: MIT
// Random number stream of a path, seeded by (picture's seed, pixel, sample), so that it does not
// depend on threads. xoshiro128+ (Blackman and Vigna 2021): 32-bit shifts and sums only, so that
// eight streams fit a SIMD register (simd/path_simd.c).
#pragma once
#include "math/random.h"

typedef struct firn_rng {
    uint32_t s[4];
} firn_rng;

FIRN_FN firn_rng firn_rng_make(uint64_t seed, uint64_t pixel, uint64_t sample)
{
    const uint64_t key = firn_random_bits(seed, pixel);
    const uint64_t a = firn_random_bits(key, 2 * sample), b = firn_random_bits(key, 2 * sample + 1);
    // the all-zero state is a fixed point and must be avoided
    return FIRN_LIT(firn_rng){
        {(uint32_t)a | 1u, (uint32_t)(a >> 32), (uint32_t)b, (uint32_t)(b >> 32)}};
}

// 32 bits; the upper ones are of better quality.
FIRN_FN uint32_t firn_rng_bits(firn_rng* r)
{
    uint32_t* s = r->s;
    const uint32_t result = s[0] + s[3], t = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = s[3] << 11 | s[3] >> 21;
    return result;
}

// Uniform in [0, 1), a multiple of 2^-24.
FIRN_FN float firn_rng_unit(firn_rng* r)
{
    return (float)(firn_rng_bits(r) >> 8) * (1.0f / 16777216.0f);
}
