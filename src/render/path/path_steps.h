// SPDX-License-Identifier: MIT
// The vertices of a path: scattering in the snow, at a surface, escape to the sky. The scalar
// integrator (path.c) and the SIMD one (simd/path_simd.c) share these functions, so that both
// draw the same random numbers in the same order and give the same bits.
#pragma once
#include "render/ground.h"
#include "render/path/path.h"
#include "render/path/phase.h"

// State of a path.
typedef struct firn_path {
    const firn_path_view* view;
    firn_path_count* count;
    firn_rng r;
    firn_ray ray;          // of the current flight
    firn_rgb weight;       // throughput
    firn_rgb light;        // radiance so far
    float pdf;             // [1/sr] of the ray's direction; 0: camera ray, not sampled
    firn_surface_hit hit;  // of the ray, once traced
    firn_film_sample first_hit;
    bool has_first_hit;
    uint8_t vertices;  // where it was scattered: 0, 1, or 2 and more
    bool catcher;      // the first hit is a shadow catcher
    float unshadowed;  // its luminance without occluders
    // the NEE sample: shadow ray and unoccluded contribution
    firn_ray shadow;
    float shadow_distance;  // [m]
    firn_rgb shadow_light;
    float shadow_scale;
    float shadow_alone;  // factor of the scale where no other technique finds the light
} firn_path;

FIRN_FN float firn_path_largest(firn_rgb c)
{
    return firn_f_max(c.r, firn_f_max(c.g, c.b));
}

FIRN_FN firn_f3 firn_path_f3(firn_vec3 v)
{
    return FIRN_LIT(firn_f3){(float)v.x, (float)v.y, (float)v.z};
}

FIRN_FN firn_vec3 firn_path_vec3(firn_f3 v)
{
    return firn_v3((firn_real)v.x, (firn_real)v.y, (firn_real)v.z);
}

// ---- surfaces -----------------------------------------------------------------------------------

FIRN_FN bool firn_path_has_surfaces(const firn_path_view* view)
{
    return view->geometry != NULL || view->bvh != NULL;
}

FIRN_FN firn_surface_hit firn_path_hit(const firn_path_view* view, firn_ray ray, float far)
{
#ifdef __CUDACC__
    return firn_bvh_trace(view->bvh, ray, far);
#else
    return view->bvh != NULL ? firn_bvh_trace(view->bvh, ray, far)
                             : firn_geometry_trace(view->geometry, ray, far);
#endif
}

FIRN_FN bool firn_path_is_blocked(const firn_path_view* view, firn_ray ray, float far)
{
#ifdef __CUDACC__
    return firn_bvh_blocked(view->bvh, ray, far);
#else
    return view->bvh != NULL ? firn_bvh_blocked(view->bvh, ray, far)
                             : firn_geometry_blocked(view->geometry, ray, far);
#endif
}

// The surface of fluid k; null: there is no such fluid.
FIRN_FN const firn_surface* firn_path_fluid(const firn_path_view* view, int32_t k)
{
#ifdef __CUDACC__
    return firn_bvh_fluid(view->bvh, k);
#else
    return view->bvh != NULL ? firn_bvh_fluid(view->bvh, k)
                             : firn_geometry_fluid(view->geometry, k);
#endif
}

// ---- vertices -----------------------------------------------------------------------------------

// Records the features of the first hit for the film.
FIRN_FN void firn_path_record_first_hit(firn_path* p, firn_rgb albedo, firn_vec3 normal,
                                        float depth)
{
    if (p->has_first_hit) return;
    p->has_first_hit = true;
    p->first_hit.albedo = albedo;
    p->first_hit.normal[0] = (float)normal.x;
    p->first_hit.normal[1] = (float)normal.y;
    p->first_hit.normal[2] = (float)normal.z;
    p->first_hit.depth = depth;
    p->first_hit.alpha = 1;
}

// Counts a vertex. Light that was found before the second one is direct.
FIRN_FN void firn_path_count_vertex(firn_path* p)
{
    if (p->vertices == 1) p->first_hit.direct = p->light;
    if (p->vertices < 2) p->vertices++;
}

// Russian roulette on paths of low throughput. True: the path ends.
FIRN_FN bool firn_path_roulette(firn_path* p)
{
    const float enough = 0.25f, w = firn_path_largest(p->weight);
    if (w >= enough) return false;
    if (firn_rng_unit(&p->r) * enough >= w) return true;
    p->weight = firn_rgb_scale(p->weight, enough / w);
    return false;
}

// Samples a light as seen from x; false: there is none.
FIRN_FN bool firn_path_sample_light(firn_path* p, firn_vec3 x, firn_light_sample* out)
{
    const firn_lights* lights = p->view->lights;
    if (lights->only_sun) {
        *out = firn_lights_sample_sun(lights, &p->r);
        return out->pdf > 0;
    }
    firn_rng r = p->r;
    firn_light_sample s;
    const bool any = firn_lights_sample(lights, x, &r, &s);
    p->r = r;
    *out = s;
    return any && s.pdf > 0;
}

// Sets up the shadow ray from x to a light sample; f: BSDF or phase value (with the cosine), pdf:
// density with which the path would have sampled that direction. False: no contribution.
FIRN_FN bool firn_path_set_shadow_ray(firn_path* p, firn_vec3 x, firn_rgb f, float pdf,
                                      const firn_light_sample* s)
{
    if (!(firn_path_largest(f) > 0)) return false;
    p->shadow = FIRN_LIT(firn_ray){x, s->to};
    p->shadow_distance = s->distance;
    p->shadow_light = firn_rgb_mul(p->weight, firn_rgb_mul(f, s->radiance));
    p->shadow_scale = 1 / (s->pdf + pdf);
    p->shadow_alone = (s->pdf + pdf) / s->pdf;
    return true;
}

// Adds the NEE contribution for this transmittance of the snow, unless a surface blocks the ray.
FIRN_FN void firn_path_add_direct(firn_path* p, float transmittance)
{
    if (!(transmittance > 0)) return;
    if (firn_path_has_surfaces(p->view)) {
        p->count->rays++;
        if (firn_path_is_blocked(p->view, p->shadow, p->shadow_distance)) return;
    }
    p->light = firn_rgb_madd(p->light, transmittance * p->shadow_scale, p->shadow_light);
}

// Probability with which light is sampled at a scattering event of a path along d; 1 and more:
// always. Where only the sun is, the probability follows what it would contribute: the share of
// light that is scattered from there, and how much of it arrives (nee_by_sun.c). FIRN_PATH_NEE: e
// times the phase function's mean; by measurement, more rays cost more than the noise they save.
#define FIRN_PATH_NEE 34.159f  // [sr] 4 pi e
FIRN_FN float firn_path_nee_probability(const firn_path_view* view, firn_f3 d, uint8_t flags)
{
    const firn_medium* m = view->medium;
    const float rarity = (float)(1 << (flags >> 1));
    if (!m->rare_by_sun) return 1 / rarity;
    const firn_f3 sun = view->lights->sun_to;
    const float phase = firn_phase_value(m->g, d.x * sun.x + d.y * sun.y + d.z * sun.z);
    return FIRN_PATH_NEE * phase / rarity;
}

// Scattering at w->p. False: the path ends. *out_has_shadow: the shadow ray must be traced before
// firn_path_sample_phase.
FIRN_FN bool firn_path_scatter(firn_path* p, const firn_walk* w, bool* out_has_shadow)
{
    const firn_medium* m = p->view->medium;
    const firn_f3 d = firn_path_f3(p->ray.direction);
    const firn_vec3 x = firn_medium_to_world(m, w->p);
    const firn_rgb albedo = firn_rgb_of(m->albedo[0], m->albedo[1], m->albedo[2]);
    const bool is_first = !p->has_first_hit;
    if (is_first) {
        const firn_vec3 out = firn_path_vec3(firn_walk_outward(w));
        const firn_vec3 back = firn_v3_scale(p->ray.direction, -1);
        firn_path_record_first_hit(p, albedo, firn_v3_normalize(out, back),
                                   w->flown * (float)m->voxel);
    }
    firn_path_count_vertex(p);
    p->count->events++;
    p->weight = firn_rgb_mul(p->weight, albedo);
    *out_has_shadow = false;
    if (firn_path_roulette(p)) return false;
    p->ray.origin = x;
    const float often = firn_path_nee_probability(p->view, d, w->flags);
    if (often < 1 && firn_rng_unit(&p->r) >= often) return true;
    firn_light_sample s;
    if (!firn_path_sample_light(p, x, &s)) return true;
    // the phase function is both the value and the sampling density of the direction
    const firn_f3 to = firn_path_f3(s.to);
    const float phase = firn_phase_value(m->g, d.x * to.x + d.y * to.y + d.z * to.z);
    *out_has_shadow = firn_path_set_shadow_ray(p, x, firn_rgb_of(phase, phase, phase), phase, &s);
    if (often < 1) p->shadow_scale /= often;
    // what goes straight to the camera is left to the crystals (glints.h)
    if (is_first && !(p->pdf > 0) && firn_lights_in_sun(p->view->lights, s.to))
        p->shadow_scale *= 1 - m->glints;
    return true;
}

// Samples the phase function for a new direction.
FIRN_FN void firn_path_sample_phase(firn_path* p)
{
    const firn_f3 d = firn_path_f3(p->ray.direction);
    p->ray.direction = firn_path_vec3(firn_phase_sample(p->view->medium->g, d, &p->r, &p->pdf));
}

// The surface that was hit, with its picture. The camera sees its pattern; light that snow and
// other surfaces get from it is that of its mean colour.
FIRN_FN const firn_surface* firn_path_surface(const firn_path* p, firn_surface* own)
{
    const firn_surface* s = p->hit.surface;
    if (s->picture.width > 0) {
        *own = *s;
        own->colour = firn_rgb_mul(s->colour, p->hit.tint);
        return own;
    }
    if (s->pattern == 0 || p->pdf > 0) return s;
    *own = firn_surface_patterned(s, p->hit.x, p->hit.face, p->ray.direction, p->hit.t);
    return own;
}

// A plain floor as the camera sees it: uneven, and in the haze of the air before it. Light that
// snow and other surfaces get from it is that of its mean colour.
FIRN_FN void firn_path_see_ground(firn_path* p)
{
    const firn_surface* s = p->hit.surface;
    const firn_vec3 d = p->ray.direction;
    const float uneven = firn_surface_unevenness(s, p->hit.x, p->hit.normal, d, p->hit.t);
    const float clear = firn_ground_clear((firn_real)p->hit.t, (firn_real)s->ground);
    const firn_rgb haze = firn_lights_haze(p->view->lights, d);
    p->light = firn_rgb_madd(p->light, 1 - clear, firn_rgb_mul(p->weight, haze));
    p->weight = firn_rgb_scale(p->weight, clear * (1 + FIRN_GROUND_UNEVEN * uneven));
    p->first_hit.albedo = firn_rgb_mix(firn_rgb_of(1, 1, 1), p->first_hit.albedo, clear);
}

// Scattering at the surface hit. False: the path ends. *out_has_shadow as above; the walk restarts
// at ray.origin.
FIRN_FN bool firn_path_bounce(firn_path* p, bool* out_has_shadow)
{
    *out_has_shadow = false;
    if (p->hit.light >= 0) {
        float pdf;
        const firn_rgb radiance =
            firn_lights_hit(p->view->lights, p->hit.light, p->ray.direction, p->hit.t, &pdf);
        const float mis_weight = p->pdf > 0 ? p->pdf / (p->pdf + pdf) : 1;
        p->light = firn_rgb_madd(p->light, mis_weight, firn_rgb_mul(p->weight, radiance));
        firn_path_record_first_hit(p, firn_rgb_of(1, 1, 1), p->hit.normal, p->hit.t);
        return false;
    }
    firn_path_count_vertex(p);
    p->catcher =
        p->catcher || (!p->has_first_hit && p->hit.surface->kind == FIRN_SURFACE_SHADOW_CATCHER);
    firn_surface own;
    const firn_surface* surface = firn_path_surface(p, &own);
    if (!p->catcher) firn_path_record_first_hit(p, surface->colour, p->hit.normal, p->hit.t);
    if (p->hit.surface->ground > 0 && !(p->pdf > 0)) firn_path_see_ground(p);
    const bool first = p->catcher && !p->has_first_hit;
    p->has_first_hit = true;
    p->count->bounces++;
    const firn_vec3 x = firn_geometry_leave(&p->hit);
    p->ray.origin = x;
    firn_light_sample s;
    if (!firn_path_sample_light(p, x, &s)) return true;
    if (!(firn_v3_dot(s.to, p->hit.face) > 0)) return true;  // below the surface
    float pdf;
    const firn_vec3 from = firn_v3_scale(p->ray.direction, -1);
    const firn_rgb f = firn_surface_eval(surface, p->hit.normal, from, s.to, &pdf);
    *out_has_shadow = firn_path_set_shadow_ray(p, x, f, pdf, &s);
    if (first && *out_has_shadow)
        p->unshadowed += firn_rgb_luminance(p->shadow_light) * p->shadow_scale;
    return true;
}

// MIS-weighted sky luminance along the sampled ray, without occluders.
FIRN_FN float firn_path_open_sky(const firn_path* p)
{
    float pdf;
    const firn_rgb radiance = firn_lights_escape(p->view->lights, p->ray.direction, &pdf);
    return firn_rgb_luminance(firn_rgb_mul(p->weight, radiance)) * (p->pdf / (p->pdf + pdf));
}

// Samples the BSDF for a new direction; false: the path ends.
FIRN_FN bool firn_path_sample_bsdf(firn_path* p)
{
    const firn_vec3 from = firn_v3_scale(p->ray.direction, -1);
    firn_rng r = p->r;
    firn_surface own;
    const firn_surface* surface = firn_path_surface(p, &own);
    const firn_scatter s = firn_surface_sample(surface, p->hit.normal, from, &r);
    p->r = r;
    const bool first = p->catcher && !(p->pdf > 0);
    p->weight = firn_rgb_mul(p->weight, s.weight);
    p->pdf = s.pdf;
    p->ray.direction = s.to;
    if (first && s.pdf > 0) p->unshadowed += firn_path_open_sky(p);
    if (!(firn_v3_dot(s.to, p->hit.face) > 0)) return false;
    return firn_path_largest(p->weight) > 0 && !firn_path_roulette(p);
}

FIRN_FN void firn_path_escape(firn_path* p)
{
    // camera ray: the background stays empty
    if (p->view->transparent && !(p->pdf > 0) && !p->has_first_hit) return;
    float pdf;
    const firn_rgb radiance = firn_lights_escape(p->view->lights, p->ray.direction, &pdf);
    const float mis_weight = p->pdf > 0 ? p->pdf / (p->pdf + pdf) : 1;
    p->light = firn_rgb_madd(p->light, mis_weight, firn_rgb_mul(p->weight, radiance));
}

// Traces the ray against surfaces; returns the distance of the hit in cells.
FIRN_FN float firn_path_trace_surfaces(firn_path* p)
{
    p->count->rays++;
    p->hit = firn_path_hit(p->view, p->ray, FLT_MAX);
    const bool is_hit = p->hit.surface != NULL || p->hit.light >= 0;
    return is_hit ? p->hit.t / (float)p->view->medium->voxel : FLT_MAX;
}

FIRN_FN firn_path firn_path_begin(const firn_path_view* view, firn_ray ray, firn_rng r,
                                  firn_path_count* count)
{
    firn_path p;
    memset(&p, 0, sizeof p);
    p.view = view;
    p.count = count;
    p.r = r;
    p.ray = ray;
    p.weight = firn_rgb_of(1, 1, 1);
    return p;
}

FIRN_FN float firn_path_cells(const firn_path* p, float distance)
{
    return distance < FLT_MAX ? distance / (float)p->view->medium->voxel : FLT_MAX;
}

// The finished sample.
FIRN_FN firn_film_sample firn_path_end(const firn_path* p)
{
    firn_film_sample sample = p->first_hit;
    if (p->catcher) {
        sample.catcher = true;
        sample.catcher_lit = firn_rgb_luminance(p->light);
        sample.catcher_unshadowed = p->unshadowed;
        sample.direct = firn_rgb_of(0, 0, 0);
    } else {
        sample.light = p->light;
        if (p->vertices < 2) sample.direct = p->light;
    }
    return sample;
}
