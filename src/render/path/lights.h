// SPDX-License-Identifier: MIT
// Where light comes from: the sun's disc, the sky (a gradient, or a picture of all directions), and
// area lights. Radiances share the scale of daylight.h.
#pragma once
#include "render/daylight.h"
#include "render/image/colour.h"
#include "render/path/environment.h"
#include "render/path/fast_math.h"
#include "render/path/rng.h"
#include "scene/data/scene.h"

typedef struct firn_area_light {
    firn_vec3 center, u, v;  // [m] a parallelogram center +- u +- v; it shines along u x v
    firn_vec3 normal;        // unit
    float area;              // [m^2]
    firn_rgb radiance;
    bool two_sided;
} firn_area_light;

typedef struct firn_lights {
    firn_daylight day;  // its sky is used where there is no picture
    bool has_sun;
    float sun_cos;                 // cosine of the disc's angular radius
    float sun_rise;                // 1 - sun_cos, which is too small to be had from it
    firn_rgb sun_radiance;         // so that the disc gives day.direct on a surface that faces it
    firn_f3 sun_to, sun_s, sun_t;  // towards its middle, and two directions across; unit
    firn_rgb disc;             // what is seen in the disc: the sun, and the sky behind its middle
    float disc_pdf;            // [1/sr] when the sun is chosen
    bool only_sun;             // there is nothing else to choose
    firn_environment picture;  // width 0: none
    float picture_strength;
    firn_area_light area[FIRN_AREA_LIGHTS_MAX];
    int32_t area_count;
    float chance[FIRN_AREA_LIGHTS_MAX + 2];  // of choosing: sun, picture, area lights; sums to 1,
                                             // or to 0 when there is nothing to choose
} firn_lights;

// A light chosen and a point on it. Light from far away is one integrand: `radiance` is all that
// comes from the direction (sun's disc, picture or gradient), `pdf` counts every way to choose it.
typedef struct firn_light_sample {
    firn_vec3 to;       // unit, towards the light
    float distance;     // [m]; FLT_MAX for sun and sky; a hair short of an area light, which thus
                        // does not hide itself
    firn_rgb radiance;  // 0: nothing comes
    float pdf;          // [1/sr], the choice included; 0: nothing comes
} firn_light_sample;

// A direction in the disc, evenly, for u, v in [0, 1). Plain sums, so that a vector of lanes gives
// the same bits (path_simd.c); unit, because (1 - rise)^2 + rise (2 - rise) = 1.
FIRN_FN firn_f3 firn_lights_in_disc(const firn_lights* l, float u, float v)
{
    // up to a hair below the rim, so that rounding does not push it out of the disc
    const float rise = u * 0.99999f * l->sun_rise, out = sqrtf(rise * (2 - rise)), in = 1 - rise;
    float sine, cosine;
    firn_turn_sincos(v, &sine, &cosine);
    const float a = out * cosine, b = out * sine;
    return FIRN_LIT(firn_f3){in * l->sun_to.x + a * l->sun_s.x + b * l->sun_t.x,
                             in * l->sun_to.y + a * l->sun_s.y + b * l->sun_t.y,
                             in * l->sun_to.z + a * l->sun_s.z + b * l->sun_t.z};
}

// Reads the picture of the sky, if the scene has one.
firn_result firn_lights_create(firn_lights* lights, const firn_scene_data* scene,
                               firn_error* error);
void firn_lights_destroy(firn_lights* lights);

// Only what must be sampled is (sun, picture, area lights): the gradient sky is wide, paths find it
// by themselves. False: there is nothing to sample.
bool firn_lights_sample(const firn_lights* lights, firn_vec3 x, firn_rng* r,
                        firn_light_sample* out);
// Radiance from direction d (unit) beyond everything, sun's disc included, and what
// firn_lights_sample would have given as pdf for it (0: it never gives that direction).
firn_rgb firn_lights_escape(const firn_lights* lights, firn_vec3 d, float* out_pdf);
// The same of an area light that a ray along d (unit) met at distance t [m].
firn_rgb firn_lights_hit(const firn_lights* lights, int32_t light, firn_vec3 d, float t,
                         float* out_pdf);
