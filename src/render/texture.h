// SPDX-License-Identifier: MIT
// Cheap repeatable randomness for pictures: hashes of integers, value noise in space.
// Coarser and ten times cheaper than math/noise.h; nothing physical depends on it.
#pragma once
#include "math/vec3.h"

// 32 mixed bits: xor-shift and multiply, constants of Wellons' "lowbias32" (2018).
FIRN_FN uint32_t firn_hash32(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}

// In [0, 1).
FIRN_FN float firn_hash_unit(uint32_t x)
{
    return (float)(firn_hash32(x) >> 8) * (1.0f / 16777216.0f);
}

// In [-1, 1).
FIRN_FN float firn_hash_signed(uint32_t x)
{
    return 2.0f * firn_hash_unit(x) - 1.0f;
}

// Brings any finite coordinate into [0, 4096), so that it fits an integer: the noise repeats there.
FIRN_FN float firn_texture_wrap(firn_real x)
{
    const firn_real y = x - 4096.0f * firn_floor(x * (1.0f / 4096.0f));
    return y >= 0 && y < 4096.0f ? (float)y : 0.0f;
}

// Value noise on the integer lattice, in [-1, 1], mean 0.
FIRN_FN float firn_value_noise(uint32_t seed, firn_vec3 at)
{
    const float x = firn_texture_wrap(at.x), y = firn_texture_wrap(at.y);
    const float z = firn_texture_wrap(at.z);
    const uint32_t i = (uint32_t)x, j = (uint32_t)y, k = (uint32_t)z;
    float f[3] = {x - (float)i, y - (float)j, z - (float)k};
    for (int a = 0; a < 3; a++) f[a] = f[a] * f[a] * (3 - 2 * f[a]);
    float slice[2];
    for (uint32_t c = 0; c < 2; c++) {
        const uint32_t key = seed ^ (((k + c) & 4095u) * 0x9e3779b9u);
        float row[2];
        for (uint32_t b = 0; b < 2; b++) {
            const uint32_t at_row = key + (((j + b) & 4095u) << 12);
            const float low = firn_hash_signed(at_row + (i & 4095u));
            const float high = firn_hash_signed(at_row + ((i + 1) & 4095u));
            row[b] = low + (high - low) * f[0];
        }
        slice[c] = row[0] + (row[1] - row[0]) * f[1];
    }
    return slice[0] + (slice[1] - slice[0]) * f[2];
}
