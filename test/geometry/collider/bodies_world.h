// SPDX-License-Identifier: MIT
// A scene of bodies with every kind of shape and of motion, and one that deforms, for tests.
#pragma once
#include "geometry/collider/collider.h"
#include "geometry/formula_body.h"
#include "geometry/level_set_ball.h"

#define BODIES_KEYS 5
#define BODIES_MOST 24

typedef struct bodies_world {
    firn_shapes shapes;
    firn_collider bodies[BODIES_MOST];
    firn_local count;
    formula_body formula;  // of the last body
} bodies_world;

// Each kind of motion in turn.
static inline firn_motion bodies_motion(any_source* r, int kind)
{
    firn_motion m = firn_motion_at_rest();
    m.position = any_vec3(r, 1);
    m.rotation = firn_q_from_vector(any_vec3(r, 2));
    if (kind == 0) return m;
    m.velocity = any_vec3(r, 1);
    m.spin = any_vec3(r, 3);
    m.pivot = any_vec3(r, 1);
    m.scale = (firn_real)any_between(r, 0.5, 2);
    if (kind == 1) return m;
    m.interpolation = kind == 2 ? FIRN_INTERPOLATE_LINEAR : FIRN_INTERPOLATE_SMOOTH;
    m.keys = firn_alloc(BODIES_KEYS, sizeof *m.keys);
    m.key_count = BODIES_KEYS;
    for (int k = 0; k < BODIES_KEYS; k++)
        m.keys[k] =
            (firn_keyframe){0.4 * k + any_between(r, 0, 0.3), any_vec3(r, 1),
                            firn_q_from_vector(any_vec3(r, 2)), (firn_real)any_between(r, 0.5, 2)};
    return m;
}

static inline void bodies_add(bodies_world* w, any_source* r, firn_local shape)
{
    w->bodies[w->count] = (firn_collider){
        .shape = shape, .motion = bodies_motion(r, w->count % 4), .friction = (firn_real)0.3};
    w->count++;
}

// Trees: a union that melts, a difference, and both of them moved.
static inline void bodies_add_trees(bodies_world* w, any_source* r, firn_local a, firn_local b)
{
    const firn_local melted = gallery_add(
        &w->shapes,
        (firn_shape_node){.kind = FIRN_SHAPE_UNION, .a = a, .b = b, .p = {(firn_real)0.2}});
    const firn_local cut = gallery_add(
        &w->shapes, (firn_shape_node){.kind = FIRN_SHAPE_DIFFERENCE, .a = melted, .b = b});
    bodies_add(w, r, melted);
    bodies_add(w, r, cut);
    bodies_add(
        w, r,
        gallery_add(&w->shapes, (firn_shape_node){.kind = FIRN_SHAPE_TRANSFORM,
                                                  .a = cut,
                                                  .b = -1,
                                                  .p = {(firn_real)0.1, (firn_real)0.2, 0, 2},
                                                  .q = firn_q_from_vector(firn_v3(1, 0, 1))}));
}

static inline void bodies_open(bodies_world* w, any_source* r)
{
    *w = (bodies_world){0};
    firn_local first = -1;
    for (int k = 0; k < GALLERY_COUNT; k++) {
        const firn_local shape = gallery_add(&w->shapes, gallery()[k].node);
        if (k == 0) first = shape;
        bodies_add(w, r, shape);
    }
    bodies_add(w, r,
               gallery_add(&w->shapes,
                           (firn_shape_node){.kind = FIRN_SHAPE_PLANE, .p = {0, -1, 0, 0, 1, 0}}));
    bodies_add_trees(w, r, first, first + 1);
    firn_local field, set;
    assert_int_equal(firn_shapes_add_noise_field(&w->shapes, firn_v3(-2, -1, -2), firn_v3(4, 1, 4),
                                                 (firn_real)0.7, 3, 5, &field, NULL),
                     FIRN_OK);
    bodies_add(w, r, field);
    const firn_level_set* built = build_ball(ball, 0.05);
    for (int k = 0; k < 2; k++) {  // two shapes share a level set
        assert_int_equal(firn_shapes_add_level_set(&w->shapes, built, &set, NULL), FIRN_OK);
        bodies_add(w, r, set);
    }
    firn_level_set_release(built);
    w->formula = formula_long_body();
    const firn_deforming_def def = formula_def(FORMULA_ENOUGH);
    bodies_add(w, r, -1);
    w->bodies[w->count - 1].deforming = formula_open(&w->formula, &def);
}

// A point within reach of a posed body; anywhere where that has no end.
static inline firn_vec3 bodies_point(any_source* r, const firn_collider* body)
{
    const firn_box3 box = body->reach;
    if (!(firn_v3_length(firn_v3_sub(box.high, box.low)) < 100)) return any_vec3(r, 4);
    const double a = any_between(r, 0, 1), b = any_between(r, 0, 1), c = any_between(r, 0, 1);
    return firn_v3_add(box.low, firn_v3_mul(firn_v3((firn_real)a, (firn_real)b, (firn_real)c),
                                            firn_v3_sub(box.high, box.low)));
}

static inline void bodies_close(bodies_world* w)
{
    firn_colliders_destroy(w->bodies, w->count);
    firn_shapes_destroy(&w->shapes);
}
