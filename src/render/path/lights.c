// SPDX-License-Identifier: MIT
// Light sampling: the sun uniformly in its cone, the environment map by luminance, area lights by
// area. A light is chosen in proportion to its irradiance at the point the camera looks at.
#include "render/path/lights.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "render/image/light_picture.h"
#include "render/path/fast_math.h"
#include "scene/data/scene.h"

#define PI 3.14159265f
#define DEGREE 0.017453292519943295  // [rad]
#define SHORT 0.9998f                // shadow ray length to an area light: avoids self-occlusion
#define FLAT 8.0f        // ratio of brightest texel to mean below which NEE is not worth it
#define EVEN_SHARE 0.1f  // probability of a uniform choice, since the estimate may be wrong
enum { SUN, ENVIRONMENT, AREA };  // in firn_lights.probability

static firn_vec3 to_vec3(const double* v)
{
    return firn_v3((firn_real)v[0], (firn_real)v[1], (firn_real)v[2]);
}

// ---- creation -----------------------------------------------------------------------------------

// A disc of angular radius a and radiance L gives irradiance pi L sin^2 a; a white surface then has
// radiance L sin^2 a, which is `direct` of daylight.h.
static void set_sun(firn_lights* lights, const firn_render_block* render)
{
    const double radius = 0.5 * DEGREE * render->sun_size;
    double sine, cosine, half_sine, half_cosine;
    firn_sincos_double(radius, &sine, &cosine);
    firn_sincos_double(0.5 * radius, &half_sine, &half_cosine);
    lights->sun_one_minus_cos = (float)(2 * half_sine * half_sine);
    lights->sun_radiance = firn_rgb_scale(lights->day.direct, (float)(1 / (sine * sine)));
    lights->has_sun = firn_rgb_luminance(lights->day.direct) > 0;
    const firn_vec3 n = lights->day.sun;
    const firn_vec3 side = firn_abs(n.y) < (firn_real)0.7 ? firn_v3(0, 1, 0) : firn_v3(1, 0, 0);
    const firn_vec3 s = firn_v3_normalize(firn_v3_cross(n, side), side), t = firn_v3_cross(n, s);
    lights->sun_to = (firn_f3){(float)n.x, (float)n.y, (float)n.z};
    lights->sun_s = (firn_f3){(float)s.x, (float)s.y, (float)s.z};
    lights->sun_t = (firn_f3){(float)t.x, (float)t.y, (float)t.z};
    lights->disc_pdf = 1 / (2 * PI * lights->sun_one_minus_cos);
}

static void set_area_light(firn_area_light* a, const firn_lamp* lamp)
{
    const firn_vec3 n = firn_v3_cross(to_vec3(lamp->edge_u), to_vec3(lamp->edge_v));
    *a = (firn_area_light){.center = to_vec3(lamp->center),
                           .u = firn_v3_scale(to_vec3(lamp->edge_u), 0.5f),
                           .v = firn_v3_scale(to_vec3(lamp->edge_v), 0.5f),
                           .normal = firn_v3_normalize(n, firn_v3(0, -1, 0)),
                           .area = (float)firn_v3_length(n),
                           .radiance =
                               firn_rgb_of((float)lamp->radiance[0], (float)lamp->radiance[1],
                                           (float)lamp->radiance[2]),
                           .two_sided = lamp->two_sided};
}

static firn_result read_environment(firn_lights* lights, const firn_render_block* render,
                                    firn_error* error)
{
    firn_exr_picture file;
    FIRN_TRY(firn_light_picture_read(render->sky_picture, &file, error));
    firn_error why = {0};
    const firn_result result =
        firn_environment_create(&lights->environment, (const firn_rgb*)file.rgb, file.width,
                                file.height, (float)(DEGREE * render->sky_turn), &why);
    firn_exr_picture_destroy(&file);
    if (result == FIRN_OK) return FIRN_OK;
    return firn_fail(error, result, "%s: %s", render->sky_picture, why.text);
}

// The environment map has no bright spots: BSDF and phase sampling suffice, as for the gradient.
static bool is_flat(const firn_environment* e)
{
    const size_t count = (size_t)e->width * (size_t)e->height;
    float brightest = 0;
    for (size_t k = 0; k < count; k++)
        brightest = firn_f_max(brightest, firn_rgb_luminance(e->texels[k]));
    return brightest <= FLAT * e->mean;
}

// Estimated unoccluded radiance of a white surface at look_at, with the area light as a disc that
// faces it.
static float estimate_area_light(const firn_area_light* a, firn_vec3 look_at)
{
    const firn_vec3 way = firn_v3_sub(look_at, a->center);
    const float d2 = (float)firn_v3_dot(way, way);
    return firn_rgb_luminance(a->radiance) * a->area / (a->area + PI * d2);
}

static void set_probabilities(firn_lights* lights, firn_vec3 look_at)
{
    const int count = AREA + lights->area_count;
    float sum = 0;
    int bright = 0;
    lights->probability[SUN] = lights->has_sun ? firn_rgb_luminance(lights->day.direct) : 0;
    if (lights->environment.width > 0 && !is_flat(&lights->environment))
        lights->probability[ENVIRONMENT] = lights->environment.mean * lights->environment_strength;
    for (int32_t k = 0; k < lights->area_count; k++)
        lights->probability[AREA + k] = estimate_area_light(&lights->area[k], look_at);
    for (int k = 0; k < count; k++) {
        sum += lights->probability[k];
        bright += lights->probability[k] > 0;
    }
    for (int k = 0; k < count; k++)
        if (lights->probability[k] > 0)
            lights->probability[k] =
                (1 - EVEN_SHARE) * lights->probability[k] / sum + EVEN_SHARE / (float)bright;
    lights->only_sun =
        lights->has_sun && !(lights->probability[ENVIRONMENT] > 0) && lights->area_count == 0;
    if (lights->only_sun) lights->probability[SUN] = 1;
}

// The disc has one constant radiance, whichever technique samples it.
static void fill_disc(firn_lights* lights)
{
    const firn_vec3 to = lights->day.sun;
    const firn_rgb behind = lights->environment.width > 0
                                ? firn_rgb_scale(firn_environment_at(&lights->environment, to),
                                                 lights->environment_strength)
                                : firn_daylight_sky(&lights->day, to);
    lights->disc = firn_rgb_add(lights->sun_radiance, behind);
}

firn_result firn_lights_create(firn_lights* lights, const firn_scene_data* scene, firn_error* error)
{
    const firn_render_block* render = &scene->render;
    *lights =
        (firn_lights){.day = firn_daylight_make(to_vec3(render->sun), (float)render->sun_strength,
                                                (float)render->sky_strength),
                      .environment_strength = (float)render->sky_strength};
    set_sun(lights, render);
    for (int32_t k = 0; k < render->light_count; k++)
        set_area_light(&lights->area[lights->area_count++], &render->lights[k]);
    if (render->sky_picture != NULL) FIRN_TRY(read_environment(lights, render, error));
    fill_disc(lights);
    set_probabilities(lights, to_vec3(render->look_at));
    return FIRN_OK;
}

void firn_lights_destroy(firn_lights* lights)
{
    firn_environment_destroy(&lights->environment);
    *lights = (firn_lights){0};
}

// ---- light from far away ------------------------------------------------------------------------

// By chord length, because the cosine of half a degree is 1 to five digits.
bool firn_lights_in_sun(const firn_lights* lights, firn_vec3 d)
{
    const firn_vec3 off = firn_v3_sub(d, lights->day.sun);
    return lights->has_sun && (float)firn_v3_dot(off, off) <= 2 * lights->sun_one_minus_cos;
}

static float sun_pdf(const firn_lights* lights)
{
    return lights->probability[SUN] * lights->disc_pdf;
}

firn_rgb firn_lights_escape(const firn_lights* lights, firn_vec3 d, float* out_pdf)
{
    *out_pdf = 0;
    firn_rgb light;
    if (lights->environment.width > 0) {
        light = firn_rgb_scale(firn_environment_at(&lights->environment, d),
                               lights->environment_strength);
        if (lights->probability[ENVIRONMENT] > 0)
            *out_pdf +=
                lights->probability[ENVIRONMENT] * firn_environment_pdf(&lights->environment, d);
    } else {
        light = firn_daylight_sky(&lights->day, d);
    }
    if (!firn_lights_in_sun(lights, d)) return light;
    *out_pdf += sun_pdf(lights);
    return lights->disc;
}

static firn_vec3 sun_direction(const firn_lights* lights, firn_rng* r)
{
    const float u = firn_rng_unit(r), v = firn_rng_unit(r);
    const firn_f3 d = firn_lights_in_disc(lights, u, v);
    return firn_v3((firn_real)d.x, (firn_real)d.y, (firn_real)d.z);
}

static void sample_far(const firn_lights* lights, int which, firn_rng* r, firn_light_sample* out)
{
    if (which == SUN) {
        out->to = sun_direction(lights, r);
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
static firn_rgb area_light_radiance(const firn_lights* lights, int32_t k, firn_vec3 d, float t,
                                    float* out_pdf)
{
    const firn_area_light* a = &lights->area[k];
    float cosine = -(float)firn_v3_dot(a->normal, d);
    if (a->two_sided) cosine = fabsf(cosine);
    *out_pdf = 0;
    if (!(cosine > 1e-6f)) return firn_rgb_of(0, 0, 0);
    *out_pdf = lights->probability[AREA + k] * t * t / (a->area * cosine);
    return a->radiance;
}

firn_rgb firn_lights_hit(const firn_lights* lights, int32_t light, firn_vec3 d, float t,
                         float* out_pdf)
{
    return area_light_radiance(lights, light, d, t, out_pdf);
}

static void sample_area_light(const firn_lights* lights, int32_t k, firn_vec3 x, firn_rng* r,
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
    out->distance = SHORT * distance;
    out->radiance = area_light_radiance(lights, k, out->to, distance, &out->pdf);
}

// -------------------------------------------------------------------------------------------------

bool firn_lights_sample(const firn_lights* lights, firn_vec3 x, firn_rng* r, firn_light_sample* out)
{
    const int count = AREA + lights->area_count;
    if (lights->only_sun) {  // the common case
        *out = (firn_light_sample){.to = sun_direction(lights, r),
                                   .distance = FLT_MAX,
                                   .radiance = lights->disc,
                                   .pdf = lights->disc_pdf};
        return true;
    }
    *out = (firn_light_sample){.to = lights->day.sun};
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
    if (which < AREA)
        sample_far(lights, which, r, out);
    else
        sample_area_light(lights, which - AREA, x, r, out);
    return true;
}
