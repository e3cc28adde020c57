// SPDX-License-Identifier: MIT
// Shading. Snow reflects single scattering, by the medium's phase function, and multiple
// scattering. One part is computed from E, the incident light at the point, as for a semi-infinite
// layer of snow (Hapke 1981, with albedo and phase function reduced by similarity); the other from
// u, the diffused light below the surface (snow_light.h), which shows in thin parts, at edges and
// in shadows. snow_medium.h has the weights of both.
#include "render/preview/shade.h"

#include "geometry/collider/collider_look.h"
#include "render/ground.h"
#include "render/path/phase.h"
#include "render/pattern.h"
#include "render/preview/ambient.h"
#include "render/preview/snow/snow_rays.h"

#define FOUR_PI 12.566370614f  // phase function relative to isotropic scattering

// Ambient light, from the cache if that entry is close enough.
static firn_rgb light_of_sky(const firn_view* view, firn_vec3 x, firn_vec3 n, int32_t collider,
                             firn_sky_memo* memo)
{
    const firn_real near = 0.5f * view->volume.voxel;
    if (memo != NULL && memo->valid && memo->collider == collider) {
        const firn_vec3 off = firn_v3_sub(x, memo->x);
        if (firn_v3_dot(off, off) < near * near && firn_v3_dot(n, memo->normal) > 0.95f)
            return memo->sky;
    }
    const firn_rgb sky = firn_ambient_light(view, x, n, collider);
    if (memo != NULL) *memo = (firn_sky_memo){true, collider, x, n, sky};
    return sky;
}

// u one voxel below the surface point x. False: there is no snow.
static bool find_below(const firn_view* view, firn_vec3 x, firn_vec3 normal, firn_rgb* out_u)
{
    const firn_snow_volume* v = &view->volume;
    const firn_grid_point g = firn_snow_to_grid(v, firn_v3_madd(x, -v->voxel, normal));
    const int32_t block = firn_snow_block_at(v, g);
    return block >= 0 && firn_snow_light_in(v, view->light.below, block, g, out_u);
}

firn_light firn_light_on_snow(const firn_view* view, firn_vec3 x, firn_vec3 normal,
                              firn_sky_memo* memo)
{
    const firn_vec3 from = firn_v3_madd(x, 1.2f * view->volume.voxel, normal);
    firn_light light;
    light.sun = firn_rgb_scale(view->day.direct, firn_sun_visibility(view, from, 1.3f));
    light.sky = light_of_sky(view, from, normal, -1, memo);
    light.on_snow = find_below(view, x, normal, &light.below);
    return light;
}

firn_light firn_light_on_crumb(const firn_view* view, firn_vec3 x)
{
    const firn_vec3 up = firn_v3(0, 1, 0);
    const firn_vec3 from = firn_v3_madd(x, view->volume.voxel, up);
    firn_light light;
    light.sun = firn_rgb_scale(view->day.direct, firn_sun_visibility(view, from, 1.3f));
    light.sky = firn_ambient_light(view, from, up, -1);
    light.on_snow = false;
    return light;
}

// Wrapped cosine: scattered light reaches around the terminator.
static float wrapped(float cosine, float wrap)
{
    const float w = (cosine + wrap) / (1 + wrap);
    return w > 0 ? w : 0;
}

// Chandrasekhar's H function for isotropic scattering, within 4 % (Hapke 1981, eq. 8).
static float chandrasekhar(float mu, float gamma)
{
    return (1 + 2 * mu) / (1 + 2 * mu * gamma);
}

// Radiance of sunlit deep snow towards the eye relative to a Lambertian surface, at the cosines mu0
// (sun) and mu (eye); `phase` is 1 for isotropic scattering.
static float slant(const firn_snow_band* b, float mu0, float mu, float phase)
{
    if (!(b->white > 1e-3f)) return 1;
    const float often = chandrasekhar(mu, b->gamma) * chandrasekhar(mu0, b->gamma) - 1;
    const float even = 1 - b->gamma * b->gamma;
    const float ratio = (b->albedo * phase + even * often) / (4 * (mu + mu0) * b->white);
    return ratio < 0.6f ? 0.6f : ratio < 1.5f ? ratio : 1.5f;
}

// Exitant radiance of one band from E and u. Snow without a valid u is a crumb.
static float leave(const firn_snow_band* b, const firn_light* light, float e, float u)
{
    return light->on_snow ? b->give * e + b->glow * u : b->crumb * e;
}

firn_rgb firn_shade_snow(const firn_view* view, firn_vec3 x, firn_vec3 eye_ward, firn_grain grain,
                         firn_sky_memo* memo)
{
    const firn_snow_band* b = view->medium.band;
    const firn_vec3 smooth = firn_snow_normal(&view->volume, x, eye_ward);
    const firn_light light = firn_light_on_snow(view, x, smooth, memo);
    firn_vec3 n = firn_v3_madd(smooth, grain.tilt_x, view->camera.right);
    n = firn_v3_normalize(firn_v3_madd(n, grain.tilt_y, view->camera.up), smooth);
    const float upward = 1 + 0.25f * (float)(firn_v3_dot(n, firn_v3(0, 1, 0)) - smooth.y);
    firn_rgb c = firn_rgb_scale(light.sky, upward);
    const float facing = wrapped((float)firn_v3_dot(n, view->day.sun), FIRN_SNOW_WRAP);
    if (facing > 0) {
        const float mu = 0.15f + 0.85f * firn_clamp01((float)firn_v3_dot(n, eye_ward));
        const float turn = -(float)firn_v3_dot(eye_ward, view->day.sun);
        const float phase = FOUR_PI * firn_phase_value(view->medium.g, turn);
        c.r += facing * slant(&b[0], facing, mu, phase) * light.sun.r;
        c.g += facing * slant(&b[1], facing, mu, phase) * light.sun.g;
        c.b += facing * slant(&b[2], facing, mu, phase) * light.sun.b;
    }
    c = firn_rgb_of(leave(&b[0], &light, c.r, light.below.r),
                    leave(&b[1], &light, c.g, light.below.g),
                    leave(&b[2], &light, c.b, light.below.b));
    c = firn_rgb_scale(c, 1 + 0.09f * grain.tone);
    return firn_rgb_madd(c, 1.6f * grain.glint * facing, light.sun);
}

firn_rgb firn_shade_crumb(const firn_view* view, const firn_light* light, firn_vec3 normal,
                          float tone)
{
    const firn_snow_band* b = view->medium.band;
    const float facing = wrapped((float)firn_v3_dot(normal, view->day.sun), 0.5f);
    const firn_rgb c = firn_rgb_madd(firn_rgb_scale(light->sky, 0.85f + 0.25f * (float)normal.y),
                                     facing, light->sun);
    const firn_rgb out = firn_rgb_of(leave(&b[0], light, c.r, light->below.r),
                                     leave(&b[1], light, c.g, light->below.g),
                                     leave(&b[2], light, c.b, light->below.b));
    return firn_rgb_scale(out, 1 + 0.1f * tone);
}

// Variation of the albedo (render/ground.h). `footprint` [m]: width of a pixel on the surface. The
// pattern moves and scales with the collider.
static float unevenness(const firn_preview_collider* b, firn_vec3 x, firn_real scale,
                        firn_real footprint)
{
    firn_vec3 own = firn_pose_to_body(&b->collider.pose, x);
    // a plane uses 2-D noise: drop the coordinate along its normal
    const firn_vec3 n =
        firn_v3_abs(firn_m3_transposed_mul_v3(b->collider.pose.rotation, b->normal));
    if (b->is_plane && n.y >= n.x && n.y >= n.z) own.y = own.z;
    if (b->is_plane && n.x > n.y && n.x > n.z) own.x = own.z;
    return firn_ground_unevenness(own, b->is_plane, scale, footprint / b->collider.pose.scale);
}

firn_rgb firn_shade_collider(const firn_view* view, int32_t collider, firn_vec3 x, firn_ray ray,
                             firn_real t, firn_sky_memo* memo)
{
    const firn_preview_collider* b = &view->colliders.items[collider];
    const firn_daylight* day = &view->day;
    const firn_vec3 n = firn_preview_collider_normal(&view->colliders, collider, x);
    const float against = firn_clamp01(-(float)firn_v3_dot(n, ray.direction));
    const firn_real footprint = firn_ground_footprint(view->camera.pixel, t, against);
    const firn_look* look = &b->collider.look;
    const bool patterned = firn_collider_has_pattern(&b->collider);
    const float uneven = patterned ? 0 : unevenness(b, x, view->camera.distance, footprint);
    const firn_rgb own =
        b->paints != NULL ? firn_preview_paints_colour(b->paints, x, b->albedo) : b->albedo;
    firn_rgb albedo = firn_rgb_scale(own, 1 + FIRN_GROUND_UNEVEN * uneven);
    if (patterned) {
        const firn_pattern p = firn_pattern_at(look->kind, x, n, look->scale, footprint);
        albedo = firn_pattern_colour(&p, albedo);
    }

    const firn_vec3 from = firn_v3_madd(x, 0.7f * view->volume.voxel, n);
    const firn_rgb around = light_of_sky(view, from, n, collider, memo);
    firn_rgb c = firn_rgb_mul(albedo, around);
    const float facing = (float)firn_v3_dot(n, day->sun);
    if (facing > 0) {
        float sun = firn_preview_colliders_sun(&view->colliders, x, day->sun, collider);
        if (sun > 0) sun *= firn_fade(firn_snow_sun_depth(&view->volume, &view->sun_map, x, 0.5f));
        c = firn_rgb_madd(c, sun * facing, firn_rgb_mul(albedo, day->direct));
    }
    // Fresnel-like sheen at grazing angles
    float grazing = 1 - against;
    grazing *= grazing * grazing * grazing;
    const float sheen = (0.01f + 0.07f * grazing) * (1 + 0.5f * uneven);
    c = firn_rgb_madd(c, sheen, around);

    // aerial perspective: fade to the horizon's colour with distance
    const firn_rgb away = firn_daylight_sky(day, firn_v3(ray.direction.x, 0, ray.direction.z));
    return firn_rgb_mix(away, c, firn_ground_clear(t, view->camera.distance));
}
