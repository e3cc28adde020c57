// SPDX-License-Identifier: MIT
// Per-lane state of path_simd.c, and the events that are handled for one lane at a time by the
// scalar functions of path_steps.h. Included by path_simd.c only, which is compiled once per SIMD
// level.
#pragma once
#include "render/path/path_steps.h"
#include "render/path/simd/vec8.h"

typedef enum lane_role {
    LANE_FLIGHT,
    LANE_SHADOW_SNOW,    // shadow ray from a vertex in the snow
    LANE_SHADOW_SURFACE  // shadow ray from a surface
} lane_role;

// What happened to a lane, or what it has to do next.
typedef enum lane_event {
    LANE_FLYING,
    LANE_COLLIDED,
    LANE_FAR,
    LANE_NEAR_SURFACE,
    LANE_OUT,
    LANE_START_FLIGHT,  // start a flight along a new ray
    LANE_SKIP_AIR,      // advance along the ray to the next cell with snow
    LANE_START_SHADOW,  // start a shadow ray
    LANE_SHADOW_ENDED,  // the shadow ray has ended
    LANE_ENDED
} lane_event;

// Positions of the lanes, with the data of their cells (walk.h).
typedef struct lane_position {
    firn_vec8f p[3];  // [cells]
    firn_vec8i cell[3], block, near_surface;
    firn_vec8f nee_rarity;  // 2^k of the cell
    firn_vec8f c[8], majorant;
} lane_position;

typedef struct lane_batch {
    lane_position here, vertex;  // vertex: the last path vertex, where shadow rays start
    firn_vec8f d[3], inverse[3];
    firn_vec8f vertex_d[3];  // direction of the flight that ended there
    firn_vec8f flown, depth, far;
    firn_vec8f transmittance;                  // of shadow rays
    firn_vec8f weight[3], pdf;                 // of the path
    firn_vec8f shadow_light[3], shadow_scale;  // unoccluded NEE contribution
    firn_vec8i active;                         // -1: the lane is in flight
    firn_vec8i shadows;                        // -1: it is a shadow ray
    firn_vec8i stops_near_surface;             // -1: it stops at cells near surfaces
    firn_vec8i sun_only;  // -1: scattering can be done in SIMD: only the sun is sampled
    firn_vec8u rng[4];
    lane_role role[8];
    bool ray_is_stale[8];    // path[].ray must be updated from vertex
    bool vertex_outside[8];  // vertex lies outside the window
    firn_path path[8];       // in flight, weight, pdf, rng and ray are in the vectors instead
    int64_t job[8];
} lane_batch;

typedef struct tracer {
    lane_batch s;
    const firn_path_view* view;
    const firn_path_job* jobs;
    firn_film_sample* samples;
    int64_t count, next;  // jobs
    firn_path_count* tally;
} tracer;

// ---- positions ----------------------------------------------------------------------------------

static inline void select_position(lane_position* to, const lane_position* from, firn_vec8i mask)
{
    for (int a = 0; a < 3; a++) {
        to->p[a] = firn_vec8f_select(mask, from->p[a], to->p[a]);
        to->cell[a] = firn_vec8i_select(mask, from->cell[a], to->cell[a]);
    }
    for (int a = 0; a < 8; a++) to->c[a] = firn_vec8f_select(mask, from->c[a], to->c[a]);
    to->majorant = firn_vec8f_select(mask, from->majorant, to->majorant);
    to->block = firn_vec8i_select(mask, from->block, to->block);
    to->near_surface = firn_vec8i_select(mask, from->near_surface, to->near_surface);
    to->nee_rarity = firn_vec8f_select(mask, from->nee_rarity, to->nee_rarity);
}

static inline void save_vertex(lane_batch* s, firn_vec8i mask)
{
    select_position(&s->vertex, &s->here, mask);
    for (int a = 0; a < 3; a++) s->vertex_d[a] = firn_vec8f_select(mask, s->d[a], s->vertex_d[a]);
}

static void write_cell(lane_position* at, int l, const firn_walk* w)
{
    for (int a = 0; a < 3; a++) at->cell[a][l] = w->cell[a];
    at->block[l] = w->block;
    at->near_surface[l] = firn_walk_near_surface(w) ? -1 : 0;
    at->nee_rarity[l] = (float)(1 << (w->flags >> 1));
    at->majorant[l] = w->majorant;
    for (int k = 0; k < 8; k++) at->c[k][l] = w->c[k];
}

static void write_position(lane_position* at, int l, const firn_walk* w)
{
    at->p[0][l] = w->p.x;
    at->p[1][l] = w->p.y;
    at->p[2][l] = w->p.z;
    write_cell(at, l, w);
}

static uint8_t flags_of(const firn_medium* m, int32_t block, int32_t x, int32_t y, int32_t z)
{
    return m->cells[block][((z & 7) * 8 + (y & 7)) * 8 + (x & 7)];
}

static firn_walk read_walk(const tracer* k, const lane_position* at, int l)
{
    firn_walk w = {.m = k->view->medium, .block = at->block[l], .majorant = at->majorant[l]};
    if (w.block >= 0)
        w.flags = flags_of(w.m, w.block, at->cell[0][l], at->cell[1][l], at->cell[2][l]);
    w.p = FIRN_LIT(firn_f3){at->p[0][l], at->p[1][l], at->p[2][l]};
    for (int a = 0; a < 3; a++) w.cell[a] = at->cell[a][l];
    for (int i = 0; i < 8; i++) w.c[i] = at->c[i][l];
    return w;
}

// ---- transfer between vectors and paths ---------------------------------------------------------

// Copies a lane from the vectors to its path and returns its walk.
static firn_walk extract_lane(tracer* k, int l)
{
    lane_batch* s = &k->s;
    firn_path* p = &s->path[l];
    s->active[l] = 0;
    for (int i = 0; i < 4; i++) p->r.s[i] = s->rng[i][l];
    p->weight = firn_rgb_of(s->weight[0][l], s->weight[1][l], s->weight[2][l]);
    p->pdf = s->pdf[l];
    if (s->ray_is_stale[l]) {
        const firn_f3 from = {s->vertex.p[0][l], s->vertex.p[1][l], s->vertex.p[2][l]};
        const firn_f3 d = {s->vertex_d[0][l], s->vertex_d[1][l], s->vertex_d[2][l]};
        p->ray = FIRN_LIT(firn_ray){firn_medium_to_world(k->view->medium, from), firn_path_vec3(d)};
        s->ray_is_stale[l] = false;
    }
    firn_walk w = read_walk(k, &s->here, l);
    w.flown = s->flown[l];
    return w;
}

static void insert_lane(tracer* k, int l, const firn_walk* w)
{
    lane_batch* s = &k->s;
    const firn_path* p = &s->path[l];
    write_position(&s->here, l, w);
    s->flown[l] = w->flown;
    for (int i = 0; i < 4; i++) s->rng[i][l] = p->r.s[i];
    s->weight[0][l] = p->weight.r;
    s->weight[1][l] = p->weight.g;
    s->weight[2][l] = p->weight.b;
    s->pdf[l] = p->pdf;
    s->sun_only[l] = p->has_first_hit && k->view->lights->only_sun ? -1 : 0;
    s->active[l] = -1;
}

static void set_direction(lane_batch* s, int l, firn_vec3 direction)
{
    const firn_f3 d = firn_path_f3(direction);
    s->d[0][l] = d.x;
    s->d[1][l] = d.y;
    s->d[2][l] = d.z;
    s->inverse[0][l] = firn_walk_inverse(d.x);
    s->inverse[1][l] = firn_walk_inverse(d.y);
    s->inverse[2][l] = firn_walk_inverse(d.z);
}

static firn_f3 lane_direction(const lane_batch* s, int l)
{
    return FIRN_LIT(firn_f3){s->d[0][l], s->d[1][l], s->d[2][l]};
}

static firn_f3 lane_inverse(const lane_batch* s, int l)
{
    return FIRN_LIT(firn_f3){s->inverse[0][l], s->inverse[1][l], s->inverse[2][l]};
}

// ---- events of a lane ---------------------------------------------------------------------------

// Advances into the window and through empty blocks until a cell with snow.
static lane_event skip_air(tracer* k, int l, firn_walk* w)
{
    const lane_batch* s = &k->s;
    const firn_f3 d = lane_direction(s, l), inverse = lane_inverse(s, l);
    if (w->outside && !firn_walk_to_window(w, d, inverse)) return LANE_OUT;
    while (w->block < 0) {
        int axis;
        const float step = firn_walk_exit(w, inverse, &axis);
        if (w->flown + step >= s->far[l]) return LANE_FAR;
        firn_walk_cross(w, d, inverse, step, axis);
        if (w->outside) return LANE_OUT;
    }
    return LANE_FLYING;
}

static lane_event start_flight(tracer* k, int l, firn_walk* w)
{
    lane_batch* s = &k->s;
    firn_path* p = &s->path[l];
    s->role[l] = LANE_FLIGHT;
    s->shadows[l] = 0;
    s->far[l] = FLT_MAX;
    set_direction(s, l, p->ray.direction);
    p->hit = FIRN_LIT(firn_surface_hit){.surface = NULL, .light = -1};
    w->flown = 0;
    s->depth[l] = firn_exponential(firn_rng_unit(&p->r));
    const bool guards = firn_path_has_surfaces(p->view);
    s->stops_near_surface[l] = guards ? -1 : 0;
    return guards && firn_walk_near_surface(w) ? LANE_NEAR_SURFACE : LANE_SKIP_AIR;
}

static lane_event trace_surfaces(tracer* k, int l, const firn_walk* w)
{
    lane_batch* s = &k->s;
    s->stops_near_surface[l] = 0;
    s->far[l] = firn_path_trace_surfaces(&s->path[l]);
    return w->flown >= s->far[l] ? LANE_FAR : LANE_SKIP_AIR;
}

static lane_event start_shadow(tracer* k, int l, firn_walk* w)
{
    lane_batch* s = &k->s;
    firn_path* p = &s->path[l];
    write_position(&s->vertex, l, w);
    s->vertex_d[0][l] = (float)p->ray.direction.x;
    s->vertex_d[1][l] = (float)p->ray.direction.y;
    s->vertex_d[2][l] = (float)p->ray.direction.z;
    s->vertex_outside[l] = w->outside;
    s->shadows[l] = -1;
    s->transmittance[l] = 1;
    s->stops_near_surface[l] = 0;
    s->far[l] = firn_path_cells(p, p->shadow_distance);
    s->shadow_light[0][l] = p->shadow_light.r;
    s->shadow_light[1][l] = p->shadow_light.g;
    s->shadow_light[2][l] = p->shadow_light.b;
    s->shadow_scale[l] = p->shadow_scale;
    set_direction(s, l, p->shadow.direction);
    w->flown = 0;
    // the first depth is drawn only if the ray meets the window, as in firn_walk_transmittance
    if (w->outside && !firn_walk_to_window(w, lane_direction(s, l), lane_inverse(s, l)))
        return LANE_OUT;
    s->depth[l] = firn_exponential(firn_rng_unit(&p->r));
    return LANE_SKIP_AIR;
}

static lane_event finish_shadow(tracer* k, int l, firn_walk* w)
{
    lane_batch* s = &k->s;
    firn_path* p = &s->path[l];
    firn_path_add_direct(p, s->transmittance[l]);
    *w = read_walk(k, &s->vertex, l);
    w->outside = s->vertex_outside[l];
    if (s->role[l] == LANE_SHADOW_SURFACE)
        return firn_path_sample_bsdf(p) ? LANE_START_FLIGHT : LANE_ENDED;
    firn_path_sample_phase(p);
    return LANE_START_FLIGHT;
}

static lane_event scatter(tracer* k, int l, const firn_walk* w)
{
    firn_path* p = &k->s.path[l];
    bool has_shadow;
    if (!firn_path_scatter(p, w, &has_shadow)) return LANE_ENDED;
    k->s.role[l] = LANE_SHADOW_SNOW;
    if (has_shadow) return LANE_START_SHADOW;
    firn_path_sample_phase(p);
    return LANE_START_FLIGHT;
}

static lane_event bounce(tracer* k, int l, firn_walk* w)
{
    firn_path* p = &k->s.path[l];
    bool has_shadow;
    if (!firn_path_bounce(p, &has_shadow)) return LANE_ENDED;
    firn_walk_put(w, firn_medium_to_cells(k->view->medium, p->ray.origin));
    k->s.role[l] = LANE_SHADOW_SURFACE;
    if (has_shadow) return LANE_START_SHADOW;
    return firn_path_sample_bsdf(p) ? LANE_START_FLIGHT : LANE_ENDED;
}

// The flight has left the window.
static lane_event leave_window(tracer* k, int l)
{
    if (k->s.stops_near_surface[l]) return LANE_NEAR_SURFACE;
    if (k->s.far[l] < FLT_MAX) return LANE_FAR;
    firn_path_escape(&k->s.path[l]);
    return LANE_ENDED;
}

// Starts the next path in the lane; false: there is none.
static bool refill(tracer* k, int l, firn_walk* w)
{
    if (k->next >= k->count) return false;
    const firn_path_job* job = &k->jobs[k->next];
    k->s.job[l] = k->next++;
    k->s.path[l] = firn_path_begin(k->view, job->ray, job->rng, k->tally);
    k->s.ray_is_stale[l] = false;
    *w = FIRN_LIT(firn_walk){.m = k->view->medium};
    firn_walk_put(w, firn_medium_to_cells(k->view->medium, job->ray.origin));
    return true;
}

// Handles events of a lane until it is in flight again or no paths are left.
static void run_events(tracer* k, int l, lane_event event, firn_walk w)
{
    lane_batch* s = &k->s;
    for (;;) {
        const bool is_shadow = s->role[l] != LANE_FLIGHT;
        switch (event) {
        case LANE_START_FLIGHT: event = start_flight(k, l, &w); break;
        case LANE_NEAR_SURFACE: event = trace_surfaces(k, l, &w); break;
        case LANE_SKIP_AIR: event = skip_air(k, l, &w); break;
        case LANE_OUT: event = is_shadow ? LANE_SHADOW_ENDED : leave_window(k, l); break;
        case LANE_FAR: event = is_shadow ? LANE_SHADOW_ENDED : bounce(k, l, &w); break;
        case LANE_COLLIDED: event = scatter(k, l, &w); break;
        case LANE_START_SHADOW: event = start_shadow(k, l, &w); break;
        case LANE_SHADOW_ENDED: event = finish_shadow(k, l, &w); break;
        case LANE_ENDED:
            k->samples[s->job[l]] = firn_path_end(&s->path[l]);
            if (!refill(k, l, &w)) return;
            event = LANE_START_FLIGHT;
            break;
        default: insert_lane(k, l, &w); return;
        }
    }
}

// A shadow ray has ended. Returns the lane's bit if it can continue in SIMD.
static unsigned end_shadow(tracer* k, int l)
{
    lane_batch* s = &k->s;
    if (s->role[l] != LANE_SHADOW_SNOW || !s->sun_only[l]) {
        run_events(k, l, LANE_SHADOW_ENDED, extract_lane(k, l));
        return 0;
    }
    if (s->transmittance[l] > 0) {
        firn_path* p = &s->path[l];
        const firn_f3 from = {s->vertex.p[0][l], s->vertex.p[1][l], s->vertex.p[2][l]};
        p->shadow = FIRN_LIT(firn_ray){firn_medium_to_world(k->view->medium, from),
                                       firn_path_vec3(lane_direction(s, l))};
        p->shadow_distance = FLT_MAX;
        p->shadow_light =
            firn_rgb_of(s->shadow_light[0][l], s->shadow_light[1][l], s->shadow_light[2][l]);
        p->shadow_scale = s->shadow_scale[l];
        firn_path_add_direct(p, s->transmittance[l]);
    }
    return 1u << l;
}

// A lane has entered another cell: reads it. Returns the lane's bit if its shadow ray ended and it
// can continue in SIMD.
static unsigned enter_cell(tracer* k, int l)
{
    lane_batch* s = &k->s;
    firn_walk w = {.m = k->view->medium};
    for (int a = 0; a < 3; a++) w.cell[a] = s->here.cell[a][l];
    firn_walk_enter(&w);
    const bool stops = s->stops_near_surface[l] && firn_walk_near_surface(&w);
    if (w.block >= 0 && !stops) {
        write_cell(&s->here, l, &w);
        return 0;
    }
    w.p = FIRN_LIT(firn_f3){s->here.p[0][l], s->here.p[1][l], s->here.p[2][l]};
    w.flown = s->flown[l];
    if (s->shadows[l] && s->sun_only[l] && s->role[l] == LANE_SHADOW_SNOW) {
        if (w.outside || skip_air(k, l, &w) != LANE_FLYING) return end_shadow(k, l);
        write_position(&s->here, l, &w);
        s->flown[l] = w.flown;
        return 0;
    }
    extract_lane(k, l);
    run_events(k, l, w.outside ? LANE_OUT : stops ? LANE_NEAR_SURFACE : LANE_SKIP_AIR, w);
    return 0;
}
