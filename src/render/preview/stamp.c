// SPDX-License-Identifier: MIT
// The bump texture: three octaves of periodic value noise.
#include "render/preview/stamp.h"

#include "render/texture.h"

// Value noise with `cells` periods across the texture, at texel (x, y).
static float periodic_noise(uint32_t seed, int cells, int x, int y)
{
    const float s = (float)cells / FIRN_STAMP_SIDE;
    const float a = (float)x * s, b = (float)y * s;
    const uint32_t i = (uint32_t)a, j = (uint32_t)b, n = (uint32_t)cells;
    float f = a - (float)i, g = b - (float)j;
    f = f * f * (3 - 2 * f);
    g = g * g * (3 - 2 * g);
    float row[2];
    for (uint32_t k = 0; k < 2; k++) {
        const uint32_t at = seed + ((j + k) % n) * 1024u;
        const float low = firn_hash_signed(at + i % n), high = firn_hash_signed(at + (i + 1) % n);
        row[k] = low + (high - low) * f;
    }
    return row[0] + (row[1] - row[0]) * g;
}

static float height_at(int x, int y)
{
    x = (x + FIRN_STAMP_SIDE) % FIRN_STAMP_SIDE;
    y = (y + FIRN_STAMP_SIDE) % FIRN_STAMP_SIDE;
    return 0.55f * periodic_noise(11, 8, x, y) + 0.35f * periodic_noise(5000, 16, x, y) +
           0.25f * periodic_noise(90000, 32, x, y);
}

void firn_stamp_init(firn_stamp* stamp)
{
    for (int y = 0; y < FIRN_STAMP_SIDE; y++)
        for (int x = 0; x < FIRN_STAMP_SIDE; x++)
            stamp->texel[y * FIRN_STAMP_SIDE + x] = (firn_stamp_texel){
                height_at(x, y), 1.6f * (height_at(x - 1, y) - height_at(x + 1, y)),
                1.6f * (height_at(x, y - 1) - height_at(x, y + 1))};
}
