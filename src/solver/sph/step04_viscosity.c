// SPDX-License-Identifier: MIT
#include "solver/sph/step04_viscosity.h"

#include <math.h>

#include "core/threads/team.h"

// A pass of the operator. The viscosities of all particles are in work->source.
typedef struct viscosity_pass {
    const firn_sph_viscosity_args* a;
    const firn_vec4* u;
    firn_vec4* out;
} viscosity_pass;

static void viscosity_start_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_viscosity_args* a = self;
    const firn_sph_work* w = a->work;
    for (firn_local i = begin; i < end; i++) {
        w->source[i] =
            firn_sph_viscosity(&a->materials[a->p.material[i]], a->h, a->p.fresh_density[i]);
        w->b[i] = w->v_star[i];
        w->shadow[i] = (firn_vec4){0, 0, 0, a->p.mass[i]};
        w->diagonal[i] = -a->dt / a->p.mass[i];
    }
}

// Marks in work->miss the particles that have a force: fluid, and snow that has fluid near. Most of
// a fluid that freezes is soon neither.
static void mark_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_viscosity_args* a = self;
    const firn_sph_work* w = a->work;
    for (firn_local i = begin; i < end; i++) {
        const firn_pair_row* rows = a->pairs->rows[i / FIRN_SLICE];
        bool fluid = !isinf(w->source[i]);
        for (int k = 0; !fluid && k < a->pairs->neighbours[i]; k++)
            fluid = !isinf(w->source[rows[k].j[i % FIRN_SLICE]]);
        w->miss[i] = fluid;
    }
}

// Force on particle i [N] without walls.
static firn_vec3 viscosity_particle(const firn_sph_viscosity_args* a, const firn_vec4* u,
                                    firn_local i)
{
    const firn_sph_work* w = a->work;
    const firn_vec4 x_i = w->place[i], u_i = u[i];
    const firn_real mu_i = w->source[i];
    const int lane = (int)(i % FIRN_SLICE);
    const firn_pair_row* rows = a->pairs->rows[i / FIRN_SLICE];
    firn_vec3 sum = {0};
    for (int k = 0; k < a->pairs->neighbours[i]; k++) {
        const firn_local j = rows[k].j[lane];
        const firn_real mu_j = w->source[j];
        if (isinf(mu_i) && isinf(mu_j)) continue;
        const firn_vec4 x4 = x_i - w->place[j], v4 = u_i - u[j];
        const firn_vec3 x = firn_v3(x4[0], x4[1], x4[2]), v = firn_v3(v4[0], v4[1], v4[2]);
        const firn_real factor =
            firn_viscosity_factor(firn_viscosity_pair(mu_i, mu_j), x_i[3], w->place[j][3],
                                  rows[k].slope[lane], firn_v3_dot(x, x), a->h);
        sum = firn_viscosity_add(sum, factor, x, v);
    }
    return sum;
}

// What walls do to the fluids among particles [begin, end).
static void add_walls(const viscosity_pass* pass, firn_local begin, firn_local end)
{
    const firn_sph_viscosity_args* a = pass->a;
    const firn_sph_range near = firn_sph_contacts_of(a->contact, a->contact_count, begin, end);
    for (firn_local t = near.begin; t < near.end; t++) {
        const firn_sph_contact_sums* c = &a->contact[t];
        if (c->fluid)
            pass->out[c->particle] =
                firn_vec4_madd(a->dt * c->drag, pass->u[c->particle], pass->out[c->particle]);
    }
}

static void viscosity_range(const void* self, firn_local begin, firn_local end)
{
    const viscosity_pass* pass = self;
    const firn_sph_work* w = pass->a->work;
    for (firn_local i = begin; i < end; i++) {
        const firn_vec3 f =
            w->miss[i] > 0 ? viscosity_particle(pass->a, pass->u, i) : (firn_vec3){0};
        pass->out[i] = firn_vec4_madd(w->diagonal[i], (firn_vec4){f.x, f.y, f.z, 0}, pass->u[i]);
        pass->out[i][3] = 0;
    }
    add_walls(pass, begin, end);
}

static void viscosity_begin(const firn_sph_viscosity_args* a)
{
    firn_share(a->pairs->count, FIRN_SPH_SIMPLE, mark_range, a);
}

static void viscosity_once(const firn_sph_viscosity_args* a, const firn_vec4* u, firn_vec4* out)
{
    const viscosity_pass pass = {a, u, out};
    firn_share(a->pairs->count, FIRN_SPH_SLICES * FIRN_SLICE, viscosity_range, &pass);
}

// The loops over pairs, plain or fast.
typedef struct viscosity_loops {
    void (*begin)(const firn_sph_viscosity_args* args);
    // out = A u, for one explicit step, and between `open` and `close`, which may be null.
    void (*once)(const firn_sph_viscosity_args* args, const firn_vec4* u, firn_vec4* out);
    void (*open)(const firn_sph_viscosity_args* args);
    void (*often)(const firn_sph_viscosity_args* args, const firn_vec4* u, firn_vec4* out);
    void (*close)(const firn_sph_viscosity_args* args);
} viscosity_loops;

typedef struct viscosity_system {
    const firn_sph_viscosity_args* a;
    const viscosity_loops* loops;
    const firn_cr_args* cr;
} viscosity_system;

static double viscosity_apply(void* self, const firn_vec4* in, firn_vec4* out)
{
    const viscosity_system* s = self;
    s->loops->often(s->a, in, out);
    return firn_cr_dot(s->cr, in, out);
}

// b = v* + dt kappa v_wall
static void wall_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_viscosity_args* a = self;
    for (firn_local k = begin; k < end; k++) {
        const firn_sph_contact_sums* t = &a->contact[k];
        if (!t->fluid) continue;
        const firn_vec3 d = firn_v3_scale(t->drag_velocity, a->dt);
        a->work->b[t->particle] += (firn_vec4){d.x, d.y, d.z, 0};
    }
}

static void braked_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_viscosity_args* a = self;
    for (firn_local k = begin; k < end; k++) {
        firn_sph_contact_sums* t = &a->contact[k];
        if (!t->fluid) continue;
        const firn_vec4 v = a->work->v_star[t->particle];
        const firn_vec3 rate = firn_v3_madd(t->drag_velocity, -t->drag, firn_v3(v[0], v[1], v[2]));
        t->braked = firn_v3_scale(rate, a->dt);
    }
}

// Chunks of particles: sum m (v - b), what the solve has changed beside the walls' own motion.
static void changed_chunks(const void* self, firn_local first, firn_local last)
{
    const firn_sph_viscosity_args* a = self;
    const firn_sph_work* w = a->work;
    for (firn_local c = first; c < last; c++) {
        double* sum = w->partial + 3 * (size_t)c;
        const firn_local begin = c * FIRN_SPH_CHUNK;
        for (int d = 0; d < 3; d++) sum[d] = 0;
        for (firn_local i = begin; i < a->pairs->count && i < begin + FIRN_SPH_CHUNK; i++) {
            const firn_vec4 change = w->v_star[i] - w->b[i];
            for (int d = 0; d < 3; d++) sum[d] += (double)a->p.mass[i] * (double)change[d];
        }
    }
}

// Forces between particles add up to nothing, so that what walls have not given of the change of
// all momenta is the residual of the solve. It is a part of their reaction (theory/forces.md).
static void share_residual(const firn_sph_viscosity_args* a)
{
    const firn_local chunks = (a->pairs->count + FIRN_SPH_CHUNK - 1) / FIRN_SPH_CHUNK;
    double left[3] = {0}, weight = 0;
    firn_share(chunks, 4, changed_chunks, a);
    for (firn_local c = 0; c < chunks; c++)
        for (int d = 0; d < 3; d++) left[d] += a->work->partial[3 * (size_t)c + (size_t)d];
    for (firn_local k = 0; k < a->contact_count; k++) {
        const firn_sph_contact_sums* t = &a->contact[k];
        if (!t->fluid) continue;
        const double mass = (double)a->p.mass[t->particle];
        const firn_vec3 given = firn_v3_madd(t->braked, -a->dt, t->drag_velocity);
        left[0] -= mass * (double)given.x;
        left[1] -= mass * (double)given.y;
        left[2] -= mass * (double)given.z;
        weight += mass * (double)t->drag;
    }
    if (!(weight > 0)) return;
    const firn_vec3 per = firn_v3((firn_real)(left[0] / weight), (firn_real)(left[1] / weight),
                                  (firn_real)(left[2] / weight));
    for (firn_local k = 0; k < a->contact_count; k++)
        if (a->contact[k].fluid)
            a->contact[k].braked = firn_v3_madd(a->contact[k].braked, a->contact[k].drag, per);
}

static void explicit_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_work* w = self;
    for (firn_local i = begin; i < end; i++) w->v_star[i] += w->v_star[i] - w->r[i];
}

static firn_cr_result solve_viscosity(const firn_sph_viscosity_args* a,
                                      const viscosity_loops* loops)
{
    const firn_sph_work* w = a->work;
    const firn_local n = a->pairs->count;
    firn_share(n, FIRN_SPH_SIMPLE, viscosity_start_range, a);
    if (loops->begin != NULL) loops->begin(a);
    if (!a->implicit) {
        loops->once(a, w->v_star, w->r);
        firn_share(n, FIRN_SPH_SIMPLE, explicit_range, w);
        return (firn_cr_result){0, 0, FIRN_CR_CONVERGED};
    }
    firn_share(a->contact_count, FIRN_SPH_CONTACTS, wall_range, a);
    if (loops->open != NULL) loops->open(a);
    viscosity_system system = {a, loops, NULL};
    firn_cr_args args = {.count = n,
                         .weight = w->shadow,
                         .self = &system,
                         .apply = viscosity_apply,
                         .max_iterations = a->max_iterations,
                         .tolerance = a->tolerance,
                         .size_floor = a->floor,
                         .r = w->r,
                         .p = w->p,
                         .Az = w->v,
                         .Ap = w->s,
                         .partial = w->partial};
    system.cr = &args;
    const firn_cr_result r = firn_cr_solve(&args, w->b, w->v_star);
    if (loops->close != NULL) loops->close(a);
    firn_share(a->contact_count, FIRN_SPH_CONTACTS, braked_range, a);
    share_residual(a);
    return r;
}

static firn_cr_result viscosity(const firn_sph_viscosity_args* a)
{
    static const viscosity_loops plain = {
        .begin = viscosity_begin, .once = viscosity_once, .often = viscosity_once};
    return solve_viscosity(a, &plain);
}
