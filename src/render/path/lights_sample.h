// SPDX-License-Identifier: MIT
// Sampling of lights and what a ray finds of them (lights.h), for C and CUDA.
#pragma once
#include <float.h>
#include <math.h>

#include "render/path/lights.h"

#define FIRN_LIGHT_SHORT 0.9998f  // shadow ray length to an area light: avoids self-occlusion
enum { FIRN_LIGHT_SUN, FIRN_LIGHT_ENVIRONMENT, FIRN_LIGHT_AREA };  // in firn_lights.probability

// ---- light from far away ------------------------------------------------------------------------

// By chord length, because the cosine of half a degree is 1 to five digits.
FIRN_FN_ONCE bool firn_lights_in_sun(const firn_lights* lights, firn_vec3 d)
{
    const firn_vec3 off = firn_v3_sub(d, lights->day.sun);
    return lights->has_sun && (float)firn_v3_dot(off, off) <= 2 * lights->sun_one_minus_cos;
}

FIRN_FN float firn_lights_sun_pdf(const firn_lights* lights)
{
    return lights->probability[FIRN_LIGHT_SUN] * lights->disc_pdf;
}

FIRN_FN_ONCE firn_rgb firn_lights_escape(const firn_lights* lights, firn_vec3 d, float* out_pdf)
{
    *out_pdf = 0;
    firn_rgb light;
    if (lights->environment.width > 0) {
        light = firn_rgb_scale(firn_environment_at(&lights->environment, d),
                               lights->environment_strength);
        if (lights->probability[FIRN_LIGHT_ENVIRONMENT] > 0)
            *out_pdf += lights->probability[FIRN_LIGHT_ENVIRONMENT] *
                        firn_environment_pdf(&lights->environment, d);
    } else {
        light = firn_daylight_sky(&lights->day, d);
    }
    if (!firn_lights_in_sun(lights, d)) return light;
    *out_pdf += firn_lights_sun_pdf(lights);
    return lights->disc;
}

FIRN_FN_ONCE firn_rgb firn_lights_haze(const firn_lights* lights, firn_vec3 d)
{
    float pdf;
    return firn_lights_escape(lights, firn_v3_normalize(firn_v3(d.x, 0, d.z), d), &pdf);
}

FIRN_FN void firn_lights_sample_far(const firn_lights* lights, int which, firn_rng* r,
                                    firn_light_sample* out)
{
    if (which == FIRN_LIGHT_SUN) {
        out->to = firn_lights_sun_direction(lights, r);
    } else {
        float pdf;
        out->to = firn_environment_sample(&lights->environment, r, &pdf);
        if (!(pdf > 0)) return;
    }
    out->distance = FLT_MAX;
    out->radiance = firn_lights_escape(lights, out->to, &out->pdf);
}

// ---- area lights --------------------------------------------------------------------------------

// Radiance towards -d, and the pdf per solid angle of a point sampled by area at distance t.
FIRN_FN firn_rgb firn_lights_area_radiance(const firn_lights* lights, int32_t k, firn_vec3 d,
                                           float t, float* out_pdf)
{
    const firn_area_light* a = &lights->area[k];
    float cosine = -(float)firn_v3_dot(a->normal, d);
    if (a->two_sided) cosine = fabsf(cosine);
    *out_pdf = 0;
    if (!(cosine > 1e-6f)) return firn_rgb_of(0, 0, 0);
    *out_pdf = lights->probability[FIRN_LIGHT_AREA + k] * t * t / (a->area * cosine);
    return a->radiance;
}

FIRN_FN_ONCE firn_rgb firn_lights_hit(const firn_lights* lights, int32_t light, firn_vec3 d,
                                      float t, float* out_pdf)
{
    return firn_lights_area_radiance(lights, light, d, t, out_pdf);
}

FIRN_FN void firn_lights_sample_area(const firn_lights* lights, int32_t k, firn_vec3 x, firn_rng* r,
                                     firn_light_sample* out)
{
    const firn_area_light* a = &lights->area[k];
    const float u = firn_rng_unit(r), v = firn_rng_unit(r);
    firn_vec3 p = firn_v3_madd(a->center, (firn_real)(2 * u - 1), a->u);
    p = firn_v3_madd(p, (firn_real)(2 * v - 1), a->v);
    const firn_vec3 way = firn_v3_sub(p, x);
    const float distance = (float)firn_v3_length(way);
    if (!(distance > 0)) return;  // x lies on the light
    out->to = firn_v3_scale(way, (firn_real)(1 / distance));
    out->distance = FIRN_LIGHT_SHORT * distance;
    out->radiance = firn_lights_area_radiance(lights, k, out->to, distance, &out->pdf);
}

// ---- choice ------------------------------------------------------------------------------------

FIRN_FN_ONCE bool firn_lights_sample(const firn_lights* lights, firn_vec3 x, firn_rng* r,
                                     firn_light_sample* out)
{
    const int count = FIRN_LIGHT_AREA + lights->area_count;
    if (lights->only_sun) {
        *out = firn_lights_sample_sun(lights, r);
        return true;
    }
    *out = FIRN_LIT(firn_light_sample){lights->day.sun, 0, {0, 0, 0}, 0};
    const float u = firn_rng_unit(r);
    float below = 0;
    int which = -1;
    for (int k = 0; k < count; k++) {  // the last one also takes the remainder due to rounding
        if (!(lights->probability[k] > 0)) continue;
        which = k;
        below += lights->probability[k];
        if (u < below) break;
    }
    if (which < 0) return false;
    if (which < FIRN_LIGHT_AREA)
        firn_lights_sample_far(lights, which, r, out);
    else
        firn_lights_sample_area(lights, which - FIRN_LIGHT_AREA, x, r, out);
    return true;
}
