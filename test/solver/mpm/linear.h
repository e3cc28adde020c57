// SPDX-License-Identifier: MIT
// The operator of step 6 on a small world: H u, A u = u + beta dt^2 M^-1 H u, for any u. By the
// fast loops where the level has them.
#pragma once
#include "solver/mpm/support/mpm_args.h"
#include "solver/mpm/world.h"

// Runs steps 1 to 5 and linearises. The world is semi-implicit.
static inline firn_mpm_solve_args linear_start(world* w, double dt)
{
    world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_05_GRID_COLLIDE, dt);
    firn_mpm* m = w->m;
    const firn_mpm_solve_args a = firn_mpm_args_solve(m);
    if (m->ops->linearize_simd != NULL) {
        m->ops->linearize_simd(&a);
    } else {
        m->ops->linearize(&a);
    }
    return a;
}

// out = A u
static inline void linear_apply(const world* w, firn_mpm_solve_args* a, const firn_vec4* u,
                                firn_vec4* out)
{
    if (w->m->ops->apply_simd != NULL) {
        w->m->ops->apply_simd(a, u, out);
    } else {
        w->m->ops->apply(a, u, out);
    }
}

static inline firn_cr_result linear_solve(const world* w, const firn_mpm_solve_args* a)
{
    return w->m->ops->solve_simd != NULL ? w->m->ops->solve_simd(a) : w->m->ops->solve(a);
}

static inline firn_vec4* linear_vector(const world* w)
{
    firn_vec4* v = firn_alloc((size_t)world_nodes(w), sizeof *v);
    assert_non_null(v);
    return v;
}

// Random values on nodes that hold snow, 0 elsewhere.
static inline void linear_random(const world* w, any_source* r, firn_vec4* u)
{
    for (firn_local n = 0; n < world_nodes(w); n++) {
        const firn_vec3 v = any_vec3(r, 1);
        u[n] =
            w->m->node_velocity[n][3] > 0 ? (firn_vec4){v.x, v.y, v.z, 0} : (firn_vec4){0, 0, 0, 0};
    }
}

// Hu = H u  [N per m of u]
static inline void linear_apply_H(const world* w, firn_mpm_solve_args* a, const firn_vec4* u,
                                  firn_vec4* Hu, firn_vec4* scratch)
{
    linear_apply(w, a, u, scratch);
    memcpy(Hu, a->node_Hu, (size_t)world_nodes(w) * sizeof *Hu);
}

static inline double linear_dot(const world* w, const firn_vec4* u, const firn_vec4* v)
{
    double sum = 0;
    for (firn_local n = 0; n < world_nodes(w); n++)
        for (int a = 0; a < 3; a++) sum += (double)u[n][a] * (double)v[n][a];
    return sum;
}

static inline double linear_norm(const world* w, const firn_vec4* u)
{
    return sqrt(linear_dot(w, u, u));
}
