// SPDX-License-Identifier: MIT
// One step of the same state, by the plain loops of the host and by a device: compared node by node
// and particle by particle. Every tolerance is a number of epsilons times the sum of the sizes of
// all that was added, as in test_mpm_fused.c; what particles read off the grid may differ by what
// its nodes differ, too, so that each pass is judged by what it was given.
#pragma once
#include "solver/mpm/device_world.h"
#include "solver/mpm/tangle.h"
#include "solver/mpm/twin_columns.h"

// In epsilons. A node adds up a few hundred terms in another order; rounding grows as the root of
// their number. Stresses are measured before their terms cancel; a deformation goes through a
// decomposition of a few dozen operations; a velocity is one sum of 64 terms.
#define TWIN_SUM 24
#define TWIN_FORCE 4
#define TWIN_STRAIN 16
#define TWIN_READ 8
// A node's velocity after as many iterations of the linear solve on both sides, relative, in the
// norm of the mass product: float vectors, scalars in double.
#define TWIN_SOLVE 2e-5

typedef struct twins {
    world *plain, *other;
    double dt;                  // [s] of every step
    double body_limit;          // epsilons of a velocity that a body's normal may turn it by
    const char* what;           // for messages
    tangle_scale* scale;        // [nodes of plain], of the state at the start of the step
    double *old_off, *new_off;  // [nodes] largest difference of v^n, of v^{n+1} [m/s]
    firn_vec4* star;            // [nodes] v^* of plain
    uint8_t* close;             // [nodes] rounding decides about its column
    int iterations;             // of plain
    firn_particles before;      // of plain, sorted
} twins;

// A largest ratio of an error to what is allowed, and where it was.
typedef struct twin_worst {
    double ratio, error, allowed;
    firn_local at;
} twin_worst;

static inline void twin_note(twin_worst* w, double error, double allowed, firn_local at)
{
    if (error < (double)FIRN_REAL_TINY) return;  // few digits or none; NaN goes on
    const double ratio = allowed > 0 ? error / allowed : (double)INFINITY;
    if (!(ratio <= w->ratio)) *w = (twin_worst){ratio, error, allowed, at};
}

static inline void twin_check(const twins* t, const char* what, const twin_worst* w)
{
    print_message("%-28s step %2d  %-18s %8.2g of what rounding explains (%.3g of %.3g)\n", t->what,
                  (int)t->plain->m->base.step, what, w->ratio, w->error, w->allowed);
    if (!(w->ratio <= 1))
        fail_msg("%s: %s of %d is off by %g; %g can be explained", t->what, what, (int)w->at,
                 w->error, w->allowed);
}

// Largest speed of a body at x, of those that may be there.
static inline double twin_body_speed(const world* w, firn_vec3 x)
{
    double most = 0;
    for (firn_local c = 0; c < w->m->base.collider_count; c++) {
        const firn_collider* body = &w->m->base.colliders[c];
        if (firn_collider_misses(body, x)) continue;
        most = fmax(most, (double)firn_v3_length(firn_collider_velocity(body, x)));
    }
    return most;
}

static inline bool twin_in_reach(const world* w, firn_vec3 x)
{
    for (firn_local c = 0; c < w->m->base.collider_count; c++)
        if (!firn_collider_misses(&w->m->base.colliders[c], x)) return true;
    return false;
}

// Where rounding of x, or of v, decides what a body does: at its surface, where two of its faces
// are equally near, or where v just does not approach.
static inline bool twin_at_edge(const world* w, firn_vec3 x, firn_vec3 v)
{
    const double d = 32 * (double)FIRN_REAL_EPSILON * (1 + (double)firn_v3_length(x));
    for (firn_local c = 0; c < w->m->base.collider_count; c++) {
        const firn_collider* body = &w->m->base.colliders[c];
        firn_vec3 n, m;
        const bool in = firn_collider_sample(body, &w->scene.shapes, x, &n) <= 0;
        const firn_vec3 v_co = firn_collider_velocity(body, x);
        const double speed = (double)firn_v3_length(v) + (double)firn_v3_length(v_co);
        if (in && fabs((double)firn_v3_dot(firn_v3_sub(v, v_co), n)) <= 1e-4 * speed) return true;
        for (int k = 0; k < 6; k++) {
            double by[3] = {0, 0, 0};
            by[k / 2] = k % 2 == 0 ? d : -d;
            const firn_vec3 y =
                firn_v3_add(x, firn_v3((firn_real)by[0], (firn_real)by[1], (firn_real)by[2]));
            const bool inside = firn_collider_sample(body, &w->scene.shapes, y, &m) <= 0;
            if (inside != in) return true;
            if (in && (double)firn_v3_length(firn_v3_sub(n, m)) > 0.02) return true;
        }
    }
    return false;
}

// The plain steps up to the nodes' new velocity.
static inline void twins_plain_nodes(twins* t)
{
    world* w = t->plain;
    world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_02_VOLUMES, t->dt);
    t->scale = tangle_scales(w);
    t->before = tangle_keep(w);
    world_stages(w, FIRN_MPM_03_FORCES, FIRN_MPM_04_GRID_VELOCITY, t->dt);
    t->close = twin_columns(w);
    world_stages(w, FIRN_MPM_05_GRID_COLLIDE, FIRN_MPM_05_GRID_COLLIDE, t->dt);
    const size_t nodes = (size_t)world_nodes(w);
    t->star = firn_alloc(nodes, sizeof *t->star);
    t->old_off = firn_alloc(nodes, sizeof *t->old_off);
    t->new_off = firn_alloc(nodes, sizeof *t->new_off);
    assert_non_null(t->star);
    assert_non_null(t->old_off);
    assert_non_null(t->new_off);
    memcpy(t->star, w->m->node_new, nodes * sizeof *t->star);
    world_stages(w, FIRN_MPM_06_SOLVE, FIRN_MPM_06_SOLVE, t->dt);
    t->iterations = w->m->iterations;
}

static inline double twin_apart(const firn_real* a, const firn_real* b)
{
    return fmax(fabs((double)a[0] - (double)b[0]),
                fmax(fabs((double)a[1] - (double)b[1]), fabs((double)a[2] - (double)b[2])));
}

static inline double twin_size(const firn_real* a)
{
    return fabs((double)a[0]) + fabs((double)a[1]) + fabs((double)a[2]);
}

// The plain node of node n of the other; each of them once.
static inline firn_local twin_node(const twins* t, const firn_mpm_cuda_nodes* nodes, firn_local n,
                                   uint8_t* seen)
{
    const int32_t* c = nodes->coord[n];
    const firn_local b = firn_grid_find(&t->plain->m->grid, c[0] >> 2, c[1] >> 2, c[2] >> 2);
    if (b < 0) fail_msg("%s: node (%d, %d, %d) should not exist", t->what, c[0], c[1], c[2]);
    const firn_local i = b * FIRN_BLOCK_NODES + ((c[0] & 3) << 4 | (c[1] & 3) << 2 | (c[2] & 3));
    if (seen[i]++ != 0) fail_msg("%s: node (%d, %d, %d) is there twice", t->what, c[0], c[1], c[2]);
    return i;
}

typedef struct twin_nodes_found {
    twin_worst mass, momentum, star, body;
    double apart2, size2;  // of v^{n+1} on free nodes, mass product
    int compared, fixed, edges;
} twin_nodes_found;

// Node i of plain, n of the other, both with mass.
static inline void twins_compare_new(const twins* t, const firn_mpm_cuda_nodes* nodes, firn_local n,
                                     firn_local i, twin_nodes_found* f)
{
    const firn_mpm* m = t->plain->m;
    const double eps = (double)FIRN_REAL_EPSILON, mass = (double)m->node_velocity[i][3];
    const firn_vec3 x = firn_grid_node_position(&m->grid, i);
    const firn_real v[3] = {m->node_new[i][0], m->node_new[i][1], m->node_new[i][2]};
    const bool fixed = m->node_fixed[i] != 0, there = nodes->now[n][3] != 0;
    // [m/s] what v^* was made of: what was there, what forces of either sign and gravity added
    const double had = t->scale[i].momentum / mass, pushed = t->dt * t->scale[i].force / mass;
    const double fell = t->dt * (double)firn_v3_length(m->gravity);
    t->new_off[i] = twin_apart(v, nodes->now[n]);
    double allowed = eps * (TWIN_SUM * (had + fell) + TWIN_FORCE * pushed);
    f->compared++;
    f->fixed += fixed;
    if (!fixed && !there) {
        if (!m->implicit) twin_note(&f->star, t->new_off[i], allowed, i);
        f->apart2 += mass * t->new_off[i] * t->new_off[i];
        f->size2 += mass * twin_size(v) * twin_size(v);
        return;
    }
    const double speed = had + fell + twin_size(v) + twin_body_speed(t->plain, x);
    allowed = 2 * allowed + t->body_limit * eps * speed;
    const firn_vec3 star = firn_v3(t->star[i][0], t->star[i][1], t->star[i][2]);
    if (!(t->new_off[i] <= allowed && (fixed == there || !m->implicit)) &&
        (t->close[i] || twin_at_edge(t->plain, x, star))) {
        f->edges++;
        return;
    }
    if (m->implicit && fixed != there)
        fail_msg("%s: node %d is fixed on one side only", t->what, (int)i);
    twin_note(&f->body, t->new_off[i], allowed, i);
}

static inline void twins_compare_nodes(twins* t)
{
    const firn_mpm* m = t->plain->m;
    const double eps = (double)FIRN_REAL_EPSILON;
    firn_mpm_cuda_nodes nodes = device_nodes(t->other);
    uint8_t* seen = firn_alloc((size_t)world_nodes(t->plain), 1);
    assert_non_null(seen);
    if (nodes.count != world_nodes(t->plain))
        fail_msg("%s: %d nodes instead of %d", t->what, (int)nodes.count,
                 (int)world_nodes(t->plain));
    twin_nodes_found f = {0};
    for (firn_local n = 0; n < nodes.count; n++) {
        const firn_local i = twin_node(t, &nodes, n, seen);
        const firn_real* u = nodes.velocity[n];
        const firn_real v[4] = {m->node_velocity[i][0], m->node_velocity[i][1],
                                m->node_velocity[i][2], m->node_velocity[i][3]};
        const tangle_scale* s = &t->scale[i];
        twin_note(&f.mass, fabs((double)u[3] - (double)v[3]), TWIN_SUM * eps * s->mass, i);
        if ((v[3] > 0) != (u[3] > 0) &&
            !(fmax((double)v[3], (double)u[3]) < 2 * (double)m->mass_min))
            fail_msg("%s: node %d has mass %g and %g", t->what, (int)i, (double)v[3], (double)u[3]);
        if (!(v[3] > 0) || !(u[3] > 0)) continue;
        t->old_off[i] = twin_apart(u, v);
        twin_note(&f.momentum, t->old_off[i] * (double)v[3], TWIN_SUM * eps * s->momentum, i);
        twins_compare_new(t, &nodes, n, i, &f);
    }
    firn_free(seen);
    device_nodes_free(&nodes);
    twin_check(t, "node mass", &f.mass);
    twin_check(t, "node momentum", &f.momentum);
    if (!m->implicit) twin_check(t, "node velocity", &f.star);
    if (f.fixed > 0) twin_check(t, "node in a body", &f.body);
    const double apart = sqrt(f.apart2 / fmax(f.size2, 1e-300));
    print_message("%-28s step %2d  %d nodes, %d in bodies, %d at edges; v^{n+1} apart %.2g\n",
                  t->what, (int)m->base.step, f.compared, f.fixed, f.edges, apart);
    assert_greater(f.compared, 100);
    assert_at_most(f.edges, 2 + f.fixed / 100);
    if (m->implicit && !(apart <= TWIN_SOLVE))
        fail_msg("%s: solutions are %g apart", t->what, apart);
}
