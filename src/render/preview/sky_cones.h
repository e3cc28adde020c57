// SPDX-License-Identifier: MIT
// Sky and ground seen through a wide cone: a fifth of a hemisphere, as the snow looks around with.
// Tables, because a cone half below the horizon and a glow around the sun have no short formula.
#pragma once
#include "render/daylight.h"

#define FIRN_SKY_CONES 32  // steps of the tables

typedef struct firn_sky_cones {
    firn_vec3 sun;                       // unit
    firn_rgb above[FIRN_SKY_CONES + 1];  // mean radiance of the sky in the part above the horizon,
                                         // by the height of the axis, -1..1
    float below[FIRN_SKY_CONES + 1];     // share of the cone below it
    float glow[FIRN_SKY_CONES + 1];      // of the sky around the sun, by the cosine of the angle
    firn_rgb direct;                     // of the sun: what the glow is a share of
    firn_rgb ground;                     // radiance of the open ground
} firn_sky_cones;

firn_sky_cones firn_sky_cones_make(const firn_daylight* day, firn_rgb ground);

// What comes through a cone around unit direction d from the sky, and the ground's share of it.
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
