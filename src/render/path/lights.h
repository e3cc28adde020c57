// SPDX-License-Identifier: MIT
// Lights: the sun's disc, the sky (a gradient or an environment map), and area lights. Radiance has
// the scale of daylight.h.
#pragma once
#include <float.h>

#include "math/rgb.h"
#include "render/daylight.h"
#include "render/path/environment.h"
#include "render/path/fast_math.h"
#include "render/path/rng.h"
#include "scene/data/render_block.h"

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

typedef struct firn_area_light {
    firn_vec3 center, u, v;  // [m] parallelogram center +- u +- v; emits along u x v
    firn_vec3 normal;        // unit
    float area;              // [m^2]
    firn_rgb radiance;
    bool two_sided;
} firn_area_light;

typedef struct firn_lights {
    firn_daylight day;  // its sky is used if there is no environment map
    bool has_sun;
    float sun_one_minus_cos;  // 1 - cosine of the angular radius of the disc
    firn_rgb sun_radiance;    // such that a white surface facing the sun has radiance day.direct
    firn_f3 sun_to, sun_s, sun_t;  // orthonormal: towards its centre, and two directions across
    firn_rgb disc;                 // radiance within the disc: sun plus the sky behind its centre
    float disc_pdf;                // [1/sr] given that the sun was chosen
    bool only_sun;                 // the sun is the sole sampled light
    firn_environment environment;  // width 0: none
    float environment_strength;
    firn_area_light area[FIRN_AREA_LIGHTS_MAX];
    int32_t area_count;
    // probability of choosing sun, environment map, area lights; sums to 1, or to 0 without any
    float probability[FIRN_AREA_LIGHTS_MAX + 2];
} firn_lights;

// A sampled point on a light. Distant light is one integrand: `radiance` is the total from that
// direction (sun's disc, environment map or gradient), and `pdf` sums all ways of sampling it.
typedef struct firn_light_sample {
    firn_vec3 to;    // unit, towards the light
    float distance;  // [m]; FLT_MAX for sun and sky; slightly short of an area light, so that it
    // does not occlude itself
    firn_rgb radiance;  // 0: no contribution
    float pdf;          // [1/sr], including the choice of the light; 0: no contribution
} firn_light_sample;

// Uniform direction within the sun's disc for u, v in [0, 1). No fused operations, so that the SIMD
// version has the same bits (simd/path_simd.c); unit, because (1 - rise)^2 + rise (2 - rise) = 1.
FIRN_FN firn_f3 firn_lights_in_disc(const firn_lights* l, float u, float v)
{
    // slightly inside the rim, so that rounding does not push it out of the disc
    const float rise = u * 0.99999f * l->sun_one_minus_cos, out = sqrtf(rise * (2 - rise)),
                in = 1 - rise;
    float sine, cosine;
    firn_sincos_2pi(v, &sine, &cosine);
    const float a = out * cosine, b = out * sine;
    return FIRN_LIT(firn_f3){in * l->sun_to.x + a * l->sun_s.x + b * l->sun_t.x,
                             in * l->sun_to.y + a * l->sun_s.y + b * l->sun_t.y,
                             in * l->sun_to.z + a * l->sun_s.z + b * l->sun_t.z};
}

FIRN_FN firn_vec3 firn_lights_sun_direction(const firn_lights* lights, firn_rng* r)
{
    const float u = firn_rng_unit(r), v = firn_rng_unit(r);
    const firn_f3 d = firn_lights_in_disc(lights, u, v);
    return firn_v3((firn_real)d.x, (firn_real)d.y, (firn_real)d.z);
}

// firn_lights_sample where only_sun is set: the common case.
FIRN_FN firn_light_sample firn_lights_sample_sun(const firn_lights* lights, firn_rng* r)
{
    return FIRN_LIT(firn_light_sample){firn_lights_sun_direction(lights, r), FLT_MAX, lights->disc,
                                       lights->disc_pdf};
}

// Reads the environment map, if the scene has one.
firn_result firn_lights_create(firn_lights* lights, const firn_scene_data* scene,
                               firn_error* error);
void firn_lights_destroy(firn_lights* lights);

// The following are defined in lights_sample.h.
// Samples sun, environment map or area lights; the gradient sky is left to BSDF and phase sampling,
// which finds it easily. False: there is no light to sample.
FIRN_FN_ONCE bool firn_lights_sample(const firn_lights* lights, firn_vec3 x, firn_rng* r,
                                     firn_light_sample* out);
// Whether d (unit) points into the sun's disc.
FIRN_FN_ONCE bool firn_lights_in_sun(const firn_lights* lights, firn_vec3 d);
// Radiance of a ray that escapes along d (unit), including the sun's disc, and the pdf with which
// firn_lights_sample gives that direction (0: never).
FIRN_FN_ONCE firn_rgb firn_lights_escape(const firn_lights* lights, firn_vec3 d, float* out_pdf);
// The same for an area light that a ray along d (unit) hit at distance t [m].
FIRN_FN_ONCE firn_rgb firn_lights_hit(const firn_lights* lights, int32_t light, firn_vec3 d,
                                      float t, float* out_pdf);
// Radiance of the air before the horizon, where d (unit) points.
FIRN_FN_ONCE firn_rgb firn_lights_haze(const firn_lights* lights, firn_vec3 d);
