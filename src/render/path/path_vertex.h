// SPDX-License-Identifier: MIT
// The scalar integrator, one vertex of a path at a time: a free flight, and what is at its end. For
// C (path.c) and CUDA, where each thread continues its path by one vertex and all threads of a warp
// meet again.
#pragma once
#include "render/path/path_steps.h"

// Samples a free flight that ends in the snow or at a surface. Traces surfaces only from cells near
// them: inside the snow a flight of a millimetre rarely needs a ray cast.
FIRN_FN firn_flight firn_path_fly(firn_path* p, firn_walk* w)
{
    const firn_f3 d = firn_path_f3(p->ray.direction);
    p->hit = firn_geometry_miss(0);
    firn_walk_launch(w, &p->r);
    if (!firn_path_has_surfaces(p->view)) return firn_walk_fly(w, d, FLT_MAX, false, &p->r);
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
FIRN_FN void firn_path_trace_shadow(firn_path* p, const firn_walk* w)
{
    const float far = firn_path_cells(p, p->shadow_distance);
    firn_path_add_direct(p, firn_walk_transmittance(*w, firn_path_f3(p->shadow.direction), far,
                                                    &p->r, &p->count->lookups));
}

// Continues the path by one vertex; false: it has ended.
FIRN_FN bool firn_path_vertex(firn_path* p, firn_walk* w)
{
    const firn_flight f = firn_path_fly(p, w);
    const bool in_snow = f == FIRN_FLIGHT_COLLIDED;
    if (!in_snow && f != FIRN_FLIGHT_FAR) {
        firn_path_escape(p);
        return false;
    }
    bool has_shadow;
    if (!(in_snow ? firn_path_scatter(p, w, &has_shadow) : firn_path_bounce(p, &has_shadow)))
        return false;
    if (!in_snow) firn_walk_put(w, firn_medium_to_cells(p->view->medium, p->ray.origin));
    if (has_shadow) firn_path_trace_shadow(p, w);
    if (!in_snow) return firn_path_sample_bsdf(p);
    firn_path_sample_phase(p);
    return true;
}

FIRN_FN firn_path firn_path_start(const firn_path_view* view, firn_ray ray, firn_rng r,
                                  firn_path_count* count, firn_walk* out_walk)
{
    *out_walk = firn_walk_begin(view->medium, firn_medium_to_cells(view->medium, ray.origin));
    return firn_path_begin(view, ray, r, count);
}
