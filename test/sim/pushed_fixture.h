// SPDX-License-Identifier: MIT
// Snow and dynamic colliders: their momentum, for the tests of coupling.
#pragma once
#include "bodies/bodies.h"
#include "play_fixture.h"
#include "solver/shared/base.h"

typedef struct pushed_mode {
    const char *solver, *keys, *simd;
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
