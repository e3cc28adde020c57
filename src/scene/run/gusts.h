// SPDX-License-Identifier: MIT
// Gusts of the wind, for C and CUDA. In double, so that float and double builds see the same
// eddies.
#pragma once
#include "math/vec3.h"
#include "physics/eddies.h"
#include "scene/data/gusts.h"

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
    firn_eddies((uint64_t)g->seed, g->period, position, time, eddy);
    return firn_v3_add(wind,
                       firn_v3((firn_real)(strength * eddy[0]), (firn_real)(strength * eddy[1]),
                               (firn_real)(strength * eddy[2])));
}
