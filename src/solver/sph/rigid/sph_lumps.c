// SPDX-License-Identifier: MIT
#include "solver/sph/rigid/sph_lumps.h"

#include <string.h>

#include "bodies/bodies.h"
#include "core/memory.h"
#include "solver/collider_load.h"
#include "solver/shared/impulse.h"
#include "solver/sph/step04_friction.h"
#include "solver/sph/step05_pressure.h"
#include "solver/sph/support/sph_loads.h"

void firn_sph_lumps_destroy(firn_sph_lumps* lumps)
{
    firn_lumps_destroy(&lumps->lumps);
    void* arrays[] = {lumps->hold,  lumps->before, lumps->start, lumps->first,
                      lumps->soft,  lumps->answer, lumps->yield, lumps->face,
                      lumps->known, lumps->rate,   lumps->pull};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) firn_free(arrays[k]);
    *lumps = (firn_sph_lumps){0};
}

static bool grow(void** array, size_t count, size_t size)
{
    void* more = firn_alloc(count, size);
    if (more == NULL) return false;
    firn_free(*array);
    *array = more;
    return true;
}

static firn_result make_room(firn_sph_lumps* s, firn_local contacts)
{
    const size_t n = (size_t)s->lumps.count;
    if (s->lumps.count > s->lump_capacity) {
        s->lump_capacity = 0;
        if (!grow((void**)&s->before, n, sizeof *s->before) ||
            !grow((void**)&s->start, n, sizeof *s->start) ||
            !grow((void**)&s->first, n, sizeof *s->first) ||
            !grow((void**)&s->soft, n, sizeof *s->soft) ||
            !grow((void**)&s->answer, n, sizeof *s->answer) ||
            !grow((void**)&s->yield, n, sizeof *s->yield) ||
            !grow((void**)&s->face, n, sizeof *s->face) ||
            !grow((void**)&s->known, n, sizeof *s->known) ||
            !grow((void**)&s->rate, n, sizeof *s->rate))
            return FIRN_BROKEN_MEMORY;
        s->lump_capacity = s->lumps.count;
    }
    // a particle is near few dynamic colliders
    const size_t room = (size_t)contacts * FIRN_SPH_SHARES;
    if (room > (size_t)s->capacity) {
        s->capacity = 0;
        if (room > INT32_MAX || !grow((void**)&s->hold, room, sizeof *s->hold) ||
            !grow((void**)&s->pull, room, sizeof *s->pull))
            return FIRN_BROKEN_MEMORY;
        s->capacity = (firn_local)room;
    }
    return FIRN_OK;
}

static void add_hold(firn_sph* m, firn_local contact, firn_local collider, firn_vec3 gradient,
                     firn_real part)
{
    firn_sph_lumps* s = m->lumps;
    const firn_local k = s->lumps.of[collider];
    if (k < 0) return;
    firn_lump* lump = &s->lumps.all[k];
    const firn_local i = m->contact[contact].particle;
    s->hold[s->count++] = (firn_sph_hold){.particle = i,
                                          .contact = contact,
                                          .lump = k,
                                          .arm = firn_lump_arm(lump, m->p.position[i]),
                                          .gradient = gradient,
                                          .part = part};
    lump->carried += (double)m->p.mass[i] * (double)part;
}

static void find_holds(firn_sph* m)
{
    for (firn_local c = 0; c < m->cells.cell_count; c++) {
        firn_neighbour_runs runs = {0};
        for (firn_local k = m->contact_first[c]; k < m->contact_first[c + 1]; k++) {
            const firn_sph_contact_sums* t = &m->contact[k];
            if (t->body >= 0) add_hold(m, k, t->body, t->gradient, 1);
            if (t->body != FIRN_SPH_BODIES) continue;
            firn_sph_share all[FIRN_SPH_SHARES];
            if (runs.count == 0) runs = firn_neighbours_around(&m->wall, m->cells.keys[c]);
            const int count = firn_sph_shares(m, &runs, t->particle, all);
            firn_real weight = 0;
            for (int n = 0; n < count; n++) weight += all[n].weight;
            for (int n = 0; n < count; n++)
                add_hold(m, k, all[n].body, firn_v3_scale(all[n].gradient, t->mirror),
                         weight > 0 ? all[n].weight / weight : 1 / (firn_real)count);
        }
    }
}

firn_result firn_sph_lumps_begin(firn_sph* m)
{
    firn_sph_lumps* s = m->lumps;
    s->count = 0;
    FIRN_TRY(firn_lumps_begin(&s->lumps, &m->base));
    if (s->lumps.count == 0) return FIRN_OK;
    FIRN_TRY(make_room(s, m->contact_count));
    for (firn_local k = 0; k < s->lumps.count; k++) {
        const firn_rigid* r = firn_bodies_rigid(m->base.bodies, s->lumps.all[k].body);
        const double V[6] = {(double)r->velocity.x, (double)r->velocity.y, (double)r->velocity.z,
                             (double)r->spin.x,     (double)r->spin.y,     (double)r->spin.z};
        memcpy(s->first[k], V, sizeof V);
        memcpy(s->before[k], V, sizeof V);
    }
    if (m->contact_count > 0) find_holds(m);
    return FIRN_OK;
}

// ---- friction
// -----------------------------------------------------------------------------------

// (M + K) (V' - V) = sum dt drag m J^T T (v - J V), K = sum dt drag m J^T T J: the snow as if it
// kept its velocity, which is the most that it can pull.
static void brake_lump(firn_sph* m, firn_local k, firn_sph_brake brake)
{
    firn_sph_lumps* s = m->lumps;
    firn_lump* lump = &s->lumps.all[k];
    double A[FIRN_LUMP_TERMS], side[6], held[6];
    memset(A, 0, sizeof A);
    memset(side, 0, sizeof side);
    for (firn_local n = 0; n < s->count; n++) {
        const firn_sph_hold* hold = &s->hold[n];
        if (hold->lump != k) continue;
        const firn_vec4 v = m->w.v_star[hold->particle];
        firn_sph_hold_brake(hold, &m->contact[hold->contact], brake, m->base.dt,
                            m->p.mass[hold->particle], firn_v3(v[0], v[1], v[2]), A, side);
    }
    firn_lump_apply(A, lump->V, held);
    for (int d = 0; d < 6; d++) side[d] -= held[d];
    for (int t = 0; t < FIRN_LUMP_TERMS; t++) A[t] += lump->own[t];
    firn_sph_lump_solve(lump, s->lumps.pins, A, side);
}

void firn_sph_lumps_brake(firn_sph* m, firn_sph_brake brake)
{
    firn_sph_lumps* s = m->lumps;
    if (s->count == 0) return;
    for (firn_local k = 0; k < s->lumps.count; k++) brake_lump(m, k, brake);
    firn_sph_lumps_rub(m);
}

void firn_sph_lumps_rub(firn_sph* m)
{
    firn_sph_lumps* s = m->lumps;
    for (firn_local n = 0; n < s->count; n++) {
        const firn_sph_hold* hold = &s->hold[n];
        firn_sph_contact_sums* t = &m->contact[hold->contact];
        double change[6];
        for (int d = 0; d < 6; d++)
            change[d] = s->lumps.all[hold->lump].V[d] - s->before[hold->lump][d];
        t->drag_velocity = firn_v3_madd(t->drag_velocity, t->drag * hold->part,
                                        firn_lump_velocity_at(change, hold->arm));
    }
    for (firn_local k = 0; k < s->lumps.count; k++)
        memcpy(s->before[k], s->lumps.all[k].V, sizeof s->before[k]);
}

// ---- pressure
// -----------------------------------------------------------------------------------

// Impulse per pressure [m^2 s] on the collider: dt psi V_i (G, arm x G).
static double push_of(const firn_sph_pressure_args* a, const firn_sph_hold* hold)
{
    const firn_local i = hold->particle;
    return (double)a->dt * (double)firn_sph_psi(a, i) * (double)a->work->volume[i];
}

// Before the first iteration: what sources are without the collider's change of velocity, and K =
// sum dt psi V rho dt omega/|a_ii| (G, arm x G)^2: how an iteration's pressures push back.
static void open_solve(firn_sph_lumps* s, const firn_sph_pressure_args* a)
{
    for (firn_local k = 0; k < s->lumps.count; k++) {
        memcpy(s->start[k], s->lumps.all[k].V, sizeof s->start[k]);
        memset(s->soft[k], 0, sizeof s->soft[k]);
    }
    for (firn_local n = 0; n < s->count; n++) {
        firn_sph_hold* hold = &s->hold[n];
        const firn_local i = hold->particle;
        hold->source = a->work->source[i];
        const double diagonal = -(double)a->work->diagonal[i];
        if (!(diagonal > 0)) continue;
        const double rate =
            (double)a->relaxation * (double)a->work->density[i] * (double)a->dt / diagonal;
        firn_sph_hold_soften(hold, push_of(a, hold), rate, s->soft[hold->lump]);
    }
}

// Moves V so that M V = M V_start + impulses of the pressures, as far as an iteration allows.
static void push_lump(firn_sph_lumps* s, const firn_sph_pressure_args* a, firn_local k,
                      const firn_real* pressure)
{
    firn_lump* lump = &s->lumps.all[k];
    double A[FIRN_LUMP_TERMS], late[6], side[6];
    for (int d = 0; d < 6; d++) late[d] = s->start[k][d] - lump->V[d];
    firn_lump_apply(lump->own, late, side);
    for (firn_local n = 0; n < s->count; n++) {
        const firn_sph_hold* hold = &s->hold[n];
        if (hold->lump == k)
            firn_sph_hold_push(hold, push_of(a, hold), (double)pressure[hold->particle], side);
    }
    for (int t = 0; t < FIRN_LUMP_TERMS; t++) A[t] = lump->own[t] + s->soft[k][t];
    firn_sph_lump_solve(lump, s->lumps.pins, A, side);
}

void firn_sph_lumps_couple(firn_sph_lumps* s, const firn_sph_pressure_args* a,
                           const firn_real* pressure, bool is_first)
{
    if (is_first) open_solve(s, a);
    for (firn_local k = 0; k < s->lumps.count; k++) push_lump(s, a, k, pressure);
    for (firn_local n = 0; n < s->count; n++)
        a->work->source[s->hold[n].particle] = s->hold[n].source;
    for (firn_local n = 0; n < s->count; n++) {
        const firn_sph_hold* hold = &s->hold[n];
        const firn_local i = hold->particle;
        double change[6];
        for (int d = 0; d < 6; d++)
            change[d] = s->lumps.all[hold->lump].V[d] - s->first[hold->lump][d];
        a->work->source[i] += (firn_real)((double)a->work->density[i] * (double)a->dt *
                                          firn_sph_hold_divergence(hold, change));
    }
}

void firn_sph_lumps_follow(firn_sph* m)
{
    firn_sph_lumps* s = m->lumps;
    for (firn_local n = 0; n < s->count; n++) {
        const firn_sph_hold* hold = &s->hold[n];
        double change[6];
        for (int d = 0; d < 6; d++)
            change[d] = s->lumps.all[hold->lump].V[d] - s->first[hold->lump][d];
        m->w.wall_divergence[hold->particle] += (firn_real)firn_sph_hold_divergence(hold, change);
    }
    for (firn_local k = 0; k < s->lumps.count; k++)
        memcpy(s->first[k], s->lumps.all[k].V, sizeof s->first[k]);
}

// ---- what the solves left over
// ------------------------------------------------------------------

// The lump of a collider and the particles near it.
static void weigh_lump(const firn_sph* m, firn_local k, double A[FIRN_LUMP_TERMS])
{
    const firn_sph_lumps* s = m->lumps;
    memcpy(A, s->lumps.all[k].own, FIRN_LUMP_TERMS * sizeof *A);
    for (firn_local n = 0; n < s->count; n++)
        if (s->hold[n].lump == k)
            firn_sph_hold_weigh(&s->hold[n], m->p.mass[s->hold[n].particle], A);
}

// Gives the particles near lump k the part of `change` that they share.
static void give_back(firn_sph* m, firn_local k, const double change[6])
{
    const firn_local c = m->lumps->lumps.all[k].collider;
    firn_impulse* taken = &firn_loads_mine(&m->base.loads)[c];
    for (firn_local n = 0; n < m->lumps->count; n++) {
        const firn_sph_hold* hold = &m->lumps->hold[n];
        if (hold->lump != k) continue;
        const firn_local i = hold->particle;
        const firn_vec3 before = m->p.velocity[i];
        m->p.velocity[i] =
            firn_v3_madd(before, hold->part, firn_lump_velocity_at(change, hold->arm));
        firn_impulse_take(taken, firn_v3_sub(m->p.position[i], m->base.colliders[c].pose.position),
                          m->p.mass[i], before, m->p.velocity[i]);
    }
}

void firn_sph_lumps_balance(firn_sph* m)
{
    firn_sph_lumps* s = m->lumps;
    if (s->count == 0) return;
    for (firn_local k = 0; k < s->lumps.count; k++) {
        firn_lump* lump = &s->lumps.all[k];
        const firn_collider_load load =
            firn_loads_so_far(&m->base.loads, m->base.colliders, lump->collider);
        double A[FIRN_LUMP_TERMS], left[6], change[6];
        firn_sph_lump_left(lump, load.impulse, load.angular, left);
        weigh_lump(m, k, A);
        if (!firn_sph_lump_balance(lump, s->lumps.pins, left, A, change)) continue;
        give_back(m, k, change);
        for (int d = 0; d < 6; d++) lump->V[d] += change[d];
    }
}
