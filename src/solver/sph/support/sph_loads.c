// SPDX-License-Identifier: MIT
// What colliders give to a particle i near them changes its momentum by
//
//     m dt a_adhesion                                    step 3
//     m (v after - v before)                             step 4
//     - dt psi V p B                                     step 5, eq. 8
//     dt V tr(sigma)/3 L B                               step 6, eq. 19
//     m dt P (sum drag_b v_b - drag v^{t+dt})            step 6, friction; P: along the surface
//
// and turns the snow around it by dt V (sigma L M - (sigma L M)^T), M the snow's part of eq. 15:
// with all of the matrix L M = 1, and a symmetric stress turns nothing; what is missing is the part
// of the kernel that colliders cover, so they balance it. All of it with the stress of the new
// velocities: what the solve of step 6 found, but for its residual. What is left of the change of
// all momenta in step 6 is the residual's; it is a part of the reaction of colliders, and particles
// share it by mass, by how much of the kernel colliders cover, and by friction (laws/residual.h).
#include "solver/sph/support/sph_loads.h"

#include "core/threads/team.h"
#include "geometry/collider/collider.h"
#include "solver/shared/impulse.h"
#include "solver/sph/laws/residual.h"
#include "solver/sph/step04_friction.h"
#include "solver/sph/step06_shear.h"

// ---- what a particle gets -----------------------------------------------------------------------

static firn_mat3 stress_of(const firn_sph* m, const firn_sph_work* w, firn_local i)
{
    const firn_mat3 F = firn_sph_F_of(w, i);
    const firn_mat3 grad = firn_sph_gradient_particle(&m->pairs, w, w->weighted, m->p.velocity[i],
                                                      w->wall_divergence[i], i);
    const bool combined = m->def.elasticity == FIRN_SPH_COMBINED;
    return firn_sph_stress(firn_m3_mul(grad, F), F, w->shear[i], combined ? w->lambda[i] : 0,
                           (firn_real)m->base.dt, true);
}

// Change of velocity by colliders in step 6, and what they balance.
static void change_by_shear(const firn_sph* m, firn_sph_contact_sums* t)
{
    const firn_local i = t->particle;
    if (m->fluids && firn_sph_is_fluid(&m->w, i)) return;
    const firn_sph_work snow = firn_sph_snow_work(m), *w = &snow;
    const firn_sph_reaction reaction = {.sigma = stress_of(m, w, i),
                                        .L = firn_sph_correction_of(w, i),
                                        .M = firn_sph_moment_of(w, i),
                                        .LB = firn_v3(w->LB[0][i], w->LB[1][i], w->LB[2][i]),
                                        .velocity = m->p.velocity[i],
                                        .volume = w->volume[i],
                                        .density = m->p.density[i],
                                        .dt = (firn_real)m->base.dt,
                                        .rubs = m->def.contact != FIRN_SPH_CONTACT_PAPER};
    firn_sph_react(&reaction, t);
}

// Change of velocity by colliders in steps 3 to 5.
static firn_vec3 change_before(const firn_sph* m, const firn_sph_contact_sums* t)
{
    const firn_local i = t->particle;
    const firn_real dt = (firn_real)m->base.dt;
    const firn_vec3 v = firn_v3_madd(t->braked, dt, t->adhesion);
    if (m->def.elasticity != FIRN_SPH_SPLIT) return v;
    const bool fluid = m->fluids && firn_sph_is_fluid(&m->w, i);
    const firn_real psi = fluid ? 1 : (firn_real)m->def.boundary_pressure;
    const firn_real scale = -dt * psi * m->w.volume[i] * m->p.pressure[i] / m->p.mass[i];
    return firn_v3_madd(v, scale, t->gradient);
}

// ---- sums ---------------------------------------------------------------------------------------

// Sums are over chunks of fixed size, which are added in order.
static firn_local chunks_of(firn_local count)
{
    return (count + FIRN_SPH_CHUNK - 1) / FIRN_SPH_CHUNK;
}

static firn_local chunk_end(firn_local chunk, firn_local count)
{
    const firn_local end = (chunk + 1) * FIRN_SPH_CHUNK;
    return end < count ? end : count;
}

// Chunks of particles: the momenta that step 6 has given, and V v for the neighbours.
static void solved_chunks(const void* self, firn_local begin, firn_local end)
{
    const firn_sph* m = self;
    const firn_sph_work* w = &m->w;
    for (firn_local c = begin; c < end; c++) {
        double* sum = w->partial + FIRN_SPH_GOT * (size_t)c;
        for (int d = 0; d < FIRN_SPH_GOT; d++) sum[d] = 0;
        for (firn_local i = c * FIRN_SPH_CHUNK; i < chunk_end(c, m->p.count); i++) {
            const bool snow = !m->fluids || !firn_sph_is_fluid(w, i);
            const firn_vec3 v = firn_v3_scale(m->p.velocity[i], snow ? w->volume[i] : 0);
            w->weighted[i] = (firn_vec4){v.x, v.y, v.z, 0};
            const firn_vec4 a = m->has_snow ? w->a_G[i] : (firn_vec4){0};
            const double mass = (double)m->p.mass[i] * (double)(firn_real)m->base.dt;
            const firn_vec3 at = m->p.position[i];
            const double x[3] = {(double)at.x, (double)at.y, (double)at.z};
            const double u[3] = {(double)a[0], (double)a[1], (double)a[2]};
            double own[FIRN_SPH_GOT];
            firn_sph_momenta(mass, x, u, own);
            for (int d = 0; d < FIRN_SPH_GOT; d++) sum[d] += own[d];
        }
    }
}

static void give_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph* m = self;
    for (firn_local k = begin; k < end; k++) {
        firn_sph_contact_sums* t = &m->contact[k];
        t->couple = t->given = firn_v3(0, 0, 0);
        if (t->body != FIRN_SPH_NO_BODY) change_by_shear(m, t);
    }
}

// Chunks of contacts: what colliders have given in step 6, and how much of the rest they take.
static void given_chunks(const void* self, firn_local begin, firn_local end)
{
    const firn_sph* m = self;
    for (firn_local c = begin; c < end; c++) {
        double* sum = m->w.partial + FIRN_SPH_SUMS * (size_t)c;
        for (int d = 0; d < FIRN_SPH_SUMS; d++) sum[d] = 0;
        for (firn_local k = c * FIRN_SPH_CHUNK; k < chunk_end(c, m->contact_count); k++) {
            const firn_sph_contact_sums* t = &m->contact[k];
            if (t->body == FIRN_SPH_NO_BODY) continue;
            double own[FIRN_SPH_SUMS];
            firn_sph_gave(t, (double)m->p.mass[t->particle], m->p.position[t->particle], m->base.dt,
                          own);
            for (int d = 0; d < FIRN_SPH_SUMS; d++) sum[d] += own[d];
        }
    }
}

static void sum_up(const firn_sph* m, firn_local count, firn_loop* loop, int sums, double* out)
{
    firn_share(chunks_of(count), 1, loop, m);
    for (int d = 0; d < sums; d++) out[d] = 0;
    for (firn_local c = 0; c < chunks_of(count); c++)
        for (int d = 0; d < sums; d++) out[d] += m->w.partial[(size_t)sums * (size_t)c + (size_t)d];
}

// ---- colliders ----------------------------------------------------------------------------------

int firn_sph_shares(const firn_sph* m, const firn_neighbour_runs* runs, firn_local i,
                    firn_sph_share all[FIRN_SPH_SHARES])
{
    const firn_real h = (firn_real)m->spacing;
    int count = 0;
    for (int run = 0; run < runs->count; run++)
        for (firn_local b = runs->begin[run]; b < runs->end[run]; b++) {
            const firn_local at = m->wall.order != NULL ? m->wall.order[b] : b;
            count = firn_sph_share_add(all, count, m->p.position[i], m->wall.x[b],
                                       m->boundary.volume[at], m->boundary.body[at], h);
        }
    return count;
}

// What colliders take from the snow at a particle.
typedef struct share {
    double impulse[3], couple[3];  // [N s], [N m s]
} share;

// Adds the impulse j [N s] on a collider near particle i, and `part` of the couple.
static void take(const firn_sph* m, firn_impulse* taken, firn_local body, firn_local i,
                 const double j[3], const double l[3], double part)
{
    const firn_vec3 arm = firn_v3_sub(m->p.position[i], m->base.colliders[body].pose.position);
    firn_impulse_add(&taken[body], arm, j[0], j[1], j[2]);
    firn_impulse_turn(&taken[body], part * l[0], part * l[1], part * l[2]);
}

// Where several colliders are near.
static void take_shared(const firn_sph* m, firn_impulse* taken, const firn_neighbour_runs* runs,
                        firn_local i, const share* s)
{
    firn_sph_share all[FIRN_SPH_SHARES];
    const int count = firn_sph_shares(m, runs, i, all);
    const firn_sph_split split = firn_sph_split_begin(all, count, s->impulse);
    for (int k = 0; k < count; k++) {
        double own[3];
        const double part = firn_sph_split_take(&split, &all[k], s->impulse, own);
        take(m, taken, all[k].body, i, own, s->couple, part);
    }
}

static share share_of(const firn_sph* m, const firn_sph_contact_sums* t, const firn_sph_residual* r)
{
    const firn_vec3 before = change_before(m, t);
    share s;
    const double mass = (double)m->p.mass[t->particle];
    const firn_sph_carried open = firn_sph_open_of(t, mass, m->base.dt);
    firn_sph_residual_at(r, &open, m->p.position[t->particle], s.impulse, s.couple);
    firn_sph_take_back(t, before, mass, s.impulse, s.couple);
    return s;
}

// The particles of cell c.
static void take_cell(const firn_sph* m, firn_impulse* taken, firn_local c,
                      const firn_sph_residual* residual)
{
    const firn_local end = m->contact_first[c + 1];
    firn_neighbour_runs runs = {0};
    for (firn_local k = m->contact_first[c]; k < end; k++) {
        const firn_sph_contact_sums* t = &m->contact[k];
        if (t->body == FIRN_SPH_NO_BODY) continue;
        const share s = share_of(m, t, residual);
        if (t->body >= 0) {
            take(m, taken, t->body, t->particle, s.impulse, s.couple, 1);
            continue;
        }
        if (runs.count == 0) runs = firn_neighbours_around(&m->wall, m->cells.keys[c]);
        take_shared(m, taken, &runs, t->particle, &s);
    }
}

// ---- the step -----------------------------------------------------------------------------------

typedef struct reaction {
    const firn_sph* m;
    firn_sph_residual residual;
} reaction;

static void take_cells(const void* self, firn_local begin, firn_local end)
{
    const reaction* r = self;
    firn_impulse* taken = firn_loads_mine(&r->m->base.loads);
    for (firn_local c = begin; c < end; c++)
        if (r->m->contact_first[c] < r->m->contact_first[c + 1])
            take_cell(r->m, taken, c, &r->residual);
}

void firn_sph_take_loads(firn_sph* m)
{
    if (m->contact_count == 0) return;
    double solved[FIRN_SPH_GOT], given[FIRN_SPH_SUMS];
    sum_up(m, m->p.count, solved_chunks, FIRN_SPH_GOT, solved);
    firn_share(m->contact_count, 32, give_range, m);  // 200 ns: too few for 16 cores in chunks
    sum_up(m, m->contact_count, given_chunks, FIRN_SPH_SUMS, given);
    const reaction r = {m, firn_sph_residual_of(solved, given, m->spacing)};
    firn_share(m->cells.cell_count, 8, take_cells, &r);  // 8 particles and 50 ns each, or nothing
}
