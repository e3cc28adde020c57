// SPDX-License-Identifier: MIT
// Eddies that change over time: divergence-free noise (Bridson et al. 2007, math/noise.h) whose
// pattern is another one after each period. In double, so that float and double builds see the same
// ones.
#pragma once
#include "math/elementary.h"
#include "math/noise.h"

// Difference of the seeds of successive patterns.
#define FIRN_EDDY_SEED_STEP 0x5851f42d4c957f2dull

// RMS 1 along each axis. x: position over the size of an eddy; `period` [s] above 0. Cross-fades
// two patterns; cos^2 + sin^2 = 1 keeps the variance constant.
FIRN_FN void firn_eddies(uint64_t seed, double period, const double x[3], double time,
                         double out[3])
{
    const double phase = time / period, whole = floor(phase);
    double sine, cosine;
    firn_sincos_double(1.5707963267948966 * firn_noise_fade(phase - whole), &sine, &cosine);
    const double share[2] = {cosine, sine};
    out[0] = out[1] = out[2] = 0;
    for (int k = 0; k < 2; k++) {
        if (share[k] == 0) continue;
        const uint64_t pattern = (uint64_t)((int64_t)whole + k);
        double curl[3];
        firn_noise_curl(seed + FIRN_EDDY_SEED_STEP * pattern, x, curl);
        for (int d = 0; d < 3; d++) out[d] += share[k] * curl[d] / FIRN_NOISE_CURL_RMS;
    }
}
