// SPDX-License-Identifier: MIT
// A small world for tests of the material point method: snow, bodies and a solver built in code,
// with its stages one by one and its state open. Snow is that of Stomakhin 2013, table 2, unless
// changed before world_start.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "device/device.h"
#include "figure.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "scene/parse/keys.h"
#include "seed.h"
#include "solver/mpm/support/mpm_cpu.h"
#include "solver/mpm/support/mpm_run.h"
#include "solver/world_parts.h"

typedef struct world {
    firn_scene_data scene;
    firn_mpm_def def;
    firn_material material;
    firn_collider bodies[WORLD_BODIES];
    firn_seeds seeds;
    firn_mpm* m;      // after world_start
    firn_team* team;  // of its steps; null: one thread
    double time;
    firn_step_report report;  // of the last step
    firn_error error;
} world;

// Explicit, no gravity, one thread, cell h: what a test wants otherwise it sets before world_start.
static inline world* world_create(double h)
{
    world* w = firn_alloc(1, sizeof *w);
    assert_non_null(w);
    firn_mpm_keys.set_defaults(&w->def);
    w->def.cell = h;
    w->def.integrator = FIRN_MPM_EXPLICIT;
    w->material.name = (char*)"test snow";
    w->material.snow = (firn_snow_material){.density = 400,
                                            .young = (firn_real)1.4e5,
                                            .poisson = (firn_real)0.2,
                                            .hardening = 10,
                                            .critical_compression = (firn_real)0.025,
                                            .critical_stretch = (firn_real)0.0075,
                                            .hardening_max = 1000};
    w->scene.name = (char*)"test";
    w->scene.materials = &w->material;
    w->scene.material_count = 1;
    w->scene.colliders = w->bodies;
    w->scene.solver_def = &w->def;
    return w;
}

static inline void world_destroy(world* w)
{
    if (w->m != NULL) firn_solver_mpm.destroy(w->m);
    firn_team_destroy(w->team);
    firn_free(w->seeds.position);
    firn_free(w->seeds.velocity);
    firn_free(w->seeds.mass);
    firn_free(w->seeds.stiffness);
    firn_free(w->seeds.material);
    firn_shapes_destroy(&w->scene.shapes);
    firn_free(w);
}

static inline void world_add(world* w, firn_vec3 x, double mass)
{
    firn_seeds* s = &w->seeds;
    if (s->count == s->capacity) {
        const firn_local more = s->capacity == 0 ? 4096 : 2 * s->capacity;
        const size_t old = (size_t)s->capacity, all = (size_t)more;
        s->position = firn_realloc(s->position, old, all, sizeof *s->position);
        s->velocity = firn_realloc(s->velocity, old, all, sizeof *s->velocity);
        s->mass = firn_realloc(s->mass, old, all, sizeof *s->mass);
        s->stiffness = firn_realloc(s->stiffness, old, all, sizeof *s->stiffness);
        s->material = firn_realloc(s->material, old, all, sizeof *s->material);
        s->capacity = more;
    }
    s->position[s->count] = x;
    s->mass[s->count] = (firn_real)mass;
    s->stiffness[s->count++] = 1;
}

// A lattice of `per` particles per cell and axis (any number), filling `size` cells from corner
// `from`, both in cells. Inside a ball of `radius` cells about the middle only, when radius > 0.
static inline void world_lattice(world* w, const double from[3], const double size[3], double per,
                                 double radius)
{
    const double h = w->def.cell, d = 1 / per, mass = w->material.snow.density * pow(h * d, 3);
    int n[3];
    for (int a = 0; a < 3; a++) n[a] = (int)floor(size[a] * per + 1e-9);
    for (int i = 0; i < n[0]; i++)
        for (int j = 0; j < n[1]; j++)
            for (int k = 0; k < n[2]; k++) {
                const double at[3] = {(i + 0.5) * d, (j + 0.5) * d, (k + 0.5) * d};
                double r2 = 0;
                for (int a = 0; a < 3; a++) r2 += pow(at[a] - 0.5 * size[a], 2);
                if (radius > 0 && r2 > radius * radius) continue;
                world_add(w,
                          firn_v3((firn_real)((from[0] + at[0]) * h),
                                  (firn_real)((from[1] + at[1]) * h),
                                  (firn_real)((from[2] + at[2]) * h)),
                          mass);
            }
}

// The same volume with independent uniform positions, `count` per cell.
static inline void world_scatter(world* w, any_source* r, const double from[3],
                                 const double size[3], double count, double radius)
{
    const double h = w->def.cell, mass = w->material.snow.density * h * h * h / count;
    const int n = (int)(size[0] * size[1] * size[2] * count + 0.5);
    for (int k = 0; k < n; k++) {
        double at[3], r2 = 0;
        for (int a = 0; a < 3; a++) {
            at[a] = any_between(r, 0, size[a]);
            r2 += pow(at[a] - 0.5 * size[a], 2);
        }
        if (radius > 0 && r2 > radius * radius) continue;
        world_add(w,
                  firn_v3((firn_real)((from[0] + at[0]) * h), (firn_real)((from[1] + at[1]) * h),
                          (firn_real)((from[2] + at[2]) * h)),
                  mass);
    }
}

// A resting half space below `point`; change the returned body (motion, friction, sticky) as
// needed.
static inline firn_collider* world_plane(world* w, firn_vec3 point, firn_vec3 normal,
                                         double friction)
{
    const firn_shape_node node = world_plane_node(point, normal);
    firn_collider* body = world_add_body(&w->scene, w->bodies, &node);
    body->friction = (firn_real)friction;
    return body;
}

static inline void world_start_with(world* w, const firn_solver_args* args)
{
    void* self = NULL;
    const firn_result r = firn_solver_mpm.create(&w->scene, &w->seeds, args, &self, &w->error);
    if (r != FIRN_OK) fail_msg("%s", w->error.text);
    w->m = self;
}

// On the host. `simd` null: what FIRN_TEST_SIMD names (firn_test.c has checked it), or the
// machine's best.
static inline void world_start_on(world* w, int threads, const char* simd)
{
    if (simd == NULL) simd = getenv("FIRN_TEST_SIMD");
    const firn_solver_args args = {.simd = simd, .device = FIRN_DEVICE_CPU};
    if (threads > 1) {
        w->team = firn_team_create(threads);
        assert_non_null(w->team);
    }
    firn_team* outer = firn_team_use(w->team);
    world_start_with(w, &args);
    firn_team_use(outer);
}

static inline void world_start(world* w)
{
    world_start_on(w, 1, NULL);
}

static inline firn_result world_try_step(world* w, double dt)
{
    firn_team* outer = firn_team_use(w->team);
    const firn_result r = firn_solver_mpm.step(w->m, w->time, dt, 1, &w->report, &w->error);
    firn_team_use(outer);
    if (r == FIRN_OK) w->time += w->report.dt;
    return r;
}

// One step of exactly dt (when def.dt is not smaller).
static inline void world_step(world* w, double dt)
{
    if (world_try_step(w, dt) != FIRN_OK) fail_msg("%s", w->error.text);
}

// Runs the stages of a step from `first` (prepare included when it is 0) to `last`, both included.
// Where the range holds all the steps that a fused pass does, that pass runs in their place, as in
// firn_mpm_step: so what a test says of whole passes is said of the plain and of the fast ones,
// depending on the level. A range that cuts a pass runs the plain steps on every level.
static inline void world_stages(world* w, firn_mpm_stage first, firn_mpm_stage last, double dt)
{
    firn_team* outer = firn_team_use(w->team);
    firn_stages run = firn_mpm_run_begin(w->m, &w->error);
    if (first == FIRN_MPM_00_PREPARE) firn_stages_prepare(&run, w->time, dt, 1);
    const firn_mpm_ops* ops = w->m->ops;
    const bool is_weighing = firn_mpm_is_weighing(&w->m->def, w->m->base.step);
    const bool scatters = ops->fused_01_03 != NULL && !is_weighing &&
                          first <= FIRN_MPM_01_RASTERIZE && last >= FIRN_MPM_03_FORCES;
    const bool gathers =
        ops->fused_07_10 != NULL && first <= FIRN_MPM_07_DEFORMATION && last >= FIRN_MPM_10_ADVECT;
    for (int s = first; s <= (int)last; s++) {
        if (s == FIRN_MPM_00_PREPARE || (s == FIRN_MPM_02_VOLUMES && !is_weighing)) continue;
        if (s == FIRN_MPM_01_RASTERIZE && scatters) {
            firn_stages_run(&run, FIRN_MPM_FUSED_01_03);
            s = FIRN_MPM_03_FORCES;
        } else if (s == FIRN_MPM_07_DEFORMATION && gathers) {
            firn_stages_run(&run, FIRN_MPM_FUSED_07_10);
            s = FIRN_MPM_10_ADVECT;
        } else {
            firn_stages_run(&run, (firn_mpm_stage)s);
        }
    }
    firn_team_use(outer);
    if (run.result != FIRN_OK) fail_msg("%s", w->error.text);
}

// Ends a step that was run by stages.
static inline void world_step_done(world* w)
{
    w->m->base.step++;
    w->time += w->m->base.dt;
}

static inline firn_local world_nodes(const world* w)
{
    return firn_grid_node_count(&w->m->grid);
}

static inline world_momentum world_particle_momentum(const world* w, firn_vec3 center)
{
    world_momentum s = {0};
    for (firn_local p = 0; p < w->m->p.count; p++)
        world_add_momentum(&s, (double)w->m->p.mass[p], w->m->p.position[p], center,
                           w->m->p.velocity[p]);
    return s;
}

// `velocity` is one of the node arrays; masses are those of step 1.
static inline world_momentum world_node_momentum(const world* w, const firn_vec4* velocity,
                                                 firn_vec3 center)
{
    world_momentum s = {0};
    for (firn_local n = 0; n < world_nodes(w); n++)
        world_add_momentum(&s, (double)w->m->node_velocity[n][3],
                           firn_grid_node_position(&w->m->grid, n), center,
                           firn_v3(velocity[n][0], velocity[n][1], velocity[n][2]));
    return s;
}
