// SPDX-License-Identifier: MIT
// The camera ray of a pixel's sample, for C and CUDA.
#pragma once
#include <math.h>

#include "math/random.h"
#include "render/lens.h"

// Low-discrepancy point in the unit square: the R2 sequence (Roberts 2018), with a random offset
// per pixel.
FIRN_FN void firn_r2_point(uint64_t seed, int64_t pixel, int64_t sample, double out[2])
{
    const uint64_t bits = firn_random_bits(seed, (uint64_t)pixel);
    out[0] = (double)(bits >> 32) * 0x1p-32 + 0.7548776662466927 * (double)sample;
    out[1] = (double)(bits & 0xffffffffu) * 0x1p-32 + 0.5698402909980532 * (double)sample;
    for (int k = 0; k < 2; k++) out[k] -= floor(out[k]);
}

// Tent pixel filter of width 2: maps u in [0, 1) to an offset in (-1, 1).
FIRN_FN double firn_tent(double u)
{
    return u < 0.5 ? sqrt(2 * u) - 1 : 1 - sqrt(2 - 2 * u);
}

// The ray of sample number `sample` of pixel (x, y), which is number `pixel`.
FIRN_FN firn_ray firn_picture_ray(const firn_camera* camera, firn_lens lens, uint64_t seed,
                                  int32_t width, int64_t pixel, int64_t sample)
{
    const int32_t x = (int32_t)(pixel % width), y = (int32_t)(pixel / width);
    double at[2], on_lens[2];
    firn_r2_point(seed ^ 1, pixel, sample, at);
    firn_r2_point(seed ^ 2, pixel, sample, on_lens);
    const firn_real px = (firn_real)(x + 0.5 + firn_tent(at[0])),
                    py = (firn_real)(y + 0.5 + firn_tent(at[1]));
    return firn_lens_ray(camera, lens, px, py, (firn_real)on_lens[0], (firn_real)on_lens[1]);
}
