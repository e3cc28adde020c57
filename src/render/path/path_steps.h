// SPDX-License-Identifier: MIT
// The turns of a path: what happens at a scattering, at a surface, at the sky. The plain loop
// (path.c) and the one that follows eight paths at a time (path_simd.c) share them, so that both
// draw the same numbers in the same order and give the same bits.
#pragma once
#include "render/path/path.h"
#include "render/path/phase.h"

// A path on its way.
typedef struct firn_path {
    const firn_path_view* view;
    firn_path_count* count;
    firn_rng r;
    firn_ray ray;          // of this flight
    firn_rgb weight;       // of light that comes back along the ray
    firn_rgb light;        // gathered so far
    float pdf;             // [1/sr] of the ray's direction; 0: it was not chosen by chance
    firn_surface_hit hit;  // what stops the ray, once asked
    firn_film_sample seen;
    bool has_seen;
    bool caught;  // the camera sees a catcher of shadows
    float full;   // luminance of the light on it if nothing were in the way
    // a light that was asked: how much it brings when nothing is in the way
    firn_ray shadow;
    float shadow_distance;  // [m]
    firn_rgb shadow_light;
    float shadow_scale;
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

// The first thing that the camera sees through this sample.
FIRN_FN void firn_path_see(firn_path* p, firn_rgb albedo, firn_vec3 normal, float depth)
{
    if (p->has_seen) return;
    p->has_seen = true;
    p->seen.albedo = albedo;
    p->seen.normal[0] = (float)normal.x;
    p->seen.normal[1] = (float)normal.y;
    p->seen.normal[2] = (float)normal.z;
    p->seen.depth = depth;
    p->seen.alpha = 1;
}

// Ends paths that carry little: those that go on carry more. True: it ends here.
FIRN_FN bool firn_path_roulette(firn_path* p)
{
    const float enough = 0.25f, w = firn_path_largest(p->weight);
    if (w >= enough) return false;
    if (firn_rng_unit(&p->r) * enough >= w) return true;
    p->weight = firn_rgb_scale(p->weight, enough / w);
    return false;
}

// A shadow ray from x towards a light's sample; f: value of that direction (with the cosine), pdf:
// its density had the path chosen it. False: nothing comes that way.
FIRN_FN bool firn_path_ask(firn_path* p, firn_vec3 x, firn_rgb f, float pdf,
                           const firn_light_sample* s)
{
    if (!(firn_path_largest(f) > 0)) return false;
    p->shadow = FIRN_LIT(firn_ray){x, s->to};
    p->shadow_distance = s->distance;
    p->shadow_light = firn_rgb_mul(p->weight, firn_rgb_mul(f, s->radiance));
    p->shadow_scale = 1 / (s->pdf + pdf);
    return true;
}

// The shadow ray has passed the snow with this share left: what bodies leave of it is gathered.
FIRN_FN void firn_path_lit(firn_path* p, float share)
{
    if (!(share > 0)) return;
    if (p->view->geometry != NULL) {
        p->count->asked++;
        if (firn_geometry_blocked(p->view->geometry, p->shadow, p->shadow_distance)) return;
    }
    p->light = firn_rgb_madd(p->light, share * p->shadow_scale, p->shadow_light);
}

// A scattering at p, in the cell of `w`. False: the path ends. *out_asked: a shadow ray is to be
// followed before firn_path_scatter_on.
FIRN_FN bool firn_path_scatter(firn_path* p, const firn_walk* w, bool* out_asked)
{
    const firn_medium* m = p->view->medium;
    const firn_f3 d = firn_path_f3(p->ray.direction);
    const firn_vec3 x = firn_medium_to_world(m, w->p);
    const firn_rgb albedo = firn_rgb_of(m->albedo[0], m->albedo[1], m->albedo[2]);
    if (!p->has_seen) {
        const firn_vec3 out = firn_path_vec3(firn_walk_outward(w));
        const firn_vec3 back = firn_v3_scale(p->ray.direction, -1);
        firn_path_see(p, albedo, firn_v3_normalize(out, back), w->flown * (float)m->voxel);
    }
    p->count->events++;
    p->weight = firn_rgb_mul(p->weight, albedo);
    *out_asked = false;
    if (firn_path_roulette(p)) return false;
    p->ray.origin = x;
    const float rare = (float)(1 << (w->flags >> 1));
    if (rare > 1 && firn_rng_unit(&p->r) * rare >= 1) return true;
    firn_light_sample s;
    if (!firn_lights_sample(p->view->lights, x, &p->r, &s) || !(s.pdf > 0)) return true;
    // the phase function is both the value and the density with which `to` would have been chosen
    const firn_f3 to = firn_path_f3(s.to);
    const float phase = firn_phase_value(m->g, d.x * to.x + d.y * to.y + d.z * to.z);
    *out_asked = firn_path_ask(p, x, firn_rgb_of(phase, phase, phase), phase, &s);
    p->shadow_scale *= rare;
    return true;
}

// A new direction.
FIRN_FN void firn_path_scatter_on(firn_path* p)
{
    const firn_f3 d = firn_path_f3(p->ray.direction);
    p->ray.direction = firn_path_vec3(firn_phase_sample(p->view->medium->g, d, &p->r, &p->pdf));
}

// The ray met a body. False: the path ends. As above; the walk starts again at ray.origin.
FIRN_FN bool firn_path_bounce(firn_path* p, bool* out_asked)
{
    *out_asked = false;
    if (p->hit.light >= 0) {
        float pdf;
        const firn_rgb radiance =
            firn_lights_hit(p->view->lights, p->hit.light, p->ray.direction, p->hit.t, &pdf);
        const float share = p->pdf > 0 ? p->pdf / (p->pdf + pdf) : 1;
        p->light = firn_rgb_madd(p->light, share, firn_rgb_mul(p->weight, radiance));
        firn_path_see(p, firn_rgb_of(1, 1, 1), p->hit.normal, p->hit.t);
        return false;
    }
    p->caught = p->caught || (!p->has_seen && p->hit.surface->kind == FIRN_SURFACE_SHADOW_CATCHER);
    if (!p->caught) firn_path_see(p, p->hit.surface->colour, p->hit.normal, p->hit.t);
    const bool first = p->caught && !p->has_seen;
    p->has_seen = true;
    p->count->bounces++;
    const firn_vec3 x = firn_geometry_leave(&p->hit);
    p->ray.origin = x;
    firn_light_sample s;
    if (!firn_lights_sample(p->view->lights, x, &p->r, &s) || !(s.pdf > 0)) return true;
    if (!(firn_v3_dot(s.to, p->hit.face) > 0)) return true;  // behind the body's own surface
    float pdf;
    const firn_vec3 from = firn_v3_scale(p->ray.direction, -1);
    const firn_rgb f = firn_surface_eval(p->hit.surface, p->hit.normal, from, s.to, &pdf);
    *out_asked = firn_path_ask(p, x, f, pdf, &s);
    if (first && *out_asked) p->full += firn_rgb_luminance(p->shadow_light) * p->shadow_scale;
    return true;
}

// Light from the sky along the ray that has just been chosen, as if nothing were in the way.
FIRN_FN float firn_path_open_sky(const firn_path* p)
{
    float pdf;
    const firn_rgb radiance = firn_lights_escape(p->view->lights, p->ray.direction, &pdf);
    return firn_rgb_luminance(firn_rgb_mul(p->weight, radiance)) * (p->pdf / (p->pdf + pdf));
}

// A new direction; false: the path ends.
FIRN_FN bool firn_path_bounce_on(firn_path* p)
{
    const firn_vec3 from = firn_v3_scale(p->ray.direction, -1);
    const firn_scatter s = firn_surface_sample(p->hit.surface, p->hit.normal, from, &p->r);
    const bool first = p->caught && !(p->pdf > 0);
    p->weight = firn_rgb_mul(p->weight, s.weight);
    p->pdf = s.pdf;
    p->ray.direction = s.to;
    if (first && s.pdf > 0) p->full += firn_path_open_sky(p);
    if (!(firn_v3_dot(s.to, p->hit.face) > 0)) return false;
    return firn_path_largest(p->weight) > 0 && !firn_path_roulette(p);
}

FIRN_FN void firn_path_escape(firn_path* p)
{
    if (p->view->transparent && !(p->pdf > 0)) return;  // the backdrop itself
    float pdf;
    const firn_rgb radiance = firn_lights_escape(p->view->lights, p->ray.direction, &pdf);
    const float share = p->pdf > 0 ? p->pdf / (p->pdf + pdf) : 1;
    p->light = firn_rgb_madd(p->light, share, firn_rgb_mul(p->weight, radiance));
}

// What stops the ray besides snow; the distance in cells.
FIRN_FN float firn_path_look_ahead(firn_path* p)
{
    p->count->asked++;
    p->hit = firn_geometry_trace(p->view->geometry, p->ray, FLT_MAX);
    const bool is_hit = p->hit.surface != NULL || p->hit.light >= 0;
    return is_hit ? p->hit.t / (float)p->view->medium->voxel : FLT_MAX;
}

FIRN_FN firn_path firn_path_begin(const firn_path_view* view, firn_ray ray, firn_rng r,
                                  firn_path_count* count)
{
    return FIRN_LIT(firn_path){
        .view = view, .count = count, .r = r, .ray = ray, .weight = {1, 1, 1}};
}

FIRN_FN float firn_path_cells(const firn_path* p, float distance)
{
    return distance < FLT_MAX ? distance / (float)p->view->medium->voxel : FLT_MAX;
}

// What the path has brought.
FIRN_FN firn_film_sample firn_path_end(const firn_path* p)
{
    firn_film_sample sample = p->seen;
    if (p->caught) {
        sample.caught = true;
        sample.caught_lit = firn_rgb_luminance(p->light);
        sample.caught_full = p->full;
    } else {
        sample.light = p->light;
    }
    return sample;
}
