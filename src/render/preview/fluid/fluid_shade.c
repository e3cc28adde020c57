// SPDX-License-Identifier: MIT
// A ray enters a fluid once, by Snell's law. What it meets there is lit through the fluid and seen
// through it; on leaving the fluid the ray keeps its direction. The surface reflects the sky,
// and what is below it.
#include "render/preview/fluid/fluid_shade.h"

#include <math.h>

#include "render/dielectric.h"
#include "render/preview/ambient.h"
#include "render/preview/snow/snow_rays.h"

#define SUN_LOBE 900.0f  // exponent of the sun's reflection: blurred by waves finer than the mesh
#define SUN_GAIN 25.0f   // its peak for a mirror, on the scale of direct light

static firn_rgb fluid_rgb(const float c[3])
{
    return firn_rgb_of(c[0], c[1], c[2]);
}

static float lobe(float cosine, float exponent)
{
    return cosine > 0 ? (float)firn_exp_double((double)exponent * ((double)cosine - 1)) : 0;
}

// What a ray from inside of the fluid meets, and where [m].
static firn_rgb look_on(const firn_view* view, firn_ray ray, firn_real* out_t)
{
    const firn_collider_hit hit = firn_preview_colliders_trace(&view->colliders, ray);
    firn_rgb c = firn_daylight_sky(&view->day, ray.direction);
    *out_t = hit.t;
    if (hit.collider >= 0)
        c = firn_shade_collider(view, hit.collider, firn_v3_madd(ray.origin, hit.t, ray.direction),
                                ray, hit.t, NULL);
    if (view->volume.block_count == 0) return c;
    const firn_snow_hit snow = firn_snow_trace(&view->volume, ray, 0, hit.t);
    if (!(snow.cover > 0.002f)) return c;
    const firn_rgb lit = firn_shade_snow(view, firn_v3_madd(ray.origin, snow.t, ray.direction),
                                         firn_v3_scale(ray.direction, -1), (firn_grain){0}, NULL);
    if (snow.cover > 0.5f) *out_t = snow.t;
    return firn_rgb_mix(c, lit, snow.cover);
}

// Diffuse reflectance of a thick body that scatters isotropically: Hapke's (1 - g) / (1 + g), with
// g^2 the share of absorption.
static firn_rgb thick_albedo(const firn_material_look* look)
{
    float c[3];
    for (int k = 0; k < 3; k++) {
        const float g = sqrtf(look->absorption[k] / (look->absorption[k] + look->scattering));
        c[k] = (1 - g) / (1 + g);
    }
    return fluid_rgb(c);
}

static firn_rgb diffuse(const firn_view* view, firn_rgb albedo, firn_vec3 n, const firn_light* l)
{
    const float facing = firn_clamp01((float)firn_v3_dot(n, view->day.sun));
    const float upward = 0.6f + 0.4f * (float)n.y;
    return firn_rgb_mul(albedo, firn_rgb_madd(firn_rgb_scale(l->sky, upward), facing, l->sun));
}

// Radiance that arrives at the surface from inside.
static firn_rgb inside(const firn_view* view, const firn_material_look* look,
                       const firn_fluid_span* span, firn_ray ray, const firn_rgb* behind,
                       firn_real end, const firn_light* light)
{
    const firn_vec3 x = firn_v3_madd(ray.origin, span->t, ray.direction);
    firn_rgb c;
    firn_real through = firn_max(firn_min(span->out, end) - span->t, 0);
    firn_real down = through * -ray.direction.y;
    if (behind != NULL) {
        c = *behind;
    } else {
        const firn_vec3 d = firn_refract(ray.direction, span->normal, (firn_real)look->ior);
        firn_real t;
        c = look_on(view, (firn_ray){x, d}, &t);
        // the straight ray leaves the fluid before it meets anything, or not
        through = span->out < end ? firn_min(through, t) : t;
        down = through * -d.y;
    }
    // what is seen was lit from above, through the fluid
    const float way = (float)(through + firn_max(down, 0));
    c = firn_rgb_mul(c, firn_absorb(fluid_rgb(look->absorption), way));
    if (!(look->scattering > 0)) return c;
    const float clear = (float)firn_exp_double(-(double)look->scattering * (double)through);
    return firn_rgb_mix(diffuse(view, thick_albedo(look), span->normal, light), c, clear);
}

// What the surface at x reflects from direction d: the sky, or what is below.
static firn_rgb mirrored(const firn_view* view, firn_vec3 x, firn_vec3 d)
{
    if (d.y > 0) return firn_daylight_sky(&view->day, d);
    firn_real t;
    return look_on(view, (firn_ray){x, d}, &t);
}

firn_rgb firn_shade_fluid(const firn_view* view, int32_t fluid, const firn_fluid_span* span,
                          firn_ray ray, const firn_rgb* behind, firn_real end, firn_sky_memo* memo)
{
    const firn_material_look* look = &view->fluids.items[fluid].look;
    firn_vec3 n = span->normal;
    const firn_real along = firn_v3_dot(n, ray.direction);
    const firn_real least = (firn_real)0.02;  // at a silhouette normals may face away
    if (along > -least)
        n = firn_v3_normalize(firn_v3_madd(n, -(along + least), ray.direction),
                              firn_v3_scale(ray.direction, -1));
    firn_fluid_span bent = *span;
    bent.normal = n;
    const firn_vec3 x = firn_v3_madd(ray.origin, span->t, ray.direction);
    const bool opaque = !(look->ior > 0);
    firn_light light = {0};  // not needed where the fluid is clear
    if (opaque || look->scattering > 0) light = firn_light_on_snow(view, x, n, memo);
    const firn_vec3 mirror = firn_reflect(ray.direction, n);
    const float cosine = firn_clamp01(-(float)firn_v3_dot(n, ray.direction));
    float reflectance, exponent = SUN_LOBE, gain = SUN_GAIN;
    firn_rgb c;
    if (opaque) {
        const float grazing = (1 - cosine) * (1 - cosine);
        reflectance = look->specular + (1 - look->specular) * grazing * grazing * (1 - cosine);
        reflectance *= 1 - 0.5f * look->roughness;
        const float alpha2 = look->roughness * look->roughness * look->roughness * look->roughness;
        exponent = fminf(0.5f / (alpha2 + 1e-4f), SUN_LOBE);
        gain = SUN_GAIN * exponent / SUN_LOBE;
        c = diffuse(view, fluid_rgb(look->colour), n, &light);
    } else {
        reflectance = firn_fresnel(cosine, look->ior);
        c = inside(view, look, &bent, ray, behind, end, &light);
    }
    c = firn_rgb_mix(c, mirrored(view, x, mirror), reflectance);
    const float glint = reflectance * lobe((float)firn_v3_dot(mirror, view->day.sun), exponent);
    if (!(glint > 1e-4f)) return c;
    const firn_vec3 from = firn_v3_madd(x, view->volume.voxel, n);
    return firn_rgb_madd(c, gain * glint * firn_sun_visibility(view, from, 1.3f), view->day.direct);
}
