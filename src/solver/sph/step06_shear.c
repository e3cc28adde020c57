// SPDX-License-Identifier: MIT
#include "solver/sph/step06_shear.h"

#include <math.h>
#include <string.h>

#include "core/threads/team.h"
#include "solver/sph/rigid/sph_lumps_shear.h"
#include "solver/sph/step06_friction.h"

// A field and what is computed of it: the operator, the right-hand side, or where to start.
typedef struct shear_field {
    const firn_vec4* u;  // null: 0, and colliders do not move
    firn_real c;         // factor on grad u: dt^2 for an acceleration, dt for a velocity
    bool known;  // the right-hand side and the start: with the strain of F_E, and with the motion
                 // of colliders
} shear_field;

// A pass over all particles.
typedef struct shear_pass {
    const firn_sph_shear_args* a;
    const shear_field* f;
    firn_vec4* out;
} shear_pass;

static void weigh_range(const void* self, firn_local begin, firn_local end)
{
    const shear_pass* pass = self;
    const firn_sph_work* w = pass->a->work;
    for (firn_local i = begin; i < end; i++)
        w->weighted[i] = firn_vec4_all(w->place[i][3]) * pass->f->u[i];
}

static firn_mat3 sigma_particle(const firn_sph_shear_args* a, const shear_field* f, firn_local i)
{
    const firn_sph_work* w = a->work;
    firn_mat3 grad = {{{0}}};
    if (f->u != NULL) {
        const firn_vec3 u = firn_v3(f->u[i][0], f->u[i][1], f->u[i][2]);
        grad = firn_sph_gradient_particle(a->pairs, w, w->weighted, u,
                                          f->known ? w->wall_divergence[i] : 0, i);
    }
    const firn_mat3 F = firn_sph_F_of(w, i);
    return firn_sph_stress(firn_m3_mul(grad, F), F, w->shear[i], a->combined ? w->lambda[i] : 0,
                           f->c, f->known);
}

// V_i sigma_i L_i; tr(sigma_i) / 3 is the fourth real of the first row.
static void stress_range(const void* self, firn_local begin, firn_local end)
{
    const shear_pass* pass = self;
    const firn_sph_shear_args* a = pass->a;
    const firn_sph_work* w = a->work;
    for (firn_local i = begin; i < end; i++) {
        const firn_mat3 sigma = sigma_particle(a, pass->f, i);
        w->source[i] = firn_m3_trace(sigma);
        const firn_mat3 T =
            firn_m3_scale(firn_m3_mul(sigma, firn_sph_correction_of(w, i)), w->volume[i]);
        for (int r = 0; r < 3; r++)
            w->stress[3 * (size_t)i + (size_t)r] =
                (firn_vec4){T.m[r][0], T.m[r][1], T.m[r][2], r == 0 ? firn_m3_trace(sigma) / 3 : 0};
    }
}

// div sigma_i, eq. 19.
static firn_vec3 divergence_of_stress(const firn_sph_shear_args* a, firn_local i)
{
    const firn_sph_work* w = a->work;
    firn_real sum[3] = {0};
    for (int k = 0; k < a->pairs->neighbours[i]; k++) {
        const firn_pair pair = firn_pair_at(a->pairs, i, k);
        for (int r = 0; r < 3; r++) {
            const firn_vec4 T = w->stress[3 * (size_t)pair.j + (size_t)r];
            sum[r] += firn_v3_dot(firn_v3(T[0], T[1], T[2]), pair.g);
        }
    }
    const firn_vec3 S = firn_v3(w->S[0][i], w->S[1][i], w->S[2][i]);
    const firn_vec3 LB = firn_v3(w->LB[0][i], w->LB[1][i], w->LB[2][i]);
    const firn_vec3 wall = firn_v3_scale(LB, w->stress[3 * (size_t)i][3]);
    const firn_real own = 1 / w->volume[i];
    for (int r = 0; r < 3; r++) {
        const firn_vec4 T = w->stress[3 * (size_t)i + (size_t)r];
        sum[r] += own * firn_v3_dot(firn_v3(T[0], T[1], T[2]), S);
    }
    return firn_v3_add(firn_v3(sum[0], sum[1], sum[2]), wall);
}

// The row of the operator, or of the right-hand side.
static void row_range(const void* self, firn_local begin, firn_local end)
{
    const shear_pass* pass = self;
    const firn_sph_shear_args* a = pass->a;
    for (firn_local i = begin; i < end; i++) {
        const firn_vec3 d = firn_v3_scale(divergence_of_stress(a, i), 1 / a->density[i]);
        const firn_vec4 div = {d.x, d.y, d.z, 0};
        pass->out[i] = pass->f->known ? div : pass->f->u[i] - div;
    }
}

// Between stresses and forces: how dynamic colliders give way. Not where the solve starts.
static void shear_yield(const firn_sph_shear_args* a, const shear_field* f, firn_vec4* rows)
{
    if (a->lumps != NULL && f->u != NULL)
        firn_sph_lumps_yield(a->lumps, &(firn_sph_yield_args){a, f->u, f->known, rows});
}

static void shear_passes(const firn_sph_shear_args* a, const shear_field* f, firn_vec4* out)
{
    const shear_pass pass = {a, f, out};
    const firn_local n = a->pairs->count;
    if (f->u != NULL) firn_share(n, FIRN_SPH_SIMPLE, weigh_range, &pass);
    firn_share(n, FIRN_SPH_SLICES * FIRN_SLICE, stress_range, &pass);
    shear_yield(a, f, NULL);
    firn_share(n, FIRN_SPH_SLICES * FIRN_SLICE, row_range, &pass);
}

// out = A u = u - dt^2/rho div sigma(u)
static void shear_apply(void* self, const firn_vec4* u, firn_vec4* out)
{
    const firn_sph_shear_args* a = self;
    shear_passes(a, &(shear_field){u, a->dt * a->dt, false}, out);
}

// b = 1/rho div sigma(F**)
static void shear_right_hand_side(const firn_sph_shear_args* a)
{
    shear_passes(a, &(shear_field){a->work->v_star, a->dt, true}, a->work->b);
}

// a_G = 1/rho div sigma(F_E)
static void shear_start(const firn_sph_shear_args* a)
{
    shear_passes(a, &(shear_field){NULL, 0, true}, a->work->a_G);
}

// The loops over pairs, plain or fast.
typedef struct shear_loops {
    void (*right_hand_side)(const firn_sph_shear_args* args);
    void (*start)(const firn_sph_shear_args* args);
    void (*apply)(void* args, const firn_vec4* u, firn_vec4* out);  // without friction
} shear_loops;

// The operator with friction.
typedef struct shear_system {
    const firn_sph_shear_args* a;
    const shear_loops* loops;
} shear_system;

// Rows of the operator near colliders.
static void hold_range(const void* self, firn_local begin, firn_local end)
{
    const shear_pass* pass = self;
    const firn_sph_shear_args* a = pass->a;
    const firn_vec4* u = pass->f->u;
    for (firn_local k = begin; k < end; k++) {
        const firn_local i = a->contact[k].particle;
        if (a->contact[k].fluid) continue;
        if (a->contact[k].drag > 0)
            pass->out[i] = u[i] - firn_sph_held_row(&a->contact[k], a->dt, u[i] - pass->out[i]);
        if (a->lumps != NULL) pass->out[i] -= firn_sph_followed_row(&a->contact[k], a->dt);
    }
}

// Rows of fluids in chunks that have snow: a = 0. `u` null: of the right-hand side.
static void leave_chunks(const void* self, firn_local begin, firn_local end)
{
    const shear_pass* pass = self;
    const firn_sph_work* w = pass->a->work;
    const firn_vec4* u = pass->f->u;
    const firn_local count = pass->a->pairs->count;
    for (firn_local chunk = begin; chunk < end; chunk++) {
        if (w->only_chunk != NULL && w->only_chunk[chunk] == 0) continue;
        const firn_local first = chunk * FIRN_BICG_CHUNK;
        for (firn_local i = first; i < count && i < first + FIRN_BICG_CHUNK; i++)
            if (firn_sph_is_fluid(w, i)) pass->out[i] = u != NULL ? u[i] : (firn_vec4){0};
    }
}

static void leave_fluids(const firn_sph_shear_args* a, const firn_vec4* u, firn_vec4* out)
{
    const shear_pass pass = {a, &(shear_field){.u = u}, out};
    if (a->mixed) firn_share(firn_bicg_partials(a->pairs->count), 1, leave_chunks, &pass);
}

// Zeroes what snow reads of slices without snow, which no pass writes.
static void clear_slices_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_work* w = ((const firn_sph_shear_args*)self)->work;
    firn_vec4* const vectors[] = {w->a_G, w->p, w->s};
    for (firn_local s = begin; s < end; s++) {
        if (!firn_sph_leaves_out(w, s)) continue;
        const size_t first = (size_t)s * FIRN_SLICE;
        for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
            memset(vectors[k] + first, 0, FIRN_SLICE * sizeof(firn_vec4));
        memset(w->stress + 3 * first, 0, 3 * FIRN_SLICE * sizeof(firn_vec4));
        memset(w->source + first, 0, FIRN_SLICE * sizeof(firn_real));
    }
}

static void shear_system_apply(void* self, const firn_vec4* u, firn_vec4* out)
{
    const shear_system* s = self;
    s->loops->apply((void*)(uintptr_t)s->a, u, out);
    const shear_pass pass = {s->a, &(shear_field){.u = u}, out};
    firn_share(s->a->contact_count, FIRN_SPH_CONTACTS, hold_range, &pass);
    leave_fluids(s->a, u, out);
}

// Friction in the rows of a known stress near colliders.
static void brake_range(const void* self, firn_local begin, firn_local end)
{
    const shear_pass* pass = self;
    const firn_sph_shear_args* a = pass->a;
    for (firn_local k = begin; k < end; k++) {
        const firn_sph_contact_sums* t = &a->contact[k];
        const firn_local i = t->particle;
        if (t->fluid) continue;
        if (t->drag > 0)
            pass->out[i] = firn_sph_held_row(t, a->dt, pass->out[i]) +
                           firn_sph_braking_row(t, a->dt, a->work->v_star[i]);
        if (a->lumps != NULL) pass->out[i] += firn_sph_followed_row(t, a->dt);
    }
}

static void add_friction(const firn_sph_shear_args* a, firn_vec4* rows)
{
    const shear_pass pass = {a, NULL, rows};
    firn_share(a->contact_count, FIRN_SPH_CONTACTS, brake_range, &pass);
}

static void keep_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_shear_args* a = self;
    for (firn_local i = begin; i < end; i++) {
        const firn_vec4 a_G = a->work->a_G[i];
        a->acceleration[i] = firn_v3(a_G[0], a_G[1], a_G[2]);
    }
}

// Solves from the acceleration that is known so far.
static firn_bicg_result solve_from(shear_system* system)
{
    const firn_sph_shear_args* a = system->a;
    const firn_sph_work* w = a->work;
    const firn_local n = a->pairs->count;
    system->loops->right_hand_side(a);
    add_friction(a, w->b);
    leave_fluids(a, NULL, w->b);
    const firn_bicg_args args = {.count = n,
                                 .self = system,
                                 .apply = shear_system_apply,
                                 .max_iterations = a->max_iterations,
                                 .tolerance = a->tolerance,
                                 .size_floor = (double)a->floor * sqrt((double)n),
                                 .verify = a->tolerance < 1e-4,
                                 .fit_start = true,
                                 .only = w->only_chunk,
                                 .r = w->r,
                                 .shadow = w->shadow,
                                 .p = w->p,
                                 .v = w->v,
                                 .s = w->s,
                                 .t = w->t,
                                 .partial = w->partial};
    const firn_bicg_result result = firn_bicg_solve(&args, w->b, w->a_G);
    if (a->lumps != NULL) shear_system_apply(system, w->a_G, w->t);  // how colliders give way
    return result;
}

// The solve itself, for the plain loops and the fast ones. It starts from the acceleration by the
// present stress. That, the right-hand side and the operator without its 1 are divergences of
// symmetric stresses: a has neither a force nor a torque on snow that flies freely, wherever the
// iteration stops. The last step's a would have a torque, forward, on snow that spins.
//
// Coulomb's friction on dynamic colliders is that of the speed at the end of the step, which a
// first solve finds: with that of the last step, a collider that gains a part of its speed in a
// step would have so much too much friction.
static firn_bicg_result solve_shear(const firn_sph_shear_args* a, const shear_loops* loops)
{
    shear_system system = {a, loops};
    int first = 0;
    if (a->work->only_slice != NULL)
        firn_share(a->pairs->slice_count, FIRN_SPH_SIMPLE / FIRN_SLICE, clear_slices_range, a);
    loops->start(a);
    add_friction(a, a->work->a_G);
    leave_fluids(a, NULL, a->work->a_G);
    if (a->lumps != NULL && a->least_slip > 0) {
        first = solve_from(&system).iterations;
        firn_sph_lumps_grip_again(a, a->work->a_G);
    }
    firn_bicg_result result = solve_from(&system);
    if (result.iterations < first) result.iterations = first;  // of the longer one
    firn_share(a->pairs->count, FIRN_SPH_SIMPLE, keep_range, a);
    return result;
}

static firn_bicg_result shear(const firn_sph_shear_args* a)
{
    static const shear_loops plain = {shear_right_hand_side, shear_start, shear_apply};
    return solve_shear(a, &plain);
}
