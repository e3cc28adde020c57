// SPDX-License-Identifier: MIT
#include "render/path/path.h"

#include "render/path/phase.h"

// A path on its way.
typedef struct path {
    const firn_path_view* view;
    firn_rng* r;
    firn_path_count* count;
    firn_walk walk;
    firn_ray ray;          // of this flight
    firn_rgb weight;       // of light that comes back along the ray
    firn_rgb light;        // gathered so far
    float pdf;             // [1/sr] of the ray's direction; 0: it was not chosen by chance
    firn_surface_hit hit;  // what stops the ray, once asked
    firn_film_sample seen;
    bool has_seen;
} path;

static float largest(firn_rgb c)
{
    return fmaxf(c.r, fmaxf(c.g, c.b));
}

static firn_f3 to_f3(firn_vec3 v)
{
    return FIRN_LIT(firn_f3){(float)v.x, (float)v.y, (float)v.z};
}

static firn_vec3 to_vec3(firn_f3 v)
{
    return firn_v3((firn_real)v.x, (firn_real)v.y, (firn_real)v.z);
}

// The first thing that the camera sees through this sample.
static void see(path* p, firn_rgb albedo, firn_vec3 normal, float depth)
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
static bool roulette(path* p)
{
    const float enough = 0.25f, w = largest(p->weight);
    if (w >= enough) return false;
    if (firn_rng_unit(p->r) * enough >= w) return true;
    p->weight = firn_rgb_scale(p->weight, enough / w);
    return false;
}

// Share of a light's radiance that arrives at the walk's place: through snow, past bodies.
static float visible(path* p, firn_ray ray, float distance)
{
    const float cells = distance < FLT_MAX ? distance / (float)p->view->medium->voxel : FLT_MAX;
    const float share =
        firn_walk_transmittance(p->walk, to_f3(ray.direction), cells, p->r, &p->count->lookups);
    if (!(share > 0) || p->view->geometry == NULL) return share;
    p->count->asked++;
    return firn_geometry_blocked(p->view->geometry, ray, distance) ? 0 : share;
}

static void ask_light_in_snow(path* p, firn_vec3 x, firn_f3 d)
{
    firn_light_sample s;
    if (!firn_lights_sample(p->view->lights, x, p->r, &s) || !(s.pdf > 0)) return;
    const firn_f3 to = to_f3(s.to);
    const float phase = firn_phase_value(p->view->medium->g, d.x * to.x + d.y * to.y + d.z * to.z);
    const float share = visible(p, FIRN_LIT(firn_ray){x, s.to}, s.distance);
    if (!(share > 0)) return;
    // phase is both the value and the density with which this direction would have been chosen
    const float scale = share * phase / (s.pdf + phase);
    p->light = firn_rgb_madd(p->light, scale, firn_rgb_mul(p->weight, s.radiance));
}

// A scattering at the walk's place. False: the path ends.
static bool scatter(path* p)
{
    const firn_medium* m = p->view->medium;
    const firn_f3 d = to_f3(p->ray.direction);
    const firn_vec3 x = firn_medium_to_world(m, p->walk.p);
    const firn_rgb albedo = firn_rgb_of(m->albedo[0], m->albedo[1], m->albedo[2]);
    if (!p->has_seen) {
        const firn_vec3 out = to_vec3(firn_walk_outward(&p->walk));
        const firn_vec3 back = firn_v3_scale(p->ray.direction, -1);
        see(p, albedo, firn_v3_normalize(out, back), p->walk.flown * (float)m->voxel);
    }
    p->count->events++;
    p->weight = firn_rgb_mul(p->weight, albedo);
    if (roulette(p)) return false;
    ask_light_in_snow(p, x, d);
    p->ray.origin = x;
    p->ray.direction = to_vec3(firn_phase_sample(m->g, d, p->r, &p->pdf));
    return true;
}

static void ask_light_on_surface(path* p, firn_vec3 x, firn_vec3 from)
{
    firn_light_sample s;
    if (!firn_lights_sample(p->view->lights, x, p->r, &s) || !(s.pdf > 0)) return;
    float pdf;
    const firn_rgb f = firn_surface_eval(p->hit.surface, p->hit.normal, from, s.to, &pdf);
    if (!(largest(f) > 0)) return;
    const float share = visible(p, FIRN_LIT(firn_ray){x, s.to}, s.distance);
    if (!(share > 0)) return;
    p->light = firn_rgb_madd(p->light, share / (s.pdf + pdf),
                             firn_rgb_mul(p->weight, firn_rgb_mul(f, s.radiance)));
}

// The ray met a body. False: the path ends.
static bool bounce(path* p)
{
    const firn_vec3 from = firn_v3_scale(p->ray.direction, -1);
    if (p->hit.light >= 0) {
        float pdf;
        const firn_rgb radiance =
            firn_lights_hit(p->view->lights, p->hit.light, p->ray.direction, p->hit.t, &pdf);
        const float share = p->pdf > 0 ? p->pdf / (p->pdf + pdf) : 1;
        p->light = firn_rgb_madd(p->light, share, firn_rgb_mul(p->weight, radiance));
        see(p, firn_rgb_of(1, 1, 1), p->hit.normal, p->hit.t);
        return false;
    }
    see(p, p->hit.surface->colour, p->hit.normal, p->hit.t);
    p->count->bounces++;
    const firn_vec3 x = firn_geometry_leave(&p->hit);
    firn_walk_put(&p->walk, firn_medium_to_cells(p->view->medium, x));
    ask_light_on_surface(p, x, from);
    const firn_scatter s = firn_surface_sample(p->hit.surface, p->hit.normal, from, p->r);
    p->weight = firn_rgb_mul(p->weight, s.weight);
    p->pdf = s.pdf;
    p->ray = FIRN_LIT(firn_ray){x, s.to};
    return largest(p->weight) > 0 && !roulette(p);
}

static void escape(path* p)
{
    float pdf;
    const firn_rgb radiance = firn_lights_escape(p->view->lights, p->ray.direction, &pdf);
    const float share = p->pdf > 0 ? p->pdf / (p->pdf + pdf) : 1;
    p->light = firn_rgb_madd(p->light, share, firn_rgb_mul(p->weight, radiance));
}

// Flies until the snow or a body stops it. Bodies are asked only where they may be: within clear
// snow a flight of a millimetre need not know of them.
static firn_flight fly(path* p)
{
    const float per_metre = 1 / (float)p->view->medium->voxel;
    const firn_f3 d = to_f3(p->ray.direction);
    p->hit = FIRN_LIT(firn_surface_hit){.surface = NULL, .light = -1};
    firn_walk_launch(&p->walk, p->r);
    if (p->view->geometry == NULL) return firn_walk_fly(&p->walk, d, FLT_MAX, false, p->r);
    if (!firn_walk_guarded(&p->walk)) {
        const firn_flight f = firn_walk_fly(&p->walk, d, FLT_MAX, true, p->r);
        if (f == FIRN_FLIGHT_COLLIDED) return f;
    }
    p->count->asked++;
    p->hit = firn_geometry_trace(p->view->geometry, p->ray, FLT_MAX);
    const bool is_hit = p->hit.surface != NULL || p->hit.light >= 0;
    const float far = is_hit ? p->hit.t * per_metre : FLT_MAX;
    if (p->walk.flown >= far) return FIRN_FLIGHT_FAR;
    const firn_flight f = firn_walk_fly(&p->walk, d, far, false, p->r);
    return f == FIRN_FLIGHT_OUT && is_hit ? FIRN_FLIGHT_FAR : f;
}

firn_film_sample firn_path_trace(const firn_path_view* view, firn_ray ray, firn_rng* r,
                                 firn_path_count* count)
{
    path p = {.view = view,
              .r = r,
              .count = count,
              .walk = {.m = view->medium},
              .ray = ray,
              .weight = {1, 1, 1}};
    firn_walk_put(&p.walk, firn_medium_to_cells(view->medium, ray.origin));
    bool goes_on = true;
    while (goes_on) {
        switch (fly(&p)) {
        case FIRN_FLIGHT_COLLIDED: goes_on = scatter(&p); break;
        case FIRN_FLIGHT_FAR: goes_on = bounce(&p); break;
        default: escape(&p); goes_on = false;
        }
    }
    count->lookups += p.walk.lookups;
    p.seen.light = p.light;
    return p.seen;
}
