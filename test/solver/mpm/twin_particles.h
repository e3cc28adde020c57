// SPDX-License-Identifier: MIT
// Particles, sums and report of a step by the plain loops and by a device (twins.h).
#pragma once
#include "particles_copy.h"
#include "solver/mpm/twins.h"

// What a particle reads off the grid, by size, and how far off its nodes were.
typedef struct twin_reading {
    double value, gradient, moment;              // sums of w |v|, |grad w| |v|, w |v| |x_i - x_p|
    double value_off, gradient_off, moment_off;  // the same of the nodes' differences
} twin_reading;

static inline twin_reading twin_read(const twins* t, const tangle_reach* at)
{
    const firn_mpm* m = t->plain->m;
    twin_reading s = {0};
    for (int k = 0; k < 64; k++) {
        const firn_local i = at->node[k];
        const firn_real v[3] = {m->node_new[i][0], m->node_new[i][1], m->node_new[i][2]};
        const firn_real u[3] = {m->node_velocity[i][0], m->node_velocity[i][1],
                                m->node_velocity[i][2]};
        s.value += at->w[k] * (twin_size(v) + twin_size(u));
        s.gradient += at->slope[k] * twin_size(v);
        s.moment += at->w[k] * twin_size(v) * at->distance[k];
        s.value_off += at->w[k] * 2 * (t->new_off[i] + t->old_off[i]);  // of the length
        s.gradient_off += at->slope[k] * t->new_off[i];
        s.moment_off += at->w[k] * t->new_off[i] * at->distance[k];
    }
    return s;
}

static inline double twin_mat3_apart(firn_mat3 a, firn_mat3 b)
{
    double most = 0;
    for (int r = 0; r < 3; r++) most = fmax(most, twin_apart(a.m[r], b.m[r]));
    return most;
}

// What no step changes.
static inline bool twin_same_constants(const firn_mpm_particles* A, firn_local a,
                                       const firn_mpm_particles* B, firn_local b)
{
    if (A->mass[a] != B->mass[b] || A->stiffness[a] != B->stiffness[b] ||
        A->material[a] != B->material[b])
        return false;
    return A->hardening == NULL ||
           (A->hardening[a] == B->hardening[b] && A->compression[a] == B->compression[b] &&
            A->stretch[a] == B->stretch[b]);
}

typedef struct twin_particles_found {
    twin_worst position, velocity, strain, plastic, volume, affine;
    int clamped, edges;
} twin_particles_found;

// Particle p as it was, with what it reads: `a` of plain, `b` of the other are its numbers now.
static inline void twins_compare_particle(const twins* t, firn_local p, const twin_reading* s,
                                          firn_local a, firn_local b, twin_particles_found* f)
{
    const firn_mpm_particles *A = &t->plain->m->p, *B = &t->other->m->p;
    const double eps = (double)FIRN_REAL_EPSILON;
    assert_true(twin_same_constants(A, a, B, b));
    const firn_vec3 x0 = ((const firn_vec3*)firn_particles_find(&t->before, "position")->data)[p];
    const firn_vec3 v0 = ((const firn_vec3*)firn_particles_find(&t->before, "velocity")->data)[p];
    const firn_mat3 F0 =
        ((const firn_mat3*)firn_particles_find(&t->before, "def_grad_elastic")->data)[p];
    const firn_real J0 =
        ((const firn_real*)firn_particles_find(&t->before, "plastic_det")->data)[p];
    const double size = tangle_norm(F0) * (1 + t->dt * s->gradient);
    const double strain = TWIN_STRAIN * eps * size + t->dt * tangle_norm(F0) * s->gradient_off;
    const double J = (double)A->plastic_det[a];
    f->clamped += A->plastic_det[a] != J0;
    twin_note(&f->strain, twin_mat3_apart(A->def_grad_elastic[a], B->def_grad_elastic[b]), strain,
              p);
    twin_note(&f->plastic, fabs(J - (double)B->plastic_det[b]), J * size * strain, p);
    twin_note(&f->volume, fabs((double)A->volume[a] - (double)B->volume[b]),
              2 * TWIN_SUM * eps * (double)A->volume[a], p);
    double v = TWIN_READ * eps * (s->value + (double)firn_v3_length(v0)) + s->value_off;
    if (twin_in_reach(t->plain, x0))
        v = 2 * v + t->body_limit * eps *
                        (s->value + (double)firn_v3_length(v0) + twin_body_speed(t->plain, x0));
    const double x = 2 * eps * (double)firn_v3_length(x0) + t->dt * v;
    const double v_off = (double)firn_v3_length(firn_v3_sub(A->velocity[a], B->velocity[b]));
    const double x_off = (double)firn_v3_length(firn_v3_sub(A->position[a], B->position[b]));
    if (!(v_off <= v && x_off <= x) && (twin_at_edge(t->plain, x0, A->velocity[a]) ||
                                        twin_at_edge(t->plain, x0, B->velocity[b]))) {
        f->edges++;
    } else {
        twin_note(&f->velocity, v_off, v, p);
        twin_note(&f->position, x_off, x, p);
    }
    if (A->affine == NULL) return;
    twin_note(&f->affine, twin_mat3_apart(A->affine[a], B->affine[b]),
              TWIN_READ * eps * s->moment + s->moment_off, p);
}

// After the plain steps 7 to 10; the grid's list is that of the start, when particles were in the
// order of `before`.
static inline void twins_compare_particles(const twins* t, double least_clamped)
{
    const firn_sparse_grid* grid = &t->plain->m->grid;
    const firn_local count = t->plain->m->p.count;
    if (t->other->m->p.count != count)
        fail_msg("%s: %d particles instead of %d", t->what, (int)t->other->m->p.count, (int)count);
    firn_local* there = device_by_id(t->other, t->plain->seeds.count);
    const firn_vec3* now = t->plain->m->p.position;
    const firn_vec3* old = firn_particles_find(&t->before, "position")->data;
    twin_particles_found f = {0};
    for (firn_local b = 0; b < grid->occupied_count; b++) {
        for (firn_local k = grid->first[b]; k < grid->first[b + 1]; k++) {
            const firn_local p = grid->order[k], other = there[t->plain->m->p.id[p]];
            if (other < 0) fail_msg("%s: particle %d is gone", t->what, (int)p);
            t->plain->m->p.position = (firn_vec3*)(uintptr_t)old;  // where it read
            const tangle_reach at = tangle_reach_of(t->plain, b, p);
            t->plain->m->p.position = (firn_vec3*)(uintptr_t)now;
            const twin_reading s = twin_read(t, &at);
            twins_compare_particle(t, p, &s, p, other, &f);
        }
    }
    firn_free(there);
    twin_check(t, "x", &f.position);
    twin_check(t, "v", &f.velocity);
    twin_check(t, "F_E", &f.strain);
    twin_check(t, "J_P", &f.plastic);
    twin_check(t, "V_p^0", &f.volume);
    if (t->plain->m->p.affine != NULL) twin_check(t, "B_p", &f.affine);
    print_message("%-28s step %2d  %d particles, %d yielded, %d at edges\n", t->what,
                  (int)t->plain->m->base.step, (int)count, f.clamped, f.edges);
    assert_at_least(f.clamped, least_clamped * count);
    assert_at_most(f.edges, 2 + count / 200);
}

// Sums over blocks are in double: only their terms round.
static inline void twins_compare_report(const twins* t)
{
    const firn_step_report* r = &t->other->report;
    const firn_mpm* m = t->plain->m;
    firn_sums all = {.plastic_min = INFINITY, .plastic_max = -INFINITY};
    double elastic = 0, potential = 0;
    for (firn_local b = 0; b < m->grid.occupied_count; b++) {
        const firn_sums* s = &m->sums[b];
        all.mass += s->mass;
        for (int a = 0; a < 3; a++) all.momentum[a] += s->momentum[a];
        all.kinetic += s->kinetic;
        all.potential += s->potential;
        all.elastic += s->elastic;
        all.plastic_min = fmin(all.plastic_min, s->plastic_min);
        all.plastic_max = fmax(all.plastic_max, s->plastic_max);
    }
    for (firn_local p = 0; p < m->p.count; p++) {
        elastic += tangle_stress(t->plain, p);
        potential += (double)m->p.mass[p] * (double)firn_v3_length(m->gravity) *
                     (double)firn_v3_length(m->p.position[p]);
    }
    const double eps = 4 * (double)FIRN_REAL_EPSILON, speed = sqrt(2 * all.mass * all.kinetic);
    twin_worst worst = {0};
    for (int a = 0; a < 3; a++)
        twin_note(&worst, fabs(r->momentum[a] - all.momentum[a]), eps * speed, 0);
    twin_note(&worst, fabs(r->kinetic - all.kinetic), eps * all.kinetic, 3);
    twin_note(&worst, fabs(r->potential - all.potential), eps * potential, 4);
    twin_note(&worst, fabs(r->elastic - all.elastic), eps * elastic, 5);
    twin_check(t, "sums", &worst);
    if (r->plastic_min != all.plastic_min || r->plastic_max != all.plastic_max)
        fail_msg("%s: J_P from %.9g to %.9g instead of %.9g to %.9g", t->what, r->plastic_min,
                 r->plastic_max, all.plastic_min, all.plastic_max);
    assert_int_equal(r->active_blocks, m->grid.block_count);
    assert_int_equal(r->particle_count, m->p.count);
    assert_int_equal(r->culled, 0);
    assert_int_equal(r->iterations, t->iterations);
    assert_near(r->dt, t->dt, 1e-9 * t->dt);  // one division in double
}

// One step of both, compared; then plain goes on from where the other is. `least_clamped`: share of
// the particles that must have yielded, or the clamp was not tested.
static inline void twins_step(twins* t, double least_clamped)
{
    twins_plain_nodes(t);
    world_step(t->other, t->dt);
    device_fetch(t->other);
    twins_compare_nodes(t);
    twins_compare_report(t);
    world_stages(t->plain, FIRN_MPM_07_DEFORMATION, FIRN_MPM_10_ADVECT, t->dt);
    twins_compare_particles(t, least_clamped);
    world_step_done(t->plain);
    assert_int_equal(copy_particles(&t->plain->m->base.store, &t->other->m->base.store), FIRN_OK);
    firn_mpm_refresh_pointers(t->plain->m);
    assert_int_equal(t->plain->m->base.step, t->other->m->base.step);
    t->plain->time = t->other->time;
    firn_free(t->scale);
    firn_free(t->star);
    firn_free(t->close);
    firn_free(t->old_off);
    firn_free(t->new_off);
    firn_particles_destroy(&t->before);
}

// Both take the state of a third, as that of step `step`.
static inline void twins_take(twins* t, const world* state, int64_t step)
{
    world* const both[2] = {t->plain, t->other};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(copy_particles(&both[k]->m->base.store, &state->m->base.store), FIRN_OK);
        firn_mpm_refresh_pointers(both[k]->m);
        both[k]->m->base.step = step;
        both[k]->time = state->time;
    }
}

static inline void twins_destroy(twins* t)
{
    world_destroy(t->plain);
    world_destroy(t->other);
}
