// SPDX-License-Identifier: MIT
// The plain loop, one path at a time: it reads like the text, and the fast one must agree with it.
#include "render/path/path.h"

#include "render/path/path_cpu.h"
#include "render/path/path_steps.h"

// Flies until the snow or a body stops it. Bodies are asked only where they may be: within clear
// snow a flight of a millimetre need not know of them.
static firn_flight fly(firn_path* p, firn_walk* w)
{
    const firn_f3 d = firn_path_f3(p->ray.direction);
    p->hit = FIRN_LIT(firn_surface_hit){.surface = NULL, .light = -1};
    firn_walk_launch(w, &p->r);
    if (p->view->geometry == NULL) return firn_walk_fly(w, d, FLT_MAX, false, &p->r);
    if (!firn_walk_guarded(w)) {
        const firn_flight f = firn_walk_fly(w, d, FLT_MAX, true, &p->r);
        if (f == FIRN_FLIGHT_COLLIDED) return f;
    }
    const float far = firn_path_look_ahead(p);
    if (w->flown >= far) return FIRN_FLIGHT_FAR;
    const firn_flight f = firn_walk_fly(w, d, far, false, &p->r);
    return f == FIRN_FLIGHT_OUT && far < FLT_MAX ? FIRN_FLIGHT_FAR : f;
}

// The light that was asked, through the snow.
static void follow_shadow(firn_path* p, const firn_walk* w)
{
    const float far = firn_path_cells(p, p->shadow_distance);
    firn_path_lit(p, firn_walk_transmittance(*w, firn_path_f3(p->shadow.direction), far, &p->r,
                                             &p->count->lookups));
}

static bool turn_in_snow(firn_path* p, firn_walk* w)
{
    bool asked;
    if (!firn_path_scatter(p, w, &asked)) return false;
    if (asked) follow_shadow(p, w);
    firn_path_scatter_on(p);
    return true;
}

static bool turn_on_surface(firn_path* p, firn_walk* w)
{
    bool asked;
    if (!firn_path_bounce(p, &asked)) return false;
    firn_walk_put(w, firn_medium_to_cells(p->view->medium, p->ray.origin));
    if (asked) follow_shadow(p, w);
    return firn_path_bounce_on(p);
}

firn_film_sample firn_path_trace(const firn_path_view* view, firn_ray ray, firn_rng r,
                                 firn_path_count* count)
{
    firn_path p = firn_path_begin(view, ray, r, count);
    firn_walk w = {.m = view->medium};
    firn_walk_put(&w, firn_medium_to_cells(view->medium, ray.origin));
    bool goes_on = true;
    while (goes_on) {
        switch (fly(&p, &w)) {
        case FIRN_FLIGHT_COLLIDED: goes_on = turn_in_snow(&p, &w); break;
        case FIRN_FLIGHT_FAR: goes_on = turn_on_surface(&p, &w); break;
        default: firn_path_escape(&p); goes_on = false;
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
