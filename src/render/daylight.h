// SPDX-License-Identifier: MIT
// Sun and sky: a clear winter day with a warm sun and a blue sky that pales towards the horizon, or
// the model of Preetham et al. 1999 (sun_sky.h). Radiance is relative to a white diffuse surface in
// full light.
#pragma once
#include "math/rgb.h"
#include "math/vec3.h"
#include "render/sun_sky.h"

typedef struct firn_daylight {
    firn_vec3 sun;                   // unit, towards the sun
    firn_rgb direct;                 // sunlight on a white surface that faces the sun
    firn_rgb zenith, horizon, haze;  // sky above, at eye level, below the horizon without ground
    firn_rgb dome;                   // mean sky radiance over the upper hemisphere
    firn_sun_sky model;
} firn_daylight;

// A strength of 1 is the default. A sun below the horizon gives no light.
FIRN_FN firn_daylight firn_daylight_make(firn_vec3 sun, float sun_strength, float sky_strength)
{
    firn_daylight d;
    d.model.on = false;
    d.sun = firn_v3_normalize(sun, firn_v3(0, 1, 0));
    const float height = (float)d.sun.y;
    // a low sun is redder and dimmer, because its light passes through more air
    const float low = firn_smooth_between(0.6f, 0.0f, height);
    const firn_rgb high_sun = firn_rgb_of(1.0f, 0.955f, 0.88f);
    const firn_rgb low_sun = firn_rgb_of(1.0f, 0.82f, 0.60f);
    const float up = firn_smooth_between(-0.03f, 0.06f, height);
    d.direct = firn_rgb_scale(firn_rgb_mix(high_sun, low_sun, low), 1.35f * sun_strength * up);
    d.zenith = firn_rgb_scale(firn_rgb_of(0.21f, 0.29f, 0.45f), sky_strength);
    d.horizon = firn_rgb_scale(firn_rgb_of(0.60f, 0.67f, 0.76f), sky_strength);
    d.haze = firn_rgb_scale(firn_rgb_of(0.43f, 0.48f, 0.54f), sky_strength);
    d.dome = firn_rgb_madd(firn_rgb_mix(d.zenith, d.horizon, 0.06f), 0.02f, d.direct);
    return d;
}

// Radiance of the sky in direction `d` (unit), without the sun's disc.
FIRN_FN firn_rgb firn_daylight_sky(const firn_daylight* day, firn_vec3 d)
{
    const float y = (float)d.y;
    if (y < 0) {
        const float s = firn_clamp01(-4 * y);
        if (day->model.on) {
            const firn_vec3 level = firn_v3_normalize(firn_v3(d.x, 0, d.z), firn_v3(1, 0, 0));
            return firn_rgb_mix(firn_sun_sky_radiance(&day->model, day->sun, level), day->haze, s);
        }
        return firn_rgb_mix(day->horizon, day->haze, s);
    }
    if (day->model.on)
        return firn_sun_sky_radiance(&day->model, day->sun, firn_v3_normalize(d, day->sun));
    float pale = 1 - (y < 1 ? y : 1);
    pale *= pale;
    firn_rgb c = firn_rgb_mix(day->zenith, day->horizon, pale * pale);
    float glow = firn_clamp01((float)firn_v3_dot(d, day->sun));
    glow *= glow;
    glow *= glow;
    glow *= glow;
    return firn_rgb_madd(c, 0.16f * glow, day->direct);
}
