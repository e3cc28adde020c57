// SPDX-License-Identifier: MIT
// A state that has everything a fast pass could trip over: a lump with big and small deformations,
// two materials, factors on every constant, cells with more particles than are scattered together,
// blocks of several chunks, particles alone in their block, and bodies that cut through. And the
// sizes that rounding errors on it are measured against.
#pragma once
#include "particles_copy.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "solver/mpm/world.h"
#include "state/tile.h"

typedef struct tangle {
    firn_mpm_integrator integrator;
    firn_mpm_transfer transfer;
    bool varied;                             // factors on hardening and thresholds
    firn_mpm_preconditioner preconditioner;  // semi-implicit
    firn_spline spline;
} tangle;

static const char* const tangle_levels[] = {"baseline", "x86-64-v3", "x86-64-v4"};
enum { TANGLE_LEVELS = 3 };

static firn_material tangle_materials[2];
static firn_snow tangle_snow;

static inline void tangle_seeds(world* w, any_source* r)
{
    const double dense[3] = {2, 3, 2}, corner[3] = {0.2, 0.3, 0.4};
    world_scatter(w, r, corner, (const double[3]){9, 9, 9}, 8, 4.5);
    world_scatter(w, r, dense, (const double[3]){2, 2, 2}, 40, 0);
    const firn_local lump = w->seeds.count;
    for (int k = 0; k < 60; k++) world_add(w, any_vec3(r, 0.4), 5e-5);
    for (firn_local p = 0; p < w->seeds.count; p++) {
        const firn_vec3 v = any_vec3(r, p < lump ? 0.5 : 3);
        w->seeds.velocity[p] = firn_v3_add(v, firn_v3(1, -4, 0));
        w->seeds.stiffness[p] = (firn_real)any_between(r, 0.5, 2);
        w->seeds.mass[p] *= (firn_real)any_between(r, 0.5, 1.5);
        w->seeds.material[p] = (uint8_t)any_below(r, 2);
    }
}

// Gives every particle its factors, and the scene a reason to have them.
static inline void tangle_vary(world* w, any_source* r)
{
    firn_real** const arrays[] = {&w->seeds.hardening, &w->seeds.compression, &w->seeds.stretch};
    for (int k = 0; k < 3; k++) {
        *arrays[k] = firn_alloc((size_t)w->seeds.count, sizeof(firn_real));
        assert_non_null(*arrays[k]);
        for (firn_local p = 0; p < w->seeds.count; p++)
            (*arrays[k])[p] = (firn_real)any_between(r, 0.5, 1.5);
    }
    tangle_snow = (firn_snow){.shape = -1, .vary = firn_vary_default()};
    tangle_snow.vary.field[FIRN_VARY_HARDENING].noise = (firn_vary_noise){1, 1, 1, 1};
    w->scene.snow = &tangle_snow;
    w->scene.snow_count = 1;
}

// The world before world_start; tangle_started comes after it.
static inline world* tangle_unstarted(const tangle* kind)
{
    any_source r = {81, 0};
    world* w = world_create(0.01);
    w->def.integrator = kind->integrator;
    w->def.transfer = kind->transfer;
    w->def.preconditioner = kind->preconditioner;
    w->def.spline = kind->spline;
    w->scene.gravity[1] = -9.81;
    tangle_materials[0] = tangle_materials[1] = w->material;
    tangle_materials[1].snow.young *= (firn_real)0.3;
    tangle_materials[1].snow.hardening = 5;
    tangle_materials[1].snow.critical_stretch = (firn_real)0.01;
    tangle_materials[1].snow.fracture_energy = 1;
    w->scene.materials = tangle_materials;
    w->scene.material_count = 2;
    tangle_seeds(w, &r);
    if (kind->varied) tangle_vary(w, &r);
    world_plane(w, firn_v3(0, (firn_real)0.015, 0), firn_v3((firn_real)0.1, 1, 0), 0.4);
    firn_collider* wall = world_plane(w, firn_v3((firn_real)0.08, 0, 0), firn_v3(-1, 0, 0), 0);
    wall->sticky = true;
    wall->motion.velocity = firn_v3((firn_real)-0.5, 0, 0);
    return w;
}

// Frees what the solver has copied.
static inline void tangle_started(world* w)
{
    firn_real** const arrays[] = {&w->seeds.hardening, &w->seeds.compression, &w->seeds.stretch};
    for (int k = 0; k < 3; k++) {
        firn_free(*arrays[k]);
        *arrays[k] = NULL;
    }
}

static inline world* tangle_begin(const tangle* kind, int threads, const char* simd)
{
    world* w = tangle_unstarted(kind);
    world_start_on(w, threads, simd);
    tangle_started(w);
    return w;
}

// The state itself: some plain steps, then strains between `low` and `high` for a third of the
// particles.
static inline world* tangle_make(const tangle* kind, double low, double high)
{
    any_source r = {82, 0};
    world* w = tangle_begin(kind, 2, "plain");
    for (int k = 0; k < 11; k++) world_step(w, 1e-4);
    for (firn_local p = 0; p < w->m->p.count; p++) {
        if (p % 3 == 0) w->m->p.def_grad_elastic[p] = any_stretched(&r, low, high);
        if (p % 4 == 0) w->m->p.plastic_det[p] = (firn_real)any_between(&r, 0.85, 1.1);
    }
    return w;
}

// The same state in a world of its own.
static inline world* tangle_copy(const tangle* kind, const world* state, int threads,
                                 const char* simd)
{
    world* w = tangle_begin(kind, threads, simd);
    assert_int_equal(copy_particles(&w->m->base.store, &state->m->base.store), FIRN_OK);
    w->m->base.step = state->m->base.step;
    w->time = state->time;
    return w;
}

// The particles as they are, for tangle_restore. Destroy it.
static inline firn_particles tangle_keep(const world* w)
{
    firn_particles copy = {0};
    assert_int_equal(copy_particles(&copy, &w->m->base.store), FIRN_OK);
    return copy;
}

static inline void tangle_restore(world* w, const firn_particles* copy)
{
    assert_int_equal(copy_particles(&w->m->base.store, copy), FIRN_OK);
    firn_mpm_refresh_pointers(w->m);
}

// What rounding at a node is measured against: the sum of the sizes of all that is added there.
typedef struct tangle_scale {
    double mass, momentum, force;
} tangle_scale;

// Size of V P F^T before its terms cancel.
static inline double tangle_stress(const world* w, firn_local p)
{
    const firn_mpm* m = w->m;
    const firn_mpm_material* mat = &m->materials[m->p.material[p]];
    const firn_lame lame = firn_mpm_lame_particle(mat, firn_mpm_varied(mat->xi, m->p.hardening, p),
                                                  m->p.stiffness[p], m->p.plastic_det[p]);
    const firn_mat3 F = m->p.def_grad_elastic[p];
    const double J = fabs((double)firn_m3_det(F));
    return (double)m->p.volume[p] *
           (2 * (double)lame.mu * (double)firn_m3_dot(F, F) + (double)lame.lambda * J * (1 + J));
}

// A particle's nodes one by one: node number, w_ip, |grad w_ip|_1, |x_i - x_p|_1.
typedef struct tangle_reach {
    firn_local node[64];
    double w[64], slope[64], distance[64];
} tangle_reach;

static inline tangle_reach tangle_reach_of(const world* w, firn_local b, firn_local p)
{
    const firn_sparse_grid* grid = &w->m->grid;
    const firn_spline spline = (firn_spline)w->m->def.spline;
    const firn_weights at = firn_weights_of(spline, w->m->p.position[p], grid->inverse_cell);
    firn_real s[3][4];
    for (int d = 0; d < 3; d++) firn_spline_slopes(spline, at.t[d], grid->inverse_cell, s[d]);
    tangle_reach out;
    for (int n = 0; n < 64; n++) {
        const int k[3] = {n / 16, n / 4 % 4, n % 4};
        const int z = (at.base[2] & 3) + k[2];
        out.node[n] = firn_tile_row(grid->neighbour[b], (at.base[0] & 3) + k[0],
                                    (at.base[1] & 3) + k[1], z >> 2) +
                      (z & 3);
        const double N[3] = {(double)at.w[0][k[0]], (double)at.w[1][k[1]], (double)at.w[2][k[2]]};
        out.w[n] = N[0] * N[1] * N[2];
        out.slope[n] = fabs((double)s[0][k[0]]) * N[1] * N[2] +
                       fabs((double)s[1][k[1]]) * N[0] * N[2] +
                       fabs((double)s[2][k[2]]) * N[0] * N[1];
        out.distance[n] = 0;
        for (int d = 0; d < 3; d++)
            out.distance[n] += fabs((k[d] - 1 - (double)at.t[d]) * (double)grid->cell);
    }
    return out;
}

static inline double tangle_norm(firn_mat3 a)
{
    return sqrt((double)firn_m3_dot(a, a));
}

// Squares of a velocity that a body has all but taken away would underflow.
static inline double tangle_speed(firn_vec3 v)
{
    return hypot(hypot((double)v.x, (double)v.y), (double)v.z);
}

// [nodes], of the particles as they are; after prepare. Free it.
static inline tangle_scale* tangle_scales(const world* w)
{
    const firn_mpm* m = w->m;
    tangle_scale* out = firn_alloc((size_t)world_nodes(w), sizeof *out);
    assert_non_null(out);
    const double affine = (double)firn_spline_affine((firn_spline)m->def.spline);
    for (firn_local b = 0; b < m->grid.occupied_count; b++) {
        for (firn_local k = m->grid.first[b]; k < m->grid.first[b + 1]; k++) {
            const firn_local p = m->grid.order[k];
            const tangle_reach at = tangle_reach_of(w, b, p);
            const double mass = (double)m->p.mass[p], stress = tangle_stress(w, p);
            const double v = tangle_speed(m->p.velocity[p]);
            const double turn = m->p.affine == NULL ? 0
                                                    : affine * tangle_norm(m->p.affine[p]) /
                                                          pow((double)m->grid.cell, 2);
            for (int n = 0; n < 64; n++) {
                tangle_scale* s = &out[at.node[n]];
                s->mass += at.w[n] * mass;
                s->momentum += at.w[n] * mass * (v + turn * at.distance[n]);
                s->force += at.slope[n] * stress;
            }
        }
    }
    return out;
}

// Keeps the largest of errors in units of `scale` times the machine's epsilon; NaN is largest. What
// a particle at rest keeps of its velocity may be below the smallest normal real, where numbers
// have few digits or none: errors of that size are no pass's fault.
static inline void tangle_worst(double* worst, double error, double scale)
{
    if (error < (double)FIRN_REAL_TINY) return;
    const double in_epsilons = scale > 0 ? error / (scale * (double)FIRN_REAL_EPSILON)
                                         : (error == 0 ? 0 : (double)INFINITY);
    if (!(in_epsilons <= *worst)) *worst = in_epsilons;
}

// The largest error of `what` was `worst` epsilons; `limit` are allowed.
static inline void tangle_check(const char* what, const char* simd, double worst, double limit)
{
    print_message("%-10s %-18s %7.2f epsilons of at most %g\n", simd, what, worst, limit);
    if (!(worst <= limit)) fail_msg("%s: %s is %g epsilons off", simd, what, worst);
}
