// SPDX-License-Identifier: MIT
// Light sampling: the sun uniformly in its cone, the environment map by luminance, area lights by
// area. A light is chosen in proportion to its irradiance at the point the camera looks at.
#include "render/path/lights.h"

#include "math/elementary.h"
#include "render/daylight_scene.h"
#include "render/image/light_picture.h"
#include "render/path/lights_sample.h"
#include "scene/data/scene.h"

#define PI 3.14159265f
#define DEGREE 0.017453292519943295  // [rad]
#define FLAT 8.0f        // ratio of brightest texel to mean below which NEE is not worth it
#define EVEN_SHARE 0.1f  // probability of a uniform choice, since the estimate may be wrong

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
    const int count = FIRN_LIGHT_AREA + lights->area_count;
    float sum = 0;
    int bright = 0;
    lights->probability[FIRN_LIGHT_SUN] =
        lights->has_sun ? firn_rgb_luminance(lights->day.direct) : 0;
    if (lights->environment.width > 0 && !is_flat(&lights->environment))
        lights->probability[FIRN_LIGHT_ENVIRONMENT] =
            lights->environment.mean * lights->environment_strength;
    for (int32_t k = 0; k < lights->area_count; k++)
        lights->probability[FIRN_LIGHT_AREA + k] = estimate_area_light(&lights->area[k], look_at);
    for (int k = 0; k < count; k++) {
        sum += lights->probability[k];
        bright += lights->probability[k] > 0;
    }
    for (int k = 0; k < count; k++)
        if (lights->probability[k] > 0)
            lights->probability[k] =
                (1 - EVEN_SHARE) * lights->probability[k] / sum + EVEN_SHARE / (float)bright;
    lights->only_sun = lights->has_sun && !(lights->probability[FIRN_LIGHT_ENVIRONMENT] > 0) &&
                       lights->area_count == 0;
    if (lights->only_sun) lights->probability[FIRN_LIGHT_SUN] = 1;
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
    *lights = (firn_lights){.day = firn_daylight_of_scene(render),
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
