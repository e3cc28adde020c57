// SPDX-License-Identifier: MIT
// Gusts of the wind, for C and CUDA. In double, so that float and double builds see the same
// eddies.
#pragma once
#include "math/elementary.h"
#include "math/noise.h"
#include "math/vec3.h"
#include "scene/data/air.h"

// Difference of the seeds of successive patterns.
#define FIRN_GUST_SEED_STEP 0x5851f42d4c957f2dull

// Cross-fades two patterns of eddies; cos^2 + sin^2 = 1 keeps the variance constant. [m/s] for a
// strength and wind of 1.
FIRN_FN void firn_gust_eddies(const firn_gust_block* g, const double x[3], double time,
                              double out[3])
{
    const double phase = time / g->period, whole = floor(phase);
    double sine, cosine;
    firn_sincos_double(1.5707963267948966 * firn_noise_fade(phase - whole), &sine, &cosine);
    const double share[2] = {cosine, sine};
    out[0] = out[1] = out[2] = 0;
    for (int k = 0; k < 2; k++) {
        if (share[k] == 0) continue;
        const uint64_t pattern = (uint64_t)((int64_t)whole + k);
        double curl[3];
        firn_noise_curl((uint64_t)g->seed + FIRN_GUST_SEED_STEP * pattern, x, curl);
        for (int d = 0; d < 3; d++) out[d] += share[k] * curl[d] / FIRN_NOISE_CURL_RMS;
    }
}

// `wind` [m/s] at x [m] with gusts. The pattern drifts with the mean wind (Taylor's hypothesis).
FIRN_FN firn_vec3 firn_gusts_add(const firn_gust_block* g, const double mean[3], firn_vec3 wind,
                                 firn_vec3 x, double time)
{
    const double strength = g->strength * (double)firn_v3_length(wind);
    if (!(strength > 0)) return wind;
    const double position[3] = {((double)x.x - mean[0] * time) / g->length,
                                ((double)x.y - mean[1] * time) / g->length,
                                ((double)x.z - mean[2] * time) / g->length};
    double eddy[3];
    firn_gust_eddies(g, position, time, eddy);
    return firn_v3_add(wind,
                       firn_v3((firn_real)(strength * eddy[0]), (firn_real)(strength * eddy[1]),
                               (firn_real)(strength * eddy[2])));
}
