// SPDX-License-Identifier: MIT
// Mean radiance of sky and ground over a wide cone, a fifth of the hemisphere, for cone-traced
// ambient light (ambient.h). Tabulated, because there is no simple formula for a cone that crosses
// the horizon, nor for the glow around the sun.
#pragma once
#include "render/daylight.h"

#define FIRN_SKY_CONES 32  // steps of the tables

typedef struct firn_sky_cones {
    firn_vec3 sun;  // unit
    firn_rgb
        above[FIRN_SKY_CONES + 1];  // mean sky radiance over the part above the horizon, by the
    // height of the axis, -1..1
    float below[FIRN_SKY_CONES + 1];  // fraction of the cone below the horizon
    float glow[FIRN_SKY_CONES + 1];   // glow around the sun, by the cosine of the angle to it
    firn_rgb direct;                  // of the sun: scale of the glow
    firn_rgb ground;                  // radiance of the unshadowed ground
} firn_sky_cones;

firn_sky_cones firn_sky_cones_make(const firn_daylight* day, firn_rgb ground);

// Sky radiance over the cone around unit direction d, and the fraction of the cone that is ground.
FIRN_FN firn_rgb firn_sky_cone(const firn_sky_cones* s, firn_vec3 d, float* out_below)
{
    const float y = firn_clamp01(0.5f + 0.5f * (float)d.y) * FIRN_SKY_CONES;
    const float a = firn_clamp01(0.5f + 0.5f * (float)firn_v3_dot(d, s->sun)) * FIRN_SKY_CONES;
    const int i = y < FIRN_SKY_CONES - 1 ? (int)y : FIRN_SKY_CONES - 1;
    const int k = a < FIRN_SKY_CONES - 1 ? (int)a : FIRN_SKY_CONES - 1;
    const float u = y - (float)i, w = a - (float)k;
    *out_below = s->below[i] + (s->below[i + 1] - s->below[i]) * u;
    const firn_rgb sky = firn_rgb_mix(s->above[i], s->above[i + 1], u);
    const float glow = s->glow[k] + (s->glow[k + 1] - s->glow[k]) * w;
    return firn_rgb_madd(firn_rgb_scale(sky, 1 - *out_below), glow * (1 - *out_below), s->direct);
}
