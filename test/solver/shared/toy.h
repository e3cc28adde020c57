// SPDX-License-Identifier: MIT
// The smallest struct that begins with a firn_solver_base: a few fields and a scene with a floor.
#pragma once
#include "firn_test.h"
#include "geometry/collider/collider.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "solver/shared/base.h"

typedef struct toy_particles {
    firn_vec3 *position, *velocity;
    firn_real *mass, *hardening, *pressure;
    uint32_t* id;
} toy_particles;

typedef struct toy {
    firn_solver_base base;
    toy_particles p;
    int runs;  // of stages
} toy;

static const firn_field_row toy_fields[] = {
    FIRN_FIELD_ROW(toy_particles, position, VEC3, "m", ALWAYS, FINITE),
    FIRN_FIELD_ROW(toy_particles, velocity, VEC3, "m/s", ALWAYS, FINITE),
    FIRN_FIELD_ROW(toy_particles, mass, REAL, "kg", NEVER, FINITE),
    FIRN_FIELD_ROW(toy_particles, pressure, REAL, "Pa", FIRST_STEP, FINITE),
    FIRN_FIELD_ROW(toy_particles, id, U32, "", NEVER, ANY),
};
static const firn_field_row toy_varied[] = {
    FIRN_FIELD_ROW(toy_particles, hardening, REAL, "1", NEVER, FINITE),
};

typedef struct toy_world {
    firn_scene_data scene;
    firn_material material;
    firn_collider floor;
    firn_error error;
    toy* m;
} toy_world;

static inline void toy_start(toy_world* w, bool varies)
{
    *w = (toy_world){.material = {.name = (char*)"powder"}};
    w->scene = (firn_scene_data){.materials = &w->material, .material_count = 1};
    const firn_shape_node plane = {
        .kind = FIRN_SHAPE_PLANE, .a = -1, .b = -1, .p = {0, 0, 0, 0, 1, 0}, .q = {1, 0, 0, 0}};
    firn_local shape;
    assert_int_equal(firn_shapes_add(&w->scene.shapes, &plane, &shape, &w->error), FIRN_OK);
    w->floor = (firn_collider){.shape = shape, .motion = firn_motion_at_rest()};
    w->scene.colliders = &w->floor;
    w->scene.collider_count = 1;
    const firn_solver_args args = {.device = -1};
    void* self = NULL;
    assert_int_equal(firn_base_create(sizeof(toy), &w->scene, &args, &self, &w->error), FIRN_OK);
    w->m = self;
    firn_base_add_fields(&w->m->base, toy_fields, sizeof toy_fields / sizeof *toy_fields);
    if (varies) firn_base_add_fields(&w->m->base, toy_varied, 1);
}

static inline void toy_stop(toy_world* w)
{
    firn_base_destroy(w->m);
    firn_shapes_destroy(&w->scene.shapes);
}

#define TOY_SEEDS 5
// Appends five particles, particle k at (k, 0, 0) and of mass k + 1.
static inline firn_result toy_append(toy_world* w, firn_real* hardening, uint32_t* next_id)
{
    firn_vec3 position[TOY_SEEDS], velocity[TOY_SEEDS];
    firn_real mass[TOY_SEEDS];
    for (int k = 0; k < TOY_SEEDS; k++) {
        position[k] = (firn_vec3){(firn_real)k, 0, 0};
        velocity[k] = (firn_vec3){0, (firn_real)-k, 0};
        mass[k] = (firn_real)(k + 1);
    }
    const firn_seeds seeds = {.count = TOY_SEEDS,
                              .position = position,
                              .velocity = velocity,
                              .mass = mass,
                              .hardening = hardening};
    const firn_result r = firn_base_append(&w->m->base, &seeds, next_id);
    firn_base_point(&w->m->base, &w->m->p);
    return r;
}
