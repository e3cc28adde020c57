// SPDX-License-Identifier: MIT
// Shading. Snow scatters light hundreds of times before it lets it go: what faces away from the sun
// is not black, shadows fill with the sky's blue, and thin edges glow. Three layers of ever longer
// light paths stand in for the full sum, as is done for clouds (Wrenninge et al. 2013, "Oz: the
// great and volumetric"): each reaches four times deeper, is weaker, and bluer, because ice takes
// red first.
#include "render/preview/shade.h"

#include "render/preview/snow_rays.h"
#include "render/preview/texture.h"

#define CONES 5          // directions in which a point looks for the sky
#define SKY_LIGHT 0.85f  // of the sky's radiance counts as light: shadows that are dark enough
#define SNOW_LIFT 0.55f  // share of the sky's hidden light that comes back from white surroundings
#define BODY_LIFT 0.15f  // and from darker ones

// Radiance that comes to a point from around its normal: sky above, ground below, less what snow
// and bodies close off. `size` [m]: how near bodies count; `lift`: share of the hidden light that
// comes back from the white surroundings.
static firn_rgb light_from_around(const firn_view* view, firn_vec3 x, firn_vec3 n, int32_t own,
                                  float lift)
{
    const firn_snow_volume* v = &view->volume;
    const firn_vec3 side = firn_abs(n.y) < 0.9f ? firn_v3(0, 1, 0) : firn_v3(1, 0, 0);
    const firn_vec3 a = firn_v3_normalize(firn_v3_cross(side, n), firn_v3(1, 0, 0));
    const firn_vec3 b = firn_v3_cross(n, a);
    const firn_grid_point g = firn_snow_to_grid(v, x);
    const bool snow = firn_snow_near(v, g);
    const firn_real size = 24 * v->voxel;
    // one cone along the normal, four leaning 57 degrees: each a fifth of the cosine-weighted sky
    static const float lean[CONES][3] = {
        {0, 0, 1}, {0.84f, 0, 0.54f}, {0, 0.84f, 0.54f}, {-0.84f, 0, 0.54f}, {0, -0.84f, 0.54f}};
    firn_rgb sum = {0, 0, 0};
    for (int k = 0; k < CONES; k++) {
        firn_vec3 d = firn_v3_scale(n, lean[k][2]);
        d = firn_v3_madd(firn_v3_madd(d, lean[k][0], a), lean[k][1], b);
        float open = snow ? firn_snow_open(v, g, d) : 1;
        if (view->bodies.count > (own >= 0))
            open *= firn_bodies_open(&view->bodies, x, d, size, own);
        open = open / (1 - lift * (1 - open));
        // half-way up: a cone is wide, and sees more of the sky than its axis
        const float up = firn_clamp01(0.5f + 1.6f * (float)d.y);
        const firn_rgb above = firn_daylight_lamp(&view->day, d);
        sum =
            firn_rgb_madd(sum, SKY_LIGHT * open / CONES, firn_rgb_mix(view->day.ground, above, up));
    }
    return sum;
}

// The same, or what the memo holds if it was found near enough.
static firn_rgb light_of_sky(const firn_view* view, firn_vec3 x, firn_vec3 n, int32_t body,
                             firn_sky_memo* memo)
{
    const firn_real near = 0.5f * view->volume.voxel;
    if (memo != NULL && memo->valid && memo->body == body) {
        const firn_vec3 off = firn_v3_sub(x, memo->x);
        if (firn_v3_dot(off, off) < near * near && firn_v3_dot(n, memo->normal) > 0.95f)
            return memo->sky;
    }
    const firn_rgb sky = light_from_around(view, x, n, body, body < 0 ? SNOW_LIFT : BODY_LIFT);
    if (memo != NULL) *memo = (firn_sky_memo){true, body, x, n, sky};
    return sky;
}

// Sunlight that comes through snow and past bodies to a point just outside the surface.
static firn_rgb light_of_sun(const firn_view* view, firn_vec3 x)
{
    const firn_daylight* day = &view->day;
    const float bodies = firn_bodies_sun(&view->bodies, x, day->sun, -1);
    if (bodies <= 0) return firn_rgb_of(0, 0, 0);
    const float depth = firn_snow_sun_depth(&view->volume, &view->sun_map, x, 1.3f);
    firn_rgb through = firn_rgb_scale(firn_rgb_of(0.60f, 0.60f, 0.60f), firn_fade(depth));
    through = firn_rgb_madd(through, firn_fade(0.25f * depth), firn_rgb_of(0.27f, 0.28f, 0.29f));
    through = firn_rgb_madd(through, firn_fade(0.06f * depth), firn_rgb_of(0.09f, 0.11f, 0.13f));
    return firn_rgb_scale(firn_rgb_mul(day->direct, through), bodies);
}

firn_light firn_light_on_snow(const firn_view* view, firn_vec3 x, firn_vec3 normal,
                              firn_sky_memo* memo)
{
    const firn_vec3 from = firn_v3_madd(x, 1.2f * view->volume.voxel, normal);
    return (firn_light){light_of_sun(view, from), light_of_sky(view, from, normal, -1, memo)};
}

firn_light firn_light_on_crumb(const firn_view* view, firn_vec3 x)
{
    const firn_vec3 up = firn_v3(0, 1, 0);
    const firn_vec3 from = firn_v3_madd(x, view->volume.voxel, up);
    const float open = firn_snow_open(&view->volume, firn_snow_to_grid(&view->volume, from), up);
    return (firn_light){light_of_sun(view, from),
                        firn_rgb_scale(view->day.dome, SKY_LIGHT * (0.3f + 0.7f * open))};
}

// Share of the sun that a surface at this angle takes: reaches round the edge, as scattered light
// does.
static float wrapped(float cosine, float wrap)
{
    const float w = (cosine + wrap) / (1 + wrap);
    return w > 0 ? w : 0;
}

firn_rgb firn_shade_snow(const firn_view* view, firn_vec3 x, firn_vec3 eye_ward, firn_grain grain,
                         firn_sky_memo* memo)
{
    const firn_vec3 smooth = firn_snow_normal(&view->volume, x, eye_ward);
    const firn_light light = firn_light_on_snow(view, x, smooth, memo);
    firn_vec3 n = firn_v3_madd(smooth, grain.tilt_x, view->camera.right);
    n = firn_v3_normalize(firn_v3_madd(n, grain.tilt_y, view->camera.up), smooth);
    const float facing = wrapped((float)firn_v3_dot(n, view->day.sun), 0.38f);
    const firn_rgb blue = firn_rgb_of(0.90f, 0.98f, 1.10f);
    const float upward = 1 + 0.25f * (float)(firn_v3_dot(n, firn_v3(0, 1, 0)) - smooth.y);
    firn_rgb c = firn_rgb_scale(firn_rgb_mul(light.sky, blue), upward);
    c = firn_rgb_madd(c, facing, light.sun);
    const firn_rgb albedo = firn_rgb_of(0.935f, 0.950f, 0.965f);
    c = firn_rgb_scale(firn_rgb_mul(c, albedo), 1 + 0.09f * grain.tone);
    return firn_rgb_madd(c, 1.6f * grain.glint * facing, light.sun);
}

firn_rgb firn_shade_crumb(const firn_view* view, const firn_light* light, firn_vec3 normal,
                          float tone)
{
    const float facing = wrapped((float)firn_v3_dot(normal, view->day.sun), 0.5f);
    const firn_rgb c = firn_rgb_madd(firn_rgb_scale(light->sky, 0.85f + 0.25f * (float)normal.y),
                                     facing, light->sun);
    return firn_rgb_scale(firn_rgb_mul(c, firn_rgb_of(0.935f, 0.950f, 0.965f)), 1 + 0.1f * tone);
}

// A surface that is not quite even: several sizes of noise, each left out where a pixel is wider.
// `wide` [m]: what a pixel covers. The pattern is fixed to the body and grows with it.
static float unevenness(const firn_body* b, firn_vec3 x, firn_real scale, firn_real wide)
{
    firn_vec3 own = firn_pose_to_body(&b->collider.pose, x);
    // a plane needs two coordinates only: those along which it extends most
    const firn_vec3 n =
        firn_v3_abs(firn_m3_transposed_mul_v3(b->collider.pose.rotation, b->normal));
    if (b->is_plane && n.y >= n.x && n.y >= n.z) own.y = own.z;
    if (b->is_plane && n.x > n.y && n.x > n.z) own.x = own.z;
    float sum = 0, weight = 0.16f;
    firn_real length = 0.4f * scale;
    for (uint32_t k = 0; k < 5; k++) {
        const float seen =
            firn_clamp01(1.5f - 2.0f * (float)(wide / (length * b->collider.pose.scale)));
        if (seen <= 0) break;
        const firn_vec3 at = firn_v3_scale(own, 1 / length);
        const uint32_t seed = k * 0x51ed270bu + 17u;
        sum += weight * seen *
               (b->is_plane ? firn_value_noise2(seed, at.x, at.y) : firn_value_noise3(seed, at));
        weight *= 1.35f;
        length *= 0.25f;
        // turned each time, so that the lattices do not line up
        own = firn_v3(0.8f * own.x - 0.6f * own.y, 0.6f * own.x + 0.8f * own.y, own.z);
    }
    return sum;
}

firn_rgb firn_shade_body(const firn_view* view, int32_t body, firn_vec3 x, firn_ray ray,
                         firn_real t, firn_sky_memo* memo)
{
    const firn_body* b = &view->bodies.items[body];
    const firn_daylight* day = &view->day;
    const firn_vec3 n = firn_body_normal(&view->bodies, body, x);
    const float against = firn_clamp01(-(float)firn_v3_dot(n, ray.direction));
    const firn_real wide = view->camera.pixel * t / sqrtf(against > 0.02f ? against : 0.02f);
    const float uneven = unevenness(b, x, view->camera.distance, wide);
    const firn_rgb albedo = firn_rgb_scale(b->albedo, 1 + 0.34f * uneven);

    const firn_vec3 from = firn_v3_madd(x, 0.7f * view->volume.voxel, n);
    const firn_rgb around = light_of_sky(view, from, n, body, memo);
    firn_rgb c = firn_rgb_mul(albedo, around);
    const float facing = (float)firn_v3_dot(n, day->sun);
    if (facing > 0) {
        float sun = firn_bodies_sun(&view->bodies, x, day->sun, body);
        if (sun > 0) sun *= firn_fade(firn_snow_sun_depth(&view->volume, &view->sun_map, x, 0.5f));
        c = firn_rgb_madd(c, sun * facing, firn_rgb_mul(albedo, day->direct));
    }
    // a little of the sky is mirrored at flat angles
    float grazing = 1 - against;
    grazing *= grazing * grazing * grazing;
    const float sheen = (0.02f + 0.13f * grazing) * (1 + 0.5f * uneven);
    c = firn_rgb_madd(c, sheen, around);

    // and far away everything fades into the horizon
    const float far = (float)(t / (30 * view->camera.distance));
    const firn_rgb away = firn_daylight_sky(day, firn_v3(ray.direction.x, 0, ray.direction.z));
    return firn_rgb_mix(away, c, firn_fade(far * far + 0.15f * far));
}
