// SPDX-License-Identifier: MIT
// A small world for tests of grains: snow, ice, bodies and a solver built in code, with its state
// open. Constants are those of table 2 of Goswami et al. 2019, unless changed before world_start.
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "device/device.h"
#include "geometry/collider/dynamic_collider.h"
#include "math/vec3.h"
#include "solver/grains/support/grains_solver.h"
// after what defines bool
#include "figure.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "scene/parse/keys.h"
#include "seed.h"
#include "solver/world_parts.h"

#define R_SNOW 0.05        // [m]
#define GRAIN_MASS 0.0125  // [kg]

typedef struct world {
    firn_scene_data scene;
    firn_grains_def def;
    firn_material materials[2];  // by firn_phase: snow and ice
    firn_collider bodies[WORLD_BODIES];
    firn_seeds seeds;
    firn_grains* m;  // after world_start
    firn_team* team;
    double time;
    firn_step_report report;  // of the last step
    firn_error error;
} world;

// No gravity, no heat: what a test wants otherwise it sets before world_start.
static inline world* world_create(void)
{
    world* w = firn_alloc(1, sizeof *w);
    assert_non_null(w);
    firn_grains_keys.set_defaults(&w->def);
    w->def.radius = R_SNOW;
    w->def.mass = FIRN_GRAINS_MASS_PAPER;
    w->def.conduction = FIRN_GRAINS_CONDUCTION_PAPER;
    w->def.solid = w->def.spins = false;
    w->materials[FIRN_SNOW] = (firn_material){.name = (char*)"test snow", .snow.density = 100};
    w->materials[FIRN_ICE] = (firn_material){.name = (char*)"test ice", .snow.density = 800};
    w->scene.name = (char*)"test";
    w->scene.materials = w->materials;
    w->scene.material_count = 2;
    w->scene.colliders = w->bodies;
    w->scene.air.temperature = NAN;
    w->scene.solver_def = &w->def;
    return w;
}

static inline void world_destroy(world* w)
{
    if (w->m != NULL) firn_solver_grains.destroy(w->m);
    firn_team_destroy(w->team);
    firn_seeds_destroy(&w->seeds);
    firn_shapes_destroy(&w->scene.shapes);
    firn_free(w);
}

// Of -5 degC; bodies and air come before the first.
static inline void world_add(world* w, firn_phase phase, double x, double y, double z)
{
    firn_seeds* s = &w->seeds;
    if (s->count == s->capacity)
        assert_true(firn_seeds_reserve(s, s->capacity == 0 ? 256 : 2 * s->capacity, false, true));
    s->position[s->count] = firn_v3((firn_real)x, (firn_real)y, (firn_real)z);
    s->velocity[s->count] = firn_v3(0, 0, 0);
    s->mass[s->count] = (firn_real)GRAIN_MASS;
    s->material[s->count] = (uint8_t)phase;
    s->stiffness[s->count] = 1;
    s->temperature[s->count++] = -5;
}

// A cubic lattice, `edge` [m] between grains, the first of them at (x, y, z).
static inline void world_lattice(world* w, firn_phase phase, const double from[3],
                                 const int count[3], double edge)
{
    for (int i = 0; i < count[0]; i++)
        for (int j = 0; j < count[1]; j++)
            for (int k = 0; k < count[2]; k++)
                world_add(w, phase, from[0] + i * edge, from[1] + j * edge, from[2] + k * edge);
}

static inline firn_collider* world_body(world* w, const firn_shape_node* node)
{
    firn_collider* body = world_add_body(&w->scene, w->bodies, node);
    body->friction = (firn_real)0.5;
    return body;
}

// Everything below `height` [m]; change the returned body (motion, friction, ...) as needed.
static inline firn_collider* world_floor(world* w, double height)
{
    const firn_shape_node node =
        world_plane_node(firn_v3(0, (firn_real)height, 0), firn_v3(0, 1, 0));
    return world_body(w, &node);
}

static inline firn_collider* world_ball(world* w, double x, double y, double z, double radius)
{
    const firn_shape_node node =
        world_ball_node(firn_v3((firn_real)x, (firn_real)y, (firn_real)z), radius);
    return world_body(w, &node);
}

// Grains push it.
static inline void world_set_free(world* w, firn_collider* body, double mass)
{
    assert_int_equal(firn_collider_set_dynamic(body, &w->scene.shapes, (firn_real)mass, &w->error),
                     FIRN_OK);
}

// Heat flows although nobody exchanges any with the outside: a warm ball far away.
static inline void world_closed(world* w)
{
    world_ball(w, 0, 1000, 0, 1)->temperature = 0;
}

// `simd` null: what FIRN_TEST_SIMD names (firn_test.c has checked it), or the machine's best.
static inline void world_start_at(world* w, int threads, const char* simd)
{
    if (simd == NULL) simd = getenv("FIRN_TEST_SIMD");
    if (threads > 1) {
        w->team = firn_team_create(threads);
        assert_non_null(w->team);
    }
    firn_team* outer = firn_team_use(w->team);
    const firn_solver_args args = {.simd = simd, .device = FIRN_DEVICE_CPU};
    void* self = NULL;
    const firn_result r = firn_solver_grains.create(&w->scene, &w->seeds, &args, &self, &w->error);
    firn_team_use(outer);
    if (r != FIRN_OK) fail_msg("%s", w->error.text);
    w->m = self;
}

static inline void world_start_on(world* w, int threads)
{
    world_start_at(w, threads, NULL);
}

static inline void world_start(world* w)
{
    world_start_on(w, 1);
}

static inline firn_result world_try_step(world* w, double dt)
{
    firn_team* outer = firn_team_use(w->team);
    const firn_result r = firn_solver_grains.step(w->m, w->time, dt, 1, &w->report, &w->error);
    firn_team_use(outer);
    if (r == FIRN_OK) w->time += w->report.dt;
    return r;
}

// One step of at most dt.
static inline void world_step(world* w, double dt)
{
    if (world_try_step(w, dt) != FIRN_OK) fail_msg("%s", w->error.text);
}

// The grain that seed number `id` has become.
static inline firn_local world_find(const world* w, firn_local id)
{
    return world_find_id(w->m->p.id, w->m->p.count, id);
}

// Gives a grain another heat, as a field of the store: phase and radius follow in the next step.
static inline void world_set_heat(world* w, firn_local p, double h)
{
    const firn_grain_heat heat = firn_grain_heat_of(h);
    firn_grains_particles* all = &w->m->p;
    all->enthalpy[p] = heat.high;
    all->enthalpy_rest[p] = heat.low;
    all->water[p] = firn_grain_water(&w->m->constants, h);
    all->temperature[p] =
        (firn_real)firn_grain_temperature(&w->m->constants, h, all->radius[p], all->phase[p]);
}

// All heat there is [J].
static inline double world_heat(const world* w)
{
    double sum = 0;
    for (firn_local p = 0; p < w->m->p.count; p++)
        sum +=
            (double)w->m->constants.mass *
            firn_grain_heat_value((firn_grain_heat){w->m->p.enthalpy[p], w->m->p.enthalpy_rest[p]});
    return sum;
}
