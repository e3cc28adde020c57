// SPDX-License-Identifier: MIT
// Procedural textures for pictures: integer hashes and value noise.
// Coarser and ten times cheaper than math/noise.h; the simulation does not use it.
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

// Wraps a coordinate to [0, 4096), the period of the noise, so that it fits an integer.
FIRN_FN float firn_texture_wrap(firn_real x)
{
    if (!(x > -1e9f && x < 1e9f)) return 0;
    const int32_t whole = (int32_t)x - (x < 0);
    const float y = (float)(whole & 4095) + (float)(x - (firn_real)whole);
    return y < 4096.0f ? y : 0.0f;
}

// 2-D value noise on the integer lattice, in [-1, 1], mean 0.
FIRN_FN float firn_value_noise2(uint32_t seed, firn_real at_x, firn_real at_y)
{
    const float x = firn_texture_wrap(at_x), y = firn_texture_wrap(at_y);
    const uint32_t i = (uint32_t)x, j = (uint32_t)y, next = (i + 1) & 4095u;
    float f = x - (float)i, g = y - (float)j;
    f = f * f * (3 - 2 * f);
    g = g * g * (3 - 2 * g);
    const uint32_t low = seed + (j << 12), high = seed + (((j + 1) & 4095u) << 12);
    const float a = firn_hash_signed(low + i), b = firn_hash_signed(low + next);
    const float c = firn_hash_signed(high + i), d = firn_hash_signed(high + next);
    const float e = a + (b - a) * f;
    return e + (c + (d - c) * f - e) * g;
}

// 3-D value noise.
FIRN_FN float firn_value_noise3(uint32_t seed, firn_vec3 at)
{
    const float z = firn_texture_wrap(at.z);
    const uint32_t k = (uint32_t)z;
    const float f = z - (float)k, s = f * f * (3 - 2 * f);
    const uint32_t stride = 0x9e3779b9u;
    const float low = firn_value_noise2(seed + k * stride, at.x, at.y);
    const float high = firn_value_noise2(seed + ((k + 1) & 4095u) * stride, at.x, at.y);
    return low + (high - low) * s;
}
