// SPDX-License-Identifier: MIT
#include "render/path/visible/crypto_name.h"

#include <string.h>

static uint32_t rotate(uint32_t x, int bits)
{
    return x << bits | x >> (32 - bits);
}

static uint32_t scramble(uint32_t k)
{
    return rotate(k * 0xcc9e2d51u, 15) * 0x1b873593u;
}

// MurmurHash3_x86_32 (Appleby 2011, public domain algorithm).
uint32_t firn_murmur3_32(const char* text, uint32_t seed)
{
    const unsigned char* data = (const unsigned char*)text;
    const size_t length = strlen(text);
    uint32_t h = seed, k = 0;
    size_t i = 0;
    for (; i + 4 <= length; i += 4) {
        k = (uint32_t)data[i] | (uint32_t)data[i + 1] << 8 | (uint32_t)data[i + 2] << 16 |
            (uint32_t)data[i + 3] << 24;
        h = rotate(h ^ scramble(k), 13) * 5 + 0xe6546b64u;
    }
    k = 0;
    for (size_t n = length; n > i; n--) k = k << 8 | data[n - 1];
    h ^= scramble(k) ^ (uint32_t)length;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

uint32_t firn_crypto_id(const char* name)
{
    const uint32_t h = firn_murmur3_32(name, 0), exponent = h >> 23 & 255;
    return exponent == 0 || exponent == 255 ? h ^ 1u << 23 : h;
}

float firn_crypto_float(uint32_t id)
{
    float x;
    memcpy(&x, &id, sizeof x);
    return x;
}
