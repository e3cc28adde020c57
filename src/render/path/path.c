// SPDX-License-Identifier: MIT
// The scalar integrator, one path at a time: the reference for simd/path_simd.c, which must give
// the same bits.
#include "render/path/path.h"

#include "render/path/path_steps.h"
#include "render/path/simd/path_cpu.h"

// Samples a free flight that ends in the snow or at a surface. Traces surfaces only from cells near
// them: inside the snow a flight of a millimetre rarely needs a ray cast.
static firn_flight sample_flight(firn_path* p, firn_walk* w)
{
    const firn_f3 d = firn_path_f3(p->ray.direction);
    p->hit = FIRN_LIT(firn_surface_hit){.surface = NULL, .light = -1};
    firn_walk_launch(w, &p->r);
    if (p->view->geometry == NULL) return firn_walk_fly(w, d, FLT_MAX, false, &p->r);
    if (!firn_walk_near_surface(w)) {
        const firn_flight f = firn_walk_fly(w, d, FLT_MAX, true, &p->r);
        if (f == FIRN_FLIGHT_COLLIDED) return f;
    }
    const float far = firn_path_trace_surfaces(p);
    if (w->flown >= far) return FIRN_FLIGHT_FAR;
    const firn_flight f = firn_walk_fly(w, d, far, false, &p->r);
    return f == FIRN_FLIGHT_OUT && far < FLT_MAX ? FIRN_FLIGHT_FAR : f;
}

// Adds the NEE contribution, attenuated by the snow.
static void trace_shadow(firn_path* p, const firn_walk* w)
{
    const float far = firn_path_cells(p, p->shadow_distance);
    firn_path_add_direct(p, firn_walk_transmittance(*w, firn_path_f3(p->shadow.direction), far,
                                                    &p->r, &p->count->lookups));
}

static bool scatter_in_snow(firn_path* p, firn_walk* w)
{
    bool has_shadow;
    if (!firn_path_scatter(p, w, &has_shadow)) return false;
    if (has_shadow) trace_shadow(p, w);
    firn_path_sample_phase(p);
    return true;
}

static bool scatter_on_surface(firn_path* p, firn_walk* w)
{
    bool has_shadow;
    if (!firn_path_bounce(p, &has_shadow)) return false;
    firn_walk_put(w, firn_medium_to_cells(p->view->medium, p->ray.origin));
    if (has_shadow) trace_shadow(p, w);
    return firn_path_sample_bsdf(p);
}

firn_film_sample firn_path_trace(const firn_path_view* view, firn_ray ray, firn_rng r,
                                 firn_path_count* count)
{
    firn_path p = firn_path_begin(view, ray, r, count);
    firn_walk w = {.m = view->medium};
    firn_walk_put(&w, firn_medium_to_cells(view->medium, ray.origin));
    bool continues = true;
    while (continues) {
        switch (sample_flight(&p, &w)) {
        case FIRN_FLIGHT_COLLIDED: continues = scatter_in_snow(&p, &w); break;
        case FIRN_FLIGHT_FAR: continues = scatter_on_surface(&p, &w); break;
        default: firn_path_escape(&p); continues = false;
        }
    }
    count->lookups += w.lookups;
    return firn_path_end(&p);
}

void firn_paths_trace_level1(const firn_path_view* view, const firn_path_job* jobs, int64_t count,
                             firn_film_sample* samples, firn_path_count* tally)
{
    for (int64_t k = 0; k < count; k++)
        samples[k] = firn_path_trace(view, jobs[k].ray, jobs[k].rng, tally);
}
