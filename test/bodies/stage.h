// SPDX-License-Identifier: MIT
// A stage for rigid bodies: colliders, joints and the engine, without snow.
#pragma once
#include "bodies/bodies.h"
#include "core/memory.h"
#include "geometry/collider/collider_drive.h"
#include "geometry/collider/dynamic_collider.h"
// after what defines bool
#include "figure.h"
#include "geometry/gallery.h"

#define STAGE_COLLIDERS 64
#define STAGE_JOINTS 16

typedef struct stage {
    firn_shapes shapes;
    firn_collider colliders[STAGE_COLLIDERS];
    firn_local count;
    firn_joint joints[STAGE_JOINTS];
    firn_local joint_count;
    firn_bodies* bodies;  // after stage_start
    firn_vec3 gravity;
    double time;
    firn_error error;
} stage;

static inline firn_vec3 to_v3(double x, double y, double z)
{
    return firn_v3((firn_real)x, (firn_real)y, (firn_real)z);
}

static inline stage* stage_create(void)
{
    stage* s = firn_alloc(1, sizeof *s);
    assert_non_null(s);
    s->gravity = to_v3(0, -9.81, 0);
    return s;
}

static inline void stage_destroy(stage* s)
{
    firn_bodies_destroy(s->bodies);
    firn_shapes_destroy(&s->shapes);
    firn_free(s);
}

static inline firn_local stage_add(stage* s, firn_shape_node node, firn_vec3 position,
                                   firn_quat rotation)
{
    if (node.q.w == 0 && node.q.x == 0 && node.q.y == 0 && node.q.z == 0) node.q.w = 1;
    firn_collider* c = &s->colliders[s->count];
    *c = (firn_collider){.shape = gallery_add(&s->shapes, node),
                         .motion = firn_motion_at_rest(),
                         .friction = (firn_real)0.5};
    c->motion.position = c->motion.pivot = position;
    c->motion.rotation = rotation;
    return s->count++;
}

// The half space below a plane through the origin, inclined by `angle` [rad]: downhill is +x.
static inline firn_local stage_slope(stage* s, double angle)
{
    const firn_shape_node node = {.kind = FIRN_SHAPE_PLANE,
                                  .p = {0, 0, 0, (firn_real)sin(angle), (firn_real)cos(angle), 0}};
    return stage_add(s, node, to_v3(0, 0, 0), firn_q_identity());
}

static inline firn_shape_node stage_box(double x, double y, double z)
{
    return (firn_shape_node){
        .kind = FIRN_SHAPE_BOX,
        .p = {0, 0, 0, (firn_real)(x / 2), (firn_real)(y / 2), (firn_real)(z / 2)},
        .q = {1, 0, 0, 0}};
}

// Gives the last collider a mass [kg] and a motion; call after its position is set.
static inline firn_local stage_weigh(stage* s, firn_local c, double mass, firn_vec3 velocity,
                                     firn_vec3 spin)
{
    s->colliders[c].motion.velocity = velocity;
    s->colliders[c].motion.spin = spin;
    assert_int_equal(
        firn_collider_set_dynamic(&s->colliders[c], &s->shapes, (firn_real)mass, &s->error),
        FIRN_OK);
    return c;
}

static inline firn_local stage_body(stage* s, firn_shape_node node, firn_vec3 position, double mass)
{
    const firn_local c = stage_add(s, node, position, firn_q_identity());
    return stage_weigh(s, c, mass, to_v3(0, 0, 0), to_v3(0, 0, 0));
}

static inline void stage_start_plain(stage* s)
{
    const firn_result r = firn_bodies_create(s->colliders, s->count, s->joints, s->joint_count,
                                             &s->shapes, &s->bodies, &s->error);
    if (r != FIRN_OK) fail_msg("%s", s->error.text);
}

// Bodies that rest are computed all the same.
static inline void stage_start(stage* s)
{
    stage_start_plain(s);
    firn_bodies_never_rest(s->bodies);
}

static inline void stage_begin(stage* s, double dt)
{
    firn_bodies_take(s->bodies, s->colliders, s->time);
    for (firn_local c = 0; c < s->count; c++)
        assert_int_equal(firn_collider_move(&s->colliders[c], &s->shapes, s->time, &s->error),
                         FIRN_OK);
    firn_bodies_begin(s->bodies, s->colliders, &s->shapes, s->gravity, s->time, dt);
}

static inline void stage_step(stage* s, double dt)
{
    stage_begin(s, dt);
    firn_bodies_finish(s->bodies, s->colliders);
    s->time += dt;
}

static inline const firn_rigid* stage_rigid(const stage* s, firn_local collider)
{
    return firn_bodies_rigid(s->bodies, firn_bodies_of(s->bodies, collider));
}
