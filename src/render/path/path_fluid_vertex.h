// SPDX-License-Identifier: MIT
// The integrator for pictures with transparent fluids: that of path_vertex.h, with smooth
// interfaces.
//
// An interface reflects with the probability that Fresnel's equations give, or refracts: the
// throughput stays 1, and nothing is lost. Between interfaces a fluid absorbs (Beer and Lambert)
// and may scatter. Fluids may overlap, as water and the ice in it do: a path keeps the set of
// fluids that it is in, and the last one of the list counts (nested dielectrics, Schmidt and Budge
// 2002). The factor of radiance by the square of the index of refraction is left out everywhere: it
// cancels between light and eye, if both are in air.
//
// Light through an interface. Next-event estimation cannot aim through a refracting surface. Sky,
// environment maps and area lights are found by the sampled directions alone, exactly. The sun's
// disc is too small for that: behind an interface it is sampled along straight rays that the
// interfaces and fluids attenuate, and paths that meet the disc after an interface count only if
// they come from the eye without another vertex. On a level floor below a level surface this has
// the right irradiance; what is missing are caustics.
#pragma once
#include <math.h>

#include "render/dielectric.h"
#include "render/path/path_vertex.h"

#define FIRN_FLUID_SHADOW_HITS_MAX 64  // interfaces along a shadow ray

typedef struct firn_fluid_path {
    firn_path p;
    firn_walk w;
    uint32_t inside;  // bits of the fluids that the ray is in
    bool has_vertex;  // scattered already, other than at interfaces
    bool crossed;     // an interface, since the last vertex
} firn_fluid_path;

// Number of the highest bit that is set.
FIRN_FN int32_t firn_fluid_last(uint32_t inside)
{
    int32_t last = 0;
    for (int32_t k = 1; k < 32; k++) last = (inside >> k & 1) != 0 ? k : last;
    return last;
}

// The fluid that counts; null: air.
FIRN_FN const firn_surface* firn_fluid_of(const firn_path_view* view, uint32_t inside)
{
    if (inside == 0) return NULL;
    return firn_path_fluid(view, firn_fluid_last(inside));
}

FIRN_FN float firn_fluid_ior(const firn_surface* fluid)
{
    return fluid != NULL ? fluid->ior : 1;
}

FIRN_FN uint32_t firn_fluid_beyond(const firn_surface_hit* hit, uint32_t inside)
{
    const uint32_t bit = (uint32_t)1 << hit->surface->fluid;
    return hit->from_inside ? inside & ~bit : inside | bit;
}

FIRN_FN bool firn_fluid_is_interface(const firn_surface_hit* hit)
{
    return hit->surface != NULL && hit->surface->kind == FIRN_SURFACE_DIELECTRIC;
}

// ---- shadow rays --------------------------------------------------------------------------------

// A stretch of a straight ray in a fluid. The refracted ray that reaches the same point is shorter:
// below a level surface by the ratio of the cosines.
FIRN_FN firn_rgb firn_fluid_attenuate(const firn_surface* fluid, float distance, float cosine)
{
    const float eta = fluid->ior;
    const float refracted = sqrtf(1 - (1 - cosine * cosine) / (eta * eta));
    const float s = fluid->scattering * distance * cosine / refracted;
    const firn_rgb left = firn_absorb(fluid->absorption, distance * cosine / refracted);
    return s > 0 ? firn_rgb_scale(left, firn_absorb(firn_rgb_of(s, s, s), 1).r) : left;
}

// Share of light that comes straight through interfaces; 0: blocked. *out_crossed: there are some.
FIRN_FN firn_rgb firn_fluid_transmit(const firn_fluid_path* f, bool* out_crossed)
{
    const firn_path* p = &f->p;
    firn_rgb share = firn_rgb_of(1, 1, 1);
    firn_ray ray = p->shadow;
    float left = p->shadow_distance;
    uint32_t inside = f->inside;
    *out_crossed = false;
    for (int k = 0; firn_path_has_surfaces(p->view) && k < FIRN_FLUID_SHADOW_HITS_MAX; k++) {
        p->count->rays++;
        const firn_surface_hit hit = firn_path_hit(p->view, ray, left);
        if (hit.surface == NULL && hit.light < 0) return share;
        if (!firn_fluid_is_interface(&hit)) return firn_rgb_of(0, 0, 0);
        const float cosine = fabsf((float)firn_v3_dot(ray.direction, hit.normal));
        const uint32_t next = firn_fluid_beyond(&hit, inside);
        const firn_surface *here = firn_fluid_of(p->view, inside),
                           *there = firn_fluid_of(p->view, next);
        if (here != NULL) share = firn_rgb_mul(share, firn_fluid_attenuate(here, hit.t, cosine));
        if (here != there) {
            const float a = firn_fluid_ior(here), b = firn_fluid_ior(there);
            share = firn_rgb_scale(share, 1 - firn_fresnel(cosine, a > b ? a / b : b / a));
            *out_crossed = true;
        }
        inside = next;
        ray.origin = firn_geometry_pass(&hit);
        if (left < FLT_MAX) left -= hit.t;
    }
    return share;
}

// Adds the NEE contribution.
FIRN_FN void firn_fluid_trace_shadow(firn_fluid_path* f)
{
    firn_path* p = &f->p;
    const float far = firn_path_cells(p, p->shadow_distance);
    const float snow = firn_walk_transmittance(f->w, firn_path_f3(p->shadow.direction), far, &p->r,
                                               &p->count->lookups);
    if (!(snow > 0)) return;
    bool crossed;
    const firn_rgb share = firn_fluid_transmit(f, &crossed);
    float scale = p->shadow_scale;
    if (crossed) {
        if (!firn_lights_in_sun(p->view->lights, p->shadow.direction)) return;
        scale *= p->shadow_alone;
    }
    p->light = firn_rgb_madd(p->light, snow * scale, firn_rgb_mul(share, p->shadow_light));
}

// ---- vertices -----------------------------------------------------------------------------------

FIRN_FN void firn_fluid_begin_vertex(firn_fluid_path* f)
{
    f->has_vertex = true;
    f->crossed = false;
}

FIRN_FN bool firn_fluid_scatter_in_snow(firn_fluid_path* f)
{
    bool has_shadow;
    if (!firn_path_scatter(&f->p, &f->w, &has_shadow)) return false;
    firn_fluid_begin_vertex(f);
    if (has_shadow) firn_fluid_trace_shadow(f);
    firn_path_sample_phase(&f->p);
    return true;
}

// Isotropic, without loss.
FIRN_FN bool firn_fluid_scatter_inside(firn_fluid_path* f, float distance)
{
    firn_path* p = &f->p;
    const firn_vec3 x = firn_v3_madd(p->ray.origin, (firn_real)distance, p->ray.direction);
    firn_path_record_first_hit(p, firn_rgb_of(1, 1, 1), firn_v3_scale(p->ray.direction, -1),
                               distance);
    firn_path_count_vertex(p);
    p->count->events++;
    if (firn_path_roulette(p)) return false;
    p->ray.origin = x;
    firn_fluid_begin_vertex(f);
    firn_walk_put(&f->w, firn_medium_to_cells(p->view->medium, x));
    const firn_f3 d = firn_path_f3(p->ray.direction);
    const float phase = firn_phase_value(0, 0);
    firn_light_sample s;
    if (firn_path_sample_light(p, x, &s) &&
        firn_path_set_shadow_ray(p, x, firn_rgb_of(phase, phase, phase), phase, &s))
        firn_fluid_trace_shadow(f);
    p->ray.direction = firn_path_vec3(firn_phase_sample(0, d, &p->r, &p->pdf));
    return true;
}

FIRN_FN bool firn_fluid_scatter_on_surface(firn_fluid_path* f)
{
    firn_path* p = &f->p;
    bool has_shadow;
    if (p->hit.light >= 0 && f->crossed) p->pdf = 0;  // not sampled by NEE
    if (!firn_path_bounce(p, &has_shadow)) return false;
    firn_fluid_begin_vertex(f);
    firn_walk_put(&f->w, firn_medium_to_cells(p->view->medium, p->ray.origin));
    if (has_shadow) firn_fluid_trace_shadow(f);
    return firn_path_sample_bsdf(p);
}

// Reflects or refracts. An interpolated normal may send a ray to the wrong side of the triangle:
// then the triangle's own normal is used.
FIRN_FN void firn_fluid_cross(firn_fluid_path* f)
{
    firn_path* p = &f->p;
    const firn_surface_hit* hit = &p->hit;
    const uint32_t next = firn_fluid_beyond(hit, f->inside);
    const firn_surface *here = firn_fluid_of(p->view, f->inside),
                       *there = firn_fluid_of(p->view, next);
    p->count->bounces++;
    if (here == there) {  // hidden by another fluid, which continues
        f->inside = next;
        p->ray.origin = firn_geometry_pass(hit);
        return;
    }
    firn_path_record_first_hit(p, firn_rgb_of(1, 1, 1), hit->normal, hit->t);
    const firn_vec3 d = p->ray.direction;
    const float eta = firn_fluid_ior(there) / firn_fluid_ior(here);
    const float reflectance = firn_fresnel(-(float)firn_v3_dot(d, hit->normal), eta);
    if (firn_rng_unit(&p->r) < reflectance) {
        p->ray.direction = firn_reflect(d, hit->normal);
        if (!(firn_v3_dot(p->ray.direction, hit->face) > 0))
            p->ray.direction = firn_reflect(d, hit->face);
        p->ray.origin = firn_geometry_leave(hit);
    } else {
        p->ray.direction = firn_refract(d, hit->normal, (firn_real)eta);
        if (!(firn_v3_dot(p->ray.direction, hit->face) < 0)) p->ray.direction = d;
        p->ray.origin = firn_geometry_pass(hit);
        f->inside = next;
    }
    f->crossed = true;
}

FIRN_FN void firn_fluid_escape(firn_fluid_path* f)
{
    firn_path* p = &f->p;
    if (f->has_vertex && f->crossed) {
        if (firn_lights_in_sun(p->view->lights, p->ray.direction)) return;  // by shadow rays
        p->pdf = 0;
    }
    firn_path_escape(p);
}

// ---- flights ------------------------------------------------------------------------------------

typedef enum firn_fluid_event {
    FIRN_FLUID_IN_SNOW,
    FIRN_FLUID_INSIDE,
    FIRN_FLUID_ON_SURFACE,
    FIRN_FLUID_OUTSIDE
} firn_fluid_event;

// Samples a free flight; *out_distance [m] to its end.
FIRN_FN firn_fluid_event firn_fluid_fly(firn_fluid_path* f, const firn_surface* fluid,
                                        float* out_distance)
{
    firn_path* p = &f->p;
    firn_walk* w = &f->w;
    const float voxel = (float)p->view->medium->voxel;
    const firn_f3 d = firn_path_f3(p->ray.direction);
    float scatter = FLT_MAX;  // [cells]
    if (fluid != NULL && fluid->scattering > 0)
        scatter = firn_exponential(firn_rng_unit(&p->r)) / (fluid->scattering * voxel);
    p->hit = firn_geometry_miss(0);
    firn_walk_launch(w, &p->r);
    if (!firn_walk_near_surface(w)) {
        const firn_flight flight = firn_walk_fly(w, d, scatter, true, &p->r);
        *out_distance = (flight == FIRN_FLIGHT_COLLIDED ? w->flown : scatter) * voxel;
        if (flight == FIRN_FLIGHT_COLLIDED) return FIRN_FLUID_IN_SNOW;
        if (flight == FIRN_FLIGHT_FAR) return FIRN_FLUID_INSIDE;
    }
    const float surface = firn_path_has_surfaces(p->view) ? firn_path_trace_surfaces(p) : FLT_MAX;
    const float far = firn_f_min(surface, scatter);
    if (w->flown < far && firn_walk_fly(w, d, far, false, &p->r) == FIRN_FLIGHT_COLLIDED) {
        *out_distance = w->flown * voxel;
        return FIRN_FLUID_IN_SNOW;
    }
    *out_distance = far < FLT_MAX ? far * voxel : 0;
    return !(far < FLT_MAX)     ? FIRN_FLUID_OUTSIDE
           : surface <= scatter ? FIRN_FLUID_ON_SURFACE
                                : FIRN_FLUID_INSIDE;
}

// ---- the path -----------------------------------------------------------------------------------

// Continues the path by one vertex; false: it has ended.
FIRN_FN bool firn_fluid_path_vertex(firn_fluid_path* f)
{
    const firn_path_view* view = f->p.view;
    const firn_surface* fluid = firn_fluid_of(view, f->inside);
    float distance;
    const firn_fluid_event e = firn_fluid_fly(f, fluid, &distance);
    if (fluid != NULL)
        f->p.weight = firn_rgb_mul(f->p.weight, firn_absorb(fluid->absorption, distance));
    if (e == FIRN_FLUID_IN_SNOW) return firn_fluid_scatter_in_snow(f);
    if (e == FIRN_FLUID_INSIDE) return firn_fluid_scatter_inside(f, distance);
    if (e == FIRN_FLUID_OUTSIDE) {
        firn_fluid_escape(f);
        return false;
    }
    if (!firn_fluid_is_interface(&f->p.hit)) return firn_fluid_scatter_on_surface(f);
    firn_fluid_cross(f);
    firn_walk_put(&f->w, firn_medium_to_cells(view->medium, f->p.ray.origin));
    return !firn_path_roulette(&f->p);
}

FIRN_FN firn_fluid_path firn_fluid_path_start(const firn_path_view* view, firn_ray ray, firn_rng r,
                                              firn_path_count* count)
{
    firn_fluid_path f;
    f.p = firn_path_start(view, ray, r, count, &f.w);
    f.inside = view->submerged;
    f.has_vertex = f.crossed = false;
    return f;
}
