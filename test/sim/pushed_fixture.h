// SPDX-License-Identifier: MIT
// Snow and dynamic colliders: their momentum, for the tests of coupling.
#pragma once
#include "bodies/bodies.h"
#include "collider_at.h"
#include "core/hash.h"
#include "play_fixture.h"
#include "solver/shared/base.h"

typedef struct pushed_mode {
    const char *solver, *keys, *simd;
    const char* backend;  // null: cpu
} pushed_mode;

// Momentum and angular momentum about the origin, and their sums without signs.
typedef struct pushed_motion {
    double mass, p[3], l[3], p_size, l_size;
} pushed_motion;

static inline firn_sim* pushed_start(const pushed_mode* m, const char* scene, int threads)
{
    char text[4000];
    snprintf(text, sizeof text, "firn: 1\nsolver: %s\ntime: {frames: 100, fps: 100}\n%s%s",
             m->solver, m->keys, scene);
    firn_scene* data;
    assert_int_equal(firn_scene_create(&data), FIRN_OK);
    const firn_load_def load = firn_default_load_def();
    if (firn_scene_load_text(data, text, "test", &load) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(data));
    firn_sim_def def = firn_default_sim_def();
    def.threads = threads;
    def.simd = m->simd;
    if (m->backend != NULL) def.backend = m->backend;
    firn_sim* sim = NULL;
    firn_error error;
    if (firn_sim_create(data, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(data);
    return sim;
}

static inline const void* pushed_field(const firn_sim* sim, const char* name, int64_t* out_count)
{
    firn_field_view view;
    if (firn_sim_field(sim, name, &view) != FIRN_OK) return NULL;
    *out_count = view.count;
    return view.data;
}

// Adds a mass at x that moves with v, and an angular momentum of its own.
static inline void pushed_add(pushed_motion* all, double m, firn_vec3 x, firn_vec3 v,
                              const double own[3])
{
    const double a[3] = {(double)x.x, (double)x.y, (double)x.z};
    const double u[3] = {(double)v.x, (double)v.y, (double)v.z};
    double p2 = 0, l2 = 0;
    all->mass += m;
    for (int d = 0; d < 3; d++) {
        const int e = (d + 1) % 3, f = (d + 2) % 3;
        const double l = m * (a[e] * u[f] - a[f] * u[e]) + own[d];
        all->p[d] += m * u[d];
        all->l[d] += l;
        p2 += m * u[d] * m * u[d];
        l2 += l * l;
    }
    all->p_size += sqrt(p2);
    all->l_size += sqrt(l2);
}

// Of the snow, with spins of grains and the moments of APIC.
static inline pushed_motion pushed_snow(const firn_sim* sim)
{
    int64_t n = 0;
    const firn_real* mass = pushed_field(sim, "mass", &n);
    const firn_real* radius = pushed_field(sim, "radius", &n);
    const firn_vec3* x = pushed_field(sim, "position", &n);
    const firn_vec3* v = pushed_field(sim, "velocity", &n);
    const firn_vec3* spin = pushed_field(sim, "spin", &n);
    const firn_mat3* B = pushed_field(sim, "affine", &n);
    pushed_motion all = {0};
    for (int64_t k = 0; k < n; k++) {
        const double m = (double)mass[k];
        double own[3] = {0};
        if (spin != NULL) {
            const double inertia = 4 * m * (double)radius[k] * (double)radius[k];
            own[0] = inertia * (double)spin[k].x;
            own[1] = inertia * (double)spin[k].y;
            own[2] = inertia * (double)spin[k].z;
        }
        for (int d = 0; B != NULL && d < 3; d++) {  // sum (x_i - x_p) x m v_i
            const int e = (d + 1) % 3, f = (d + 2) % 3;
            own[d] = m * ((double)B[k].m[f][e] - (double)B[k].m[e][f]);
        }
        pushed_add(&all, m, x[k], v[k], own);
    }
    return all;
}

// Of the dynamic colliders.
static inline pushed_motion pushed_bodies(const firn_sim* sim)
{
    const firn_bodies* bodies = ((const firn_solver_base*)sim->self)->bodies;
    pushed_motion all = {0};
    for (firn_local k = 0; k < firn_bodies_count(bodies); k++) {
        const firn_rigid* r = firn_bodies_rigid(bodies, k);
        const firn_vec3 L = firn_rigid_angular_momentum(r);
        const double own[3] = {(double)L.x, (double)L.y, (double)L.z};
        pushed_add(&all, (double)r->mass, r->position, r->velocity, own);
    }
    return all;
}

// Of both.
static inline pushed_motion pushed_all(const firn_sim* sim)
{
    pushed_motion all = pushed_snow(sim);
    const pushed_motion b = pushed_bodies(sim);
    all.mass += b.mass;
    for (int d = 0; d < 3; d++) {
        all.p[d] += b.p[d];
        all.l[d] += b.l[d];
    }
    all.p_size += b.p_size;
    all.l_size += b.l_size;
    return all;
}

static inline const firn_rigid* pushed_body(const firn_sim* sim, firn_local k)
{
    return firn_bodies_rigid(((const firn_solver_base*)sim->self)->bodies, k);
}

static inline double pushed_length(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static inline void pushed_step(firn_sim* sim)
{
    if (firn_sim_step(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
}

// A block of 3.2 kg of snow flies into a box that spins, off its centre; nothing else is there.
static const char* const pushed_collision =
    "gravity: [0, 0, 0]\n"
    "snow:\n  - {shape: {box: {center: [0.1, 0.1, 0.02], size: [0.2, 0.2, 0.2]}},\n"
    "     velocity: [2, 0.3, 0]}\n"
    "colliders:\n"
    "  - {shape: {box: {center: [0, 0, 0], size: [0.2, 0.3, 0.2]}}, position: [0.32, 0.17, 0],\n"
    "     velocity: [-1, 0, 0.2], spin: [0, 1, 2], friction: 0.4, mass: %g}\n";

// Changes of all momenta in a step, the largest, relative to all momenta without signs.
typedef struct pushed_drift {
    double p, l;
    double l_all;    // of angular momentum from the start to the end
    double fastest;  // [m/s] of the box
    double gained;   // [kg m/s] momentum of the box along x at the end
} pushed_drift;

// Runs the scene for 0.03 s.
static inline pushed_drift pushed_meet(const pushed_mode* m, const char* scene)
{
    firn_sim* sim = pushed_start(m, scene, 1);
    const pushed_motion start = pushed_all(sim);
    pushed_motion before = start;
    pushed_drift out = {0};
    while (firn_sim_read(sim).time < 0.03) {
        pushed_step(sim);
        const pushed_motion now = pushed_all(sim);
        double p[3], l[3], all[3];
        for (int d = 0; d < 3; d++) {
            p[d] = now.p[d] - before.p[d];
            l[d] = now.l[d] - before.l[d];
            all[d] = now.l[d] - start.l[d];
        }
        out.p = fmax(out.p, pushed_length(p) / now.p_size);
        out.l = fmax(out.l, pushed_length(l) / now.l_size);
        out.l_all = pushed_length(all) / now.l_size;
        if (firn_bodies_count(((const firn_solver_base*)sim->self)->bodies) > 0)
            out.fastest = fmax(out.fastest, (double)firn_v3_length(pushed_body(sim, 0)->velocity));
        before = now;
    }
    out.gained = pushed_bodies(sim).p[0];
    firn_sim_destroy(sim);
    return out;
}

static inline pushed_drift pushed_collide(const pushed_mode* m, double mass)
{
    char scene[1000];
    snprintf(scene, sizeof scene, pushed_collision, mass);
    const pushed_drift out = pushed_meet(m, scene);
    assert_true(fabs(out.gained + mass) > 0.01 * mass);  // they have met; it had -1 m/s
    return out;
}

// Walls of a box of 0.8 m, and a floor.
#define PUSHED_BOX                                                                    \
    "  - {shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}, friction: 0.5}\n"    \
    "  - {shape: {plane: {point: [0.4, 0, 0], normal: [-1, 0, 0]}}, friction: 0.2}\n" \
    "  - {shape: {plane: {point: [-0.4, 0, 0], normal: [1, 0, 0]}}, friction: 0.2}\n" \
    "  - {shape: {plane: {point: [0, 0, 0.4], normal: [0, 0, -1]}}, friction: 0.2}\n" \
    "  - {shape: {plane: {point: [0, 0, -0.4], normal: [0, 0, 1]}}, friction: 0.2}\n"

// A ball falls onto a bed of snow.
static const char* const pushed_bed =
    "gravity: [0, -9.81, 0]\n"
    "snow:\n  - shape: {box: {center: [0, 0.12, 0], size: [0.8, 0.24, 0.8]}}\n"
    "colliders:\n" PUSHED_BOX
    "  - {shape: {sphere: {center: [0, 0, 0], radius: 0.12}}, position: [0.03, 0.365, 0.02],\n"
    "     velocity: [0, -1.5, 0], friction: 0.4, mass: %g}\n";

// The ball loses what the snow and the weight give it, step by step; what is missing, over all that
// it was given.
static inline double pushed_ball_miss(const pushed_mode* m)
{
    char scene[2000];
    snprintf(scene, sizeof scene, pushed_bed, 7.0);
    firn_sim* sim = pushed_start(m, scene, 2);
    double given[3] = {0}, size = 0, time = 0;
    const pushed_motion before = pushed_bodies(sim);
    while (firn_sim_read(sim).time < 0.06) {
        pushed_step(sim);
        firn_body_load load;
        assert_int_equal(firn_sim_body_load(sim, collider_at(sim, 5), &load, NULL), FIRN_OK);
        for (int d = 0; d < 3; d++) given[d] += load.seconds * load.force[d];
        size += load.seconds * pushed_length(load.force);
        time += load.seconds;
    }
    const pushed_motion after = pushed_bodies(sim);
    double miss[3];
    for (int d = 0; d < 3; d++)
        miss[d] = after.p[d] - before.p[d] - given[d] + (d == 1 ? 7 * 9.81 * time : 0);
    assert_true(given[1] > 1);
    firn_sim_destroy(sim);
    return pushed_length(miss) / size;
}

// [m] at which the ball lies a third of a second after its impact.
static inline double pushed_ball_rest(const pushed_mode* m, double mass)
{
    char scene[2000];
    snprintf(scene, sizeof scene, pushed_bed, mass);
    firn_sim* sim = pushed_start(m, scene, 2);
    play_frames(sim, 35);
    const double y = (double)pushed_body(sim, 0)->position.y;
    firn_sim_destroy(sim);
    return y;
}

// Two boxes in the snow that meet, one on the floor.
static const char* const pushed_boxes =
    "gravity: [0, -9.81, 0]\n"
    "snow:\n  - {shape: {box: {center: [0.1, 0.13, 0.02], size: [0.2, 0.24, 0.2]}},\n"
    "     velocity: [1.5, 0, 0]}\n"
    "colliders:\n"
    "  - {shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}, friction: 0.4}\n"
    "  - {shape: {box: {center: [0, 0, 0], size: [0.1, 0.16, 0.2]}}, position: [0.27, 0.081, 0],\n"
    "     friction: 0.4, mass: 2}\n"
    "  - {shape: {sphere: {center: [0, 0, 0], radius: 0.06}}, position: [0.12, 0.33, 0],\n"
    "     velocity: [0, -1, 0], spin: [0, 0, 3], friction: 0.3, mass: 0.4}\n";

// Of the snow and the colliders.
static inline uint64_t pushed_hash(firn_sim* sim)
{
    const firn_bodies* bodies = ((const firn_solver_base*)sim->self)->bodies;
    uint64_t hash = firn_sim_hash(sim);
    for (firn_local k = 0; k < firn_bodies_count(bodies); k++) {
        const firn_rigid* r = firn_bodies_rigid(bodies, k);
        const firn_real state[] = {r->position.x, r->position.y, r->position.z, r->velocity.x,
                                   r->velocity.y, r->velocity.z, r->spin.x,     r->spin.y,
                                   r->spin.z,     r->rotation.w, r->rotation.x};
        hash = firn_hash(state, sizeof state, hash);
    }
    return hash;
}
