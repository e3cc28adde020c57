// SPDX-License-Identifier: MIT
// Smooth noise in space: gradient noise on the integer lattice (Perlin 2002) and sums of octaves.
#pragma once
#include "math/random.h"
#include "math/vec3.h"

FIRN_FN double firn_noise_corner(uint64_t seed, int64_t i, int64_t j, int64_t k, double x, double y,
                                 double z)
{
    const uint64_t at = ((uint64_t)i * 0x8da6b343ull) ^ ((uint64_t)j * 0xd8163841ull << 16) ^
                        ((uint64_t)k * 0xcb1ab31full << 32);
    const uint64_t bits = firn_random_bits(seed, at);
    // gradient: one of the 12 edge directions of the cube (16 with 4 repeated, as in the paper)
    const int g = (int)(bits & 15);
    const double u = g < 8 ? x : y, v = g < 4 ? y : (g == 12 || g == 14 ? x : z);
    return ((g & 1) ? -u : u) + ((g & 2) ? -v : v);
}

FIRN_FN double firn_noise_fade(double t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

// In about [-1, 1], mean 0; lattice spacing 1.
FIRN_FN double firn_noise(uint64_t seed, double x, double y, double z)
{
    const double fx = floor(x), fy = floor(y), fz = floor(z);
    const int64_t i = (int64_t)fx, j = (int64_t)fy, k = (int64_t)fz;
    x -= fx;
    y -= fy;
    z -= fz;
    const double u = firn_noise_fade(x), v = firn_noise_fade(y), w = firn_noise_fade(z);
    double sum = 0;
    for (int c = 0; c < 8; c++) {
        const int a = c & 1, b = (c >> 1) & 1, d = c >> 2;
        const double weight = (a ? u : 1 - u) * (b ? v : 1 - v) * (d ? w : 1 - w);
        sum += weight * firn_noise_corner(seed, i + a, j + b, k + d, x - a, y - b, z - d);
    }
    return sum;
}

// `octaves` layers, each half as large and half as strong; scaled to about [-1, 1].
FIRN_FN double firn_noise_octaves(uint64_t seed, double x, double y, double z, int octaves)
{
    double sum = 0, weight = 1, total = 0;
    for (int o = 0; o < octaves; o++) {
        sum += weight * firn_noise(seed + (uint64_t)o, x, y, z);
        total += weight;
        weight *= 0.5;
        x *= 2;
        y *= 2;
        z *= 2;
    }
    return total > 0 ? sum / total : 0;
}
