// SPDX-License-Identifier: MIT
// The lanes of path_simd.c: their state, and what is done for one lane at a time by the functions
// of the plain loop. Included by path_simd.c only: vectors stay within one level.
#pragma once
#include "render/path/path_steps.h"
#include "render/path/vec8.h"

typedef enum lane_role {
    LANE_FLIGHT,
    LANE_SHADOW_SNOW,  // a shadow ray of a scattering
    LANE_SHADOW_SOLID  // a shadow ray of a surface
} lane_role;

// What a lane has come to, or is to do next.
typedef enum lane_event {
    LANE_FLIES,
    LANE_COLLIDED,
    LANE_FAR,
    LANE_GUARDED,
    LANE_OUT,
    LANE_LAUNCH,   // has a new ray
    LANE_SET_OFF,  // goes on along its ray
    LANE_ASKS,     // sends a shadow ray
    LANE_IS_LIT,   // the shadow ray is through, or swallowed
    LANE_ENDED
} lane_event;

// Where lanes are, with the corners of their cells (walk.h).
typedef struct place {
    firn_f8 p[3];  // [cells]
    firn_i8 cell[3], block, guarded;
    firn_f8 rare;  // the sun is asked once in so many scatterings
    firn_f8 c[8], majorant;
} place;

typedef struct swarm {
    place here, home;  // home: of the last turn, where shadow rays begin
    firn_f8 d[3], inverse[3];
    firn_f8 home_d[3];  // direction of the flight, while a shadow ray is out
    firn_f8 flown, depth, far;
    firn_f8 share;                  // of shadow rays
    firn_f8 weight[3], pdf;         // of the path
    firn_f8 asked[3], asked_scale;  // what the sun brings if it is seen
    firn_i8 active;                 // -1: the lane flies
    firn_i8 shadows;                // -1: it is a shadow ray
    firn_i8 guard;                  // -1: it must stop before bodies
    firn_i8 plain;                  // -1: scattering needs no more than the sun
    firn_u8 rng[4];
    lane_role role[8];
    bool is_stale[8];      // the path's ray is older than home
    bool home_outside[8];  // home is not in the window
    firn_path path[8];     // weight, pdf, numbers and ray are in the vectors while a lane flies
    int64_t job[8];
} swarm;

typedef struct crew {
    swarm s;
    const firn_path_view* view;
    const firn_path_job* jobs;
    firn_film_sample* samples;
    int64_t count, next;  // jobs
    firn_path_count* tally;
} crew;

// ---- places -------------------------------------------------------------------------------------

static inline void move_place(place* to, const place* from, firn_i8 mask)
{
    for (int a = 0; a < 3; a++) {
        to->p[a] = firn_f8_select(mask, from->p[a], to->p[a]);
        to->cell[a] = firn_i8_select(mask, from->cell[a], to->cell[a]);
    }
    for (int a = 0; a < 8; a++) to->c[a] = firn_f8_select(mask, from->c[a], to->c[a]);
    to->majorant = firn_f8_select(mask, from->majorant, to->majorant);
    to->block = firn_i8_select(mask, from->block, to->block);
    to->guarded = firn_i8_select(mask, from->guarded, to->guarded);
    to->rare = firn_f8_select(mask, from->rare, to->rare);
}

static inline void keep_home(swarm* s, firn_i8 mask)
{
    move_place(&s->home, &s->here, mask);
    for (int a = 0; a < 3; a++) s->home_d[a] = firn_f8_select(mask, s->d[a], s->home_d[a]);
}

static void put_cell(place* at, int l, const firn_walk* w)
{
    for (int a = 0; a < 3; a++) at->cell[a][l] = w->cell[a];
    at->block[l] = w->block;
    at->guarded[l] = firn_walk_guarded(w) ? -1 : 0;
    at->rare[l] = (float)(1 << (w->flags >> 1));
    at->majorant[l] = w->majorant;
    for (int k = 0; k < 8; k++) at->c[k][l] = w->c[k];
}

static void put_place(place* at, int l, const firn_walk* w)
{
    at->p[0][l] = w->p.x;
    at->p[1][l] = w->p.y;
    at->p[2][l] = w->p.z;
    put_cell(at, l, w);
}

static uint8_t flags_of(const firn_medium* m, int32_t block, int32_t x, int32_t y, int32_t z)
{
    return m->cells[block][((z & 7) * 8 + (y & 7)) * 8 + (x & 7)];
}

static firn_walk walk_at(const crew* k, const place* at, int l)
{
    firn_walk w = {.m = k->view->medium, .block = at->block[l], .majorant = at->majorant[l]};
    if (w.block >= 0)
        w.flags = flags_of(w.m, w.block, at->cell[0][l], at->cell[1][l], at->cell[2][l]);
    w.p = FIRN_LIT(firn_f3){at->p[0][l], at->p[1][l], at->p[2][l]};
    for (int a = 0; a < 3; a++) w.cell[a] = at->cell[a][l];
    for (int i = 0; i < 8; i++) w.c[i] = at->c[i][l];
    return w;
}

// ---- between vectors and paths ------------------------------------------------------------------

// Takes a lane out of the swarm: its path has everything, the walk is where it stands.
static firn_walk take(crew* k, int l)
{
    swarm* s = &k->s;
    firn_path* p = &s->path[l];
    s->active[l] = 0;
    for (int i = 0; i < 4; i++) p->r.s[i] = s->rng[i][l];
    p->weight = firn_rgb_of(s->weight[0][l], s->weight[1][l], s->weight[2][l]);
    p->pdf = s->pdf[l];
    if (s->is_stale[l]) {
        const firn_f3 from = {s->home.p[0][l], s->home.p[1][l], s->home.p[2][l]};
        const firn_f3 d = {s->home_d[0][l], s->home_d[1][l], s->home_d[2][l]};
        p->ray = FIRN_LIT(firn_ray){firn_medium_to_world(k->view->medium, from), firn_path_vec3(d)};
        s->is_stale[l] = false;
    }
    firn_walk w = walk_at(k, &s->here, l);
    w.flown = s->flown[l];
    return w;
}

static void put_back(crew* k, int l, const firn_walk* w)
{
    swarm* s = &k->s;
    const firn_path* p = &s->path[l];
    put_place(&s->here, l, w);
    s->flown[l] = w->flown;
    for (int i = 0; i < 4; i++) s->rng[i][l] = p->r.s[i];
    s->weight[0][l] = p->weight.r;
    s->weight[1][l] = p->weight.g;
    s->weight[2][l] = p->weight.b;
    s->pdf[l] = p->pdf;
    s->plain[l] = p->has_seen && k->view->lights->only_sun ? -1 : 0;
    s->active[l] = -1;
}

static void aim(swarm* s, int l, firn_vec3 direction)
{
    const firn_f3 d = firn_path_f3(direction);
    s->d[0][l] = d.x;
    s->d[1][l] = d.y;
    s->d[2][l] = d.z;
    s->inverse[0][l] = firn_walk_inverse(d.x);
    s->inverse[1][l] = firn_walk_inverse(d.y);
    s->inverse[2][l] = firn_walk_inverse(d.z);
}

static firn_f3 lane_direction(const swarm* s, int l)
{
    return FIRN_LIT(firn_f3){s->d[0][l], s->d[1][l], s->d[2][l]};
}

static firn_f3 lane_inverse(const swarm* s, int l)
{
    return FIRN_LIT(firn_f3){s->inverse[0][l], s->inverse[1][l], s->inverse[2][l]};
}

// ---- events of one lane -------------------------------------------------------------------------

// Into the window and through air, to snow.
static lane_event set_off(crew* k, int l, firn_walk* w)
{
    const swarm* s = &k->s;
    const firn_f3 d = lane_direction(s, l), inverse = lane_inverse(s, l);
    if (w->outside && !firn_walk_to_window(w, d, inverse)) return LANE_OUT;
    while (w->block < 0) {
        int axis;
        const float step = firn_walk_exit(w, inverse, &axis);
        if (w->flown + step >= s->far[l]) return LANE_FAR;
        firn_walk_cross(w, d, inverse, step, axis);
        if (w->outside) return LANE_OUT;
    }
    return LANE_FLIES;
}

static lane_event launch(crew* k, int l, firn_walk* w)
{
    swarm* s = &k->s;
    firn_path* p = &s->path[l];
    s->role[l] = LANE_FLIGHT;
    s->shadows[l] = 0;
    s->far[l] = FLT_MAX;
    aim(s, l, p->ray.direction);
    p->hit = FIRN_LIT(firn_surface_hit){.surface = NULL, .light = -1};
    w->flown = 0;
    s->depth[l] = firn_exponential(firn_rng_unit(&p->r));
    const bool guards = p->view->geometry != NULL;
    s->guard[l] = guards ? -1 : 0;
    return guards && firn_walk_guarded(w) ? LANE_GUARDED : LANE_SET_OFF;
}

static lane_event look_ahead(crew* k, int l, const firn_walk* w)
{
    swarm* s = &k->s;
    s->guard[l] = 0;
    s->far[l] = firn_path_look_ahead(&s->path[l]);
    return w->flown >= s->far[l] ? LANE_FAR : LANE_SET_OFF;
}

static lane_event ask(crew* k, int l, firn_walk* w)
{
    swarm* s = &k->s;
    firn_path* p = &s->path[l];
    put_place(&s->home, l, w);
    s->home_d[0][l] = (float)p->ray.direction.x;
    s->home_d[1][l] = (float)p->ray.direction.y;
    s->home_d[2][l] = (float)p->ray.direction.z;
    s->home_outside[l] = w->outside;
    s->shadows[l] = -1;
    s->share[l] = 1;
    s->guard[l] = 0;
    s->far[l] = firn_path_cells(p, p->shadow_distance);
    s->asked[0][l] = p->shadow_light.r;
    s->asked[1][l] = p->shadow_light.g;
    s->asked[2][l] = p->shadow_light.b;
    s->asked_scale[l] = p->shadow_scale;
    aim(s, l, p->shadow.direction);
    w->flown = 0;
    // the first depth is drawn only where there is a window to fly through
    if (w->outside && !firn_walk_to_window(w, lane_direction(s, l), lane_inverse(s, l)))
        return LANE_OUT;
    s->depth[l] = firn_exponential(firn_rng_unit(&p->r));
    return LANE_SET_OFF;
}

static lane_event is_lit(crew* k, int l, firn_walk* w)
{
    swarm* s = &k->s;
    firn_path* p = &s->path[l];
    firn_path_lit(p, s->share[l]);
    *w = walk_at(k, &s->home, l);
    w->outside = s->home_outside[l];
    if (s->role[l] == LANE_SHADOW_SOLID) return firn_path_bounce_on(p) ? LANE_LAUNCH : LANE_ENDED;
    firn_path_scatter_on(p);
    return LANE_LAUNCH;
}

static lane_event scatter(crew* k, int l, const firn_walk* w)
{
    firn_path* p = &k->s.path[l];
    bool asked;
    if (!firn_path_scatter(p, w, &asked)) return LANE_ENDED;
    k->s.role[l] = LANE_SHADOW_SNOW;
    if (asked) return LANE_ASKS;
    firn_path_scatter_on(p);
    return LANE_LAUNCH;
}

static lane_event bounce(crew* k, int l, firn_walk* w)
{
    firn_path* p = &k->s.path[l];
    bool asked;
    if (!firn_path_bounce(p, &asked)) return LANE_ENDED;
    firn_walk_put(w, firn_medium_to_cells(k->view->medium, p->ray.origin));
    k->s.role[l] = LANE_SHADOW_SOLID;
    if (asked) return LANE_ASKS;
    return firn_path_bounce_on(p) ? LANE_LAUNCH : LANE_ENDED;
}

// The flight has left the snow for good.
static lane_event leave(crew* k, int l)
{
    if (k->s.guard[l]) return LANE_GUARDED;
    if (k->s.far[l] < FLT_MAX) return LANE_FAR;
    firn_path_escape(&k->s.path[l]);
    return LANE_ENDED;
}

// The next path for the lane; false: there is none.
static bool refill(crew* k, int l, firn_walk* w)
{
    if (k->next >= k->count) return false;
    const firn_path_job* job = &k->jobs[k->next];
    k->s.job[l] = k->next++;
    k->s.path[l] = firn_path_begin(k->view, job->ray, job->rng, k->tally);
    k->s.is_stale[l] = false;
    *w = FIRN_LIT(firn_walk){.m = k->view->medium};
    firn_walk_put(w, firn_medium_to_cells(k->view->medium, job->ray.origin));
    return true;
}

// Does what has to be done for a lane until it flies again, or there is nothing left to follow.
static void attend(crew* k, int l, lane_event event, firn_walk w)
{
    swarm* s = &k->s;
    for (;;) {
        const bool is_shadow = s->role[l] != LANE_FLIGHT;
        switch (event) {
        case LANE_LAUNCH: event = launch(k, l, &w); break;
        case LANE_GUARDED: event = look_ahead(k, l, &w); break;
        case LANE_SET_OFF: event = set_off(k, l, &w); break;
        case LANE_OUT: event = is_shadow ? LANE_IS_LIT : leave(k, l); break;
        case LANE_FAR: event = is_shadow ? LANE_IS_LIT : bounce(k, l, &w); break;
        case LANE_COLLIDED: event = scatter(k, l, &w); break;
        case LANE_ASKS: event = ask(k, l, &w); break;
        case LANE_IS_LIT: event = is_lit(k, l, &w); break;
        case LANE_ENDED:
            k->samples[s->job[l]] = firn_path_end(&s->path[l]);
            if (!refill(k, l, &w)) return;
            event = LANE_LAUNCH;
            break;
        default: put_back(k, l, &w); return;
        }
    }
}

// A shadow ray has ended. Returns the lane's bit when it can turn with the others.
static unsigned shadow_ends(crew* k, int l)
{
    swarm* s = &k->s;
    if (s->role[l] != LANE_SHADOW_SNOW || !s->plain[l]) {
        attend(k, l, LANE_IS_LIT, take(k, l));
        return 0;
    }
    if (s->share[l] > 0) {
        firn_path* p = &s->path[l];
        const firn_f3 from = {s->home.p[0][l], s->home.p[1][l], s->home.p[2][l]};
        p->shadow = FIRN_LIT(firn_ray){firn_medium_to_world(k->view->medium, from),
                                       firn_path_vec3(lane_direction(s, l))};
        p->shadow_distance = FLT_MAX;
        p->shadow_light = firn_rgb_of(s->asked[0][l], s->asked[1][l], s->asked[2][l]);
        p->shadow_scale = s->asked_scale[l];
        firn_path_lit(p, s->share[l]);
    }
    return 1u << l;
}

// A lane has crossed into another cell: reads it. Returns the lane's bit when it can turn.
static unsigned enter(crew* k, int l)
{
    swarm* s = &k->s;
    firn_walk w = {.m = k->view->medium};
    for (int a = 0; a < 3; a++) w.cell[a] = s->here.cell[a][l];
    firn_walk_enter(&w);
    const bool stops = s->guard[l] && firn_walk_guarded(&w);
    if (w.block >= 0 && !stops) {
        put_cell(&s->here, l, &w);
        return 0;
    }
    w.p = FIRN_LIT(firn_f3){s->here.p[0][l], s->here.p[1][l], s->here.p[2][l]};
    w.flown = s->flown[l];
    if (s->shadows[l] && s->plain[l] && s->role[l] == LANE_SHADOW_SNOW) {
        if (w.outside || set_off(k, l, &w) != LANE_FLIES) return shadow_ends(k, l);
        put_place(&s->here, l, &w);
        s->flown[l] = w.flown;
        return 0;
    }
    take(k, l);
    attend(k, l, w.outside ? LANE_OUT : stops ? LANE_GUARDED : LANE_SET_OFF, w);
    return 0;
}
