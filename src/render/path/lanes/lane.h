// SPDX-License-Identifier: MIT
// A path in small steps, for GPUs: the integrator of path_vertex.h, taken apart such that the
// threads of a warp do the same thing at a time although their paths differ.
//
//     walk ──► COLLIDED ──► shadow ray, or TURNS ──► LAUNCHES ──► walk        the common turn
//          └─► LIT and dark ───────────────┘             │
//     walk ──► MEETS (surfaces) ◄────────────────────────┘                     the rare turn
//                └─► walk, ESCAPES, or BOUNCES ──► shadow ray, or TURNS on a surface
//          └─► LIT and seen ──► TURNS           ESCAPES ──► ENDED ──► next path
//
// A lane walks through the snow, cell by cell, along a flight or a shadow ray. Between walks it
// turns, in two kinds: what nearly all vertices in snow need, and what few need but would keep a
// warp as long, or longer. Whoever drives the lanes decides when they step and when they turn, and
// how many wait for the rare turn; the samples do not depend on it, since a lane's random numbers
// are its path's own. They are drawn in the order of path_vertex.h, which gives the same bits.
#pragma once
#include "render/path/path_vertex.h"

typedef enum firn_lane_state {
    FIRN_LANE_IDLE,      // has no path
    FIRN_LANE_WALKS,     // takes steps
    FIRN_LANE_COLLIDED,  // its flight ended in the snow
    FIRN_LANE_BOUNCES,   // its flight ended on a surface
    FIRN_LANE_LIT,       // its shadow ray has ended
    FIRN_LANE_TURNS,     // samples a new direction
    FIRN_LANE_LAUNCHES,  // begins a flight
    FIRN_LANE_MEETS,     // traces surfaces before it flies on
    FIRN_LANE_ESCAPES,   // to the sky
    FIRN_LANE_ENDED      // its sample is complete
} firn_lane_state;

typedef struct firn_lane {
    firn_path p;
    firn_walk w;
    int32_t state;        // firn_lane_state
    firn_f3 d, inverse;   // direction of the walk
    float far;            // [cells] where it ends
    float transmittance;  // of a shadow ray so far
    bool on_shadow_ray;   // else on a flight
    bool stops;           // a flight: at cells near surfaces
    bool on_surface;      // the vertex is on a surface, not in the snow
    firn_f3 vertex;       // [cells] where the shadow ray began
    int32_t vertex_cell[3];
} firn_lane;

FIRN_FN void firn_lane_start(firn_lane* l, const firn_path_view* view, firn_ray ray, firn_rng r,
                             firn_path_count* count)
{
    l->p = firn_path_start(view, ray, r, count, &l->w);
    l->state = FIRN_LANE_LAUNCHES;
}

// ---- walking ------------------------------------------------------------------------------------

FIRN_FN void firn_lane_aim(firn_lane* l, firn_vec3 direction)
{
    l->d = firn_path_f3(direction);
    l->inverse = FIRN_LIT(firn_f3){firn_walk_inverse(l->d.x), firn_walk_inverse(l->d.y),
                                   firn_walk_inverse(l->d.z)};
}

// False: the walk misses the snow.
FIRN_FN bool firn_lane_reaches_snow(firn_lane* l)
{
    return !l->w.outside || firn_walk_to_window(&l->w, l->d, l->inverse);
}

// A tentative collision, at the walk's position.
FIRN_FN void firn_lane_try(firn_lane* l)
{
    firn_walk* w = &l->w;
    const float u = firn_rng_unit(&l->p.r), next = firn_rng_unit(&l->p.r);
    const float sigma = firn_walk_extinction(w);
    w->lookups++;
    if (!l->on_shadow_ray) {
        if (u * w->majorant < sigma) {
            l->state = FIRN_LANE_COLLIDED;
            return;
        }
    } else {
        l->transmittance *= firn_f_max(0, 1 - sigma / w->majorant);
        if (l->transmittance < 0.5f) {  // as firn_walk_transmittance
            if (u * 0.5f >= l->transmittance) {
                l->transmittance = 0;
                l->state = FIRN_LANE_LIT;
                return;
            }
            l->transmittance = 0.5f;
        }
    }
    w->depth = firn_exponential(next);
}

// What comes after a walk that did not collide. `out`: it left the window, else it came to `far`.
FIRN_FN int32_t firn_lane_after(const firn_lane* l, bool out)
{
    if (l->on_shadow_ray) return FIRN_LANE_LIT;
    if (l->stops) return FIRN_LANE_MEETS;
    return out && !(l->far < FLT_MAX) ? FIRN_LANE_ESCAPES : FIRN_LANE_BOUNCES;
}

// One step of a lane that walks: to a tentative collision, or to the next cell (in air: block).
FIRN_FN void firn_lane_step(firn_lane* l)
{
    firn_walk* w = &l->w;
    int axis;
    const float s = firn_walk_exit(w, l->inverse, &axis), through = w->majorant * s;
    const bool tries = w->depth < through;
    const float way = tries ? w->depth / w->majorant : s;
    if (!tries) w->depth -= through;
    if (w->flown + way >= l->far) {
        l->state = firn_lane_after(l, false);
        return;
    }
    if (tries) {
        w->flown += way;
        w->p =
            FIRN_LIT(firn_f3){w->p.x + way * l->d.x, w->p.y + way * l->d.y, w->p.z + way * l->d.z};
        firn_lane_try(l);
        return;
    }
    firn_walk_cross(w, l->d, l->inverse, s, axis);
    if (w->outside)
        l->state = firn_lane_after(l, true);
    else if (l->stops && firn_walk_near_surface(w))
        l->state = FIRN_LANE_MEETS;
}

// ---- turning ------------------------------------------------------------------------------------

// Sends the shadow ray of the path's NEE sample.
FIRN_FN void firn_lane_ask_light(firn_lane* l)
{
    l->vertex = l->w.p;
    for (int a = 0; a < 3; a++) l->vertex_cell[a] = l->w.cell[a];
    firn_lane_aim(l, l->p.shadow.direction);
    l->far = firn_path_cells(&l->p, l->p.shadow_distance);
    l->on_shadow_ray = true;
    l->stops = false;
    l->transmittance = 1;
    l->w.flown = 0;
    l->state = FIRN_LANE_LIT;
    if (!firn_lane_reaches_snow(l)) return;
    l->w.depth = firn_exponential(firn_rng_unit(&l->p.r));
    l->state = FIRN_LANE_WALKS;
}

FIRN_FN void firn_lane_vertex(firn_lane* l, bool on_surface)
{
    bool has_shadow;
    l->on_surface = on_surface;
    if (!(on_surface ? firn_path_bounce(&l->p, &has_shadow)
                     : firn_path_scatter(&l->p, &l->w, &has_shadow))) {
        l->state = FIRN_LANE_ENDED;
        return;
    }
    if (on_surface) firn_walk_put(&l->w, firn_medium_to_cells(l->p.view->medium, l->p.ray.origin));
    l->state = FIRN_LANE_TURNS;
    if (has_shadow) firn_lane_ask_light(l);
}

// Back at the vertex.
FIRN_FN void firn_lane_light(firn_lane* l)
{
    firn_path_add_direct(&l->p, l->transmittance);
    l->w.p = l->vertex;
    for (int a = 0; a < 3; a++) l->w.cell[a] = l->vertex_cell[a];
    firn_walk_enter(&l->w);
    l->state = FIRN_LANE_TURNS;
}

FIRN_FN void firn_lane_new_direction(firn_lane* l)
{
    l->state = FIRN_LANE_LAUNCHES;
    if (!l->on_surface)
        firn_path_sample_phase(&l->p);
    else if (!firn_path_sample_bsdf(&l->p))
        l->state = FIRN_LANE_ENDED;
}

// Begins a flight: as firn_path_fly, up to where it traces surfaces. The last hit is left as it
// was: nothing reads it before the next.
FIRN_FN void firn_lane_launch(firn_lane* l)
{
    const bool surfaces = firn_path_has_surfaces(l->p.view);
    firn_lane_aim(l, l->p.ray.direction);
    firn_walk_launch(&l->w, &l->p.r);
    l->on_shadow_ray = false;
    l->stops = surfaces;
    l->far = FLT_MAX;
    if (surfaces)
        l->state = firn_walk_near_surface(&l->w) ? FIRN_LANE_MEETS : FIRN_LANE_WALKS;
    else
        l->state = firn_lane_reaches_snow(l) ? FIRN_LANE_WALKS : FIRN_LANE_ESCAPES;
}

FIRN_FN void firn_lane_meet(firn_lane* l)
{
    l->far = firn_path_trace_surfaces(&l->p);
    l->stops = false;
    if (l->w.flown >= l->far)
        l->state = FIRN_LANE_BOUNCES;
    else
        l->state = firn_lane_reaches_snow(l) ? FIRN_LANE_WALKS : firn_lane_after(l, true);
}

// A turn that waits for others of its kind: at surfaces, to the sky, or for another path. In snow
// one vertex in ten has one, but nearly every turn of a warp would.
FIRN_FN bool firn_lane_is_rare(const firn_lane* l)
{
    if (l->state == FIRN_LANE_LIT) return l->transmittance > 0;
    if (l->state == FIRN_LANE_TURNS) return l->on_surface;
    return l->state == FIRN_LANE_BOUNCES || l->state == FIRN_LANE_MEETS ||
           l->state == FIRN_LANE_ESCAPES || l->state == FIRN_LANE_ENDED;
}

// What comes between two walks in the snow.
FIRN_FN void firn_lane_turn(firn_lane* l)
{
    if (l->state == FIRN_LANE_COLLIDED) firn_lane_vertex(l, false);
    if (l->state == FIRN_LANE_LIT && !firn_lane_is_rare(l)) firn_lane_light(l);
    if (l->state == FIRN_LANE_TURNS && !l->on_surface) firn_lane_new_direction(l);
    if (l->state == FIRN_LANE_LAUNCHES) firn_lane_launch(l);
}

// The rare turns, up to the end of the path; the driver gives lanes that have ended another one.
FIRN_FN void firn_lane_turn_rarely(firn_lane* l)
{
    if (l->state == FIRN_LANE_MEETS) firn_lane_meet(l);
    if (l->state == FIRN_LANE_BOUNCES) firn_lane_vertex(l, true);
    if (l->state == FIRN_LANE_LIT) firn_lane_light(l);
    if (l->state == FIRN_LANE_TURNS && l->on_surface) firn_lane_new_direction(l);
    if (l->state == FIRN_LANE_ESCAPES) {
        firn_path_escape(&l->p);
        l->state = FIRN_LANE_ENDED;
    }
}
