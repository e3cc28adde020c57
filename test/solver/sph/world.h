// SPDX-License-Identifier: MIT
// A small world for tests of implicit SPH: snow, bodies and a solver built in code, with its stages
// one by one and its state open. Snow is that of Stomakhin 2013, table 2, unless changed before
// world_start.
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "device/device.h"
#include "figure.h"
#include "geometry/collider/collider.h"
#include "math/vec3.h"
#include "scene/data/emitter.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "scene/parse/keys.h"
#include "seed.h"
#include "solver/sph/support/sph_cpu.h"
#include "solver/sph/support/sph_run.h"
#include "solver/world_parts.h"
#include "team_use.h"

#define WORLD_EMITTERS 2
#define WORLD_MATERIALS 3

// What rounding leaves of a relative error that is 0 in exact numbers.
#ifdef FIRN_DOUBLE
#define ROUNDING 1e-14
#else
#define ROUNDING 1e-6
#endif

typedef struct world {
    firn_scene_data scene;
    firn_sph_def def;
    union {
        firn_material material;  // the first
        firn_material materials[WORLD_MATERIALS];
    };
    firn_collider bodies[WORLD_BODIES];
    firn_emitter emitters[WORLD_EMITTERS];
    firn_seeds seeds;
    firn_sph* m;  // after world_start
    double time;
    firn_step_report report;  // of the last step
    firn_error error;
} world;

// No gravity, no air, one thread, spacing h: what a test wants otherwise it sets before
// world_start.
static inline world* world_create(double h)
{
    world* w = firn_alloc(1, sizeof *w);
    assert_non_null(w);
    firn_sph_keys.set_defaults(&w->def);
    w->def.spacing = h;
    w->material.name = (char*)"test snow";
    w->material.snow = (firn_snow_material){.density = 400,
                                            .young = (firn_real)1.4e5,
                                            .poisson = (firn_real)0.2,
                                            .hardening = 10,
                                            .critical_compression = (firn_real)0.025,
                                            .critical_stretch = (firn_real)0.0075,
                                            .hardening_max = 1000,
                                            .conductivity = (firn_real)0.3,
                                            .heat_capacity = 2100};
    w->scene.name = (char*)"test";
    w->scene.materials = w->materials;
    w->scene.material_count = 1;
    w->scene.colliders = w->bodies;
    w->scene.emitters = w->emitters;
    w->scene.air.temperature = NAN;
    w->scene.solver_def = &w->def;
    return w;
}

static inline void world_destroy(world* w)
{
    if (w->m != NULL) firn_solver_sph.destroy(w->m);
    use_team(0);
    firn_seeds_destroy(&w->seeds);
    firn_shapes_destroy(&w->scene.shapes);
    firn_free(w);
}

// Mass of a particle of fresh snow.
static inline double world_mass(const world* w)
{
    return (double)w->material.snow.density * pow(w->def.spacing, 3);
}

static inline void world_add(world* w, firn_vec3 x, double mass)
{
    firn_seeds* s = &w->seeds;
    if (s->count == s->capacity)
        assert_true(firn_seeds_reserve(s, s->capacity == 0 ? 1024 : 2 * s->capacity, false,
                                       firn_scene_heats(&w->scene)));
    s->position[s->count] = x;
    s->velocity[s->count] = firn_v3(0, 0, 0);
    s->mass[s->count] = (firn_real)mass;
    s->material[s->count] = 0;
    s->stiffness[s->count++] = 1;
}

// A cubic lattice with `edge` [m] between particles, the first of them at `from` [m]; masses are
// those of fresh snow, however near each other they are.
static inline void world_lattice(world* w, firn_vec3 from, int nx, int ny, int nz, double edge)
{
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++)
            for (int k = 0; k < nz; k++)
                world_add(w,
                          firn_v3_add(from, firn_v3((firn_real)(i * edge), (firn_real)(j * edge),
                                                    (firn_real)(k * edge))),
                          world_mass(w));
}

// n^3 particles of fresh snow, each off its place on a lattice by up to `jitter` spacings a
// coordinate, with masses that differ by up to the share `uneven`.
static inline void world_cloud(world* w, any_source* r, int n, double jitter, double uneven)
{
    const double h = w->def.spacing;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                const firn_vec3 off = any_vec3(r, jitter);
                const firn_vec3 x =
                    firn_v3_add(firn_v3((firn_real)i, (firn_real)j, (firn_real)k), off);
                world_add(w, firn_v3_scale(x, (firn_real)h),
                          world_mass(w) * (1 + any_between(r, -uneven, uneven)));
            }
}

// A resting half space below `point`; change the returned body (motion, adhesion, ...) as needed.
static inline firn_collider* world_plane(world* w, firn_vec3 point, firn_vec3 normal,
                                         double viscosity)
{
    const firn_shape_node node = world_plane_node(point, normal);
    firn_collider* body = world_add_body(&w->scene, w->bodies, &node);
    body->viscosity = (firn_real)viscosity;
    return body;
}

static inline firn_local world_ball(world* w, firn_vec3 center, double radius)
{
    const firn_shape_node node = world_ball_node(center, radius);
    return world_add_shape(&w->scene, &node);
}

// `simd` null: what FIRN_TEST_SIMD names (firn_test.c has checked it), or the machine's best.
static inline void world_start_on(world* w, int threads, const char* simd)
{
    if (simd == NULL) simd = getenv("FIRN_TEST_SIMD");
    use_team(threads);
    const firn_solver_args args = {.simd = simd, .device = FIRN_DEVICE_CPU};
    void* self = NULL;
    const firn_result r = firn_solver_sph.create(&w->scene, &w->seeds, &args, &self, &w->error);
    if (r != FIRN_OK) fail_msg("%s", w->error.text);
    w->m = self;
}

static inline void world_start(world* w)
{
    world_start_on(w, 1, NULL);
}

static inline firn_result world_try_step(world* w, double dt)
{
    const firn_result r = firn_solver_sph.step(w->m, w->time, dt, 1, &w->report, &w->error);
    if (r == FIRN_OK) w->time += w->report.dt;
    return r;
}

// One step of at most dt.
static inline void world_step(world* w, double dt)
{
    if (world_try_step(w, dt) != FIRN_OK) fail_msg("%s", w->error.text);
}

// Runs the stages of a step from `first` to `last`, both included, as firn_sph_step does; one of
// exactly dt, which counts when the range begins at `prepare`.
static inline void world_stages(world* w, firn_sph_stage first, firn_sph_stage last, double dt)
{
    firn_stages run = firn_sph_run_begin(w->m, &w->error);
    w->m->def.dt = dt;
    for (int s = (int)first; s <= (int)last; s++) {
        if (s == FIRN_SPH_00_PREPARE)
            firn_stages_prepare(&run, w->time, dt, 1);
        else if (s == FIRN_SPH_05_PRESSURE && w->m->def.elasticity != FIRN_SPH_SPLIT)
            continue;
        else if (s == FIRN_SPH_10_HEAT && !w->m->heats)
            continue;
        else if ((s == FIRN_SPH_03_COHESION && !w->m->coheres) ||
                 (s == FIRN_SPH_04_VISCOSITY && !w->m->fluids) ||
                 (s == FIRN_SPH_11_PHASES && !w->m->changes))
            continue;
        else
            firn_stages_run(&run, (firn_sph_stage)s);
    }
    if (run.result != FIRN_OK) fail_msg("%s", w->error.text);
}

// Ends a step that was run by stages.
static inline void world_step_done(world* w)
{
    w->m->base.step++;
    w->time += w->m->base.dt;
}

// The particle that seed number `id` has become.
static inline firn_local world_find(const world* w, firn_local id)
{
    return world_find_id(w->m->p.id, w->m->p.count, id);
}

static inline world_momentum world_momentum_about(const world* w, firn_vec3 center)
{
    world_momentum s = {0};
    for (firn_local p = 0; p < w->m->p.count; p++)
        world_add_momentum(&s, (double)w->m->p.mass[p], w->m->p.position[p], center,
                           w->m->p.velocity[p]);
    return s;
}

// grad W_ij
static inline firn_vec3 world_pair_gradient(firn_vec3 x_i, firn_vec3 x_j, firn_real h)
{
    const firn_vec3 x_ij = firn_v3_sub(x_i, x_j);
    return firn_v3_scale(x_ij, firn_sph_dw_over_r(firn_v3_length(x_ij), h));
}

static inline firn_vec3 world_v3(firn_vec4 r)
{
    return firn_v3(r[0], r[1], r[2]);
}
