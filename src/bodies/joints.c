// SPDX-License-Identifier: MIT
// Adds, removes and places joints (joint_solve.h solves them).
#include <math.h>

#include "bodies/bodies_state.h"
#include "core/memory.h"
#include "geometry/collider/collider_drive.h"
#include "geometry/collider/collider_sample.h"
#include "geometry/collider/dynamic_collider.h"

// Rotation of a collider without a mass.
static firn_quat rotation_of(const firn_collider* c, double time)
{
    return firn_q_normalize(firn_collider_state(c, time).rotation);
}

static firn_vec3 turn_back(firn_quat q, firn_vec3 v)
{
    return firn_q_rotate(firn_q_conjugate(q), v);
}

// Point and axis of the joint's side b in its coordinates.
static void attach_b(firn_joint_state* j, const firn_bodies* bodies, const firn_collider* colliders,
                     double time, firn_quat* out_rotation)
{
    const firn_joint* def = &j->def;
    const firn_vec3 point = firn_joint_is_line(def->kind) ? def->point_b : def->point_a;
    *out_rotation = firn_q_identity();
    j->own_b = point;
    j->axis_b = def->axis;
    if (def->b < 0) return;
    const firn_local body = bodies->of[def->b];
    if (body >= 0) {
        const firn_rigid* rigid = &bodies->items[body].rigid;
        *out_rotation = rigid->rotation;
        j->own_b = turn_back(rigid->rotation, firn_v3_sub(point, rigid->position));
    } else {
        const firn_pose pose = firn_collider_pose_at(&colliders[def->b], time);
        *out_rotation = rotation_of(&colliders[def->b], time);
        j->own_b = firn_pose_to_body(&pose, point);
    }
    j->axis_b = turn_back(*out_rotation, def->axis);
}

static firn_result check(const firn_bodies* bodies, const firn_joint* def, firn_error* error)
{
    FIRN_TRY(firn_joint_check(def, error));
    const firn_local n = bodies->collider_count;
    if (def->a < 0 || def->a >= n || def->b < -1 || def->b >= n || def->a == def->b)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a joint holds two different colliders, or a collider and the world; "
                         "this one has %d and %d of %d",
                         (int)def->a, (int)def->b, (int)n);
    if (bodies->of[def->a] < 0)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "collider %d cannot be the first of a joint: it has no mass, so that a "
                         "joint cannot move it; put a collider with a mass first",
                         (int)def->a);
    return FIRN_OK;
}

firn_result firn_bodies_join(firn_bodies* bodies, const firn_joint* joint,
                             const firn_collider* colliders, double time, firn_error* error)
{
    FIRN_TRY(check(bodies, joint, error));
    if (!firn_reserve((void**)&bodies->joints, &bodies->joint_capacity, bodies->joint_count + 1,
                      sizeof *bodies->joints))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for a joint");
    firn_joint_state j = {.def = *joint, .line = {0, 1, 0}};
    j.def.axis = firn_v3_normalize(joint->axis, firn_v3(0, 0, 1));
    j.a = bodies->of[joint->a];
    j.b = joint->b >= 0 && bodies->of[joint->b] >= 0 ? bodies->of[joint->b] : bodies->count;
    const firn_rigid* a = &bodies->items[j.a].rigid;
    j.own_a = turn_back(a->rotation, firn_v3_sub(joint->point_a, a->position));
    j.axis_a = turn_back(a->rotation, j.def.axis);
    firn_quat rotation_b;
    attach_b(&j, bodies, colliders, time, &rotation_b);
    j.relative = firn_q_mul(firn_q_conjugate(a->rotation), rotation_b);
    const firn_vec3 line = firn_v3_sub(joint->point_a, joint->point_b);
    j.length = joint->length >= 0 ? joint->length : firn_v3_length(line);
    bodies->joints[bodies->joint_count++] = j;
    return FIRN_OK;
}

void firn_bodies_release(firn_bodies* bodies, firn_local index, bool released)
{
    firn_joint_state* j = &bodies->joints[index];
    j->def.removed = released;
    bodies->items[j->a].inactive = false;
    if (j->b < bodies->count) bodies->items[j->b].inactive = false;
}

bool firn_bodies_are_joined(const firn_bodies* bodies, firn_local a, firn_local other)
{
    for (firn_local k = 0; k < bodies->joint_count; k++) {
        const firn_joint_state* j = &bodies->joints[k];
        if (j->def.collide || j->def.removed || j->broken) continue;
        if ((j->def.a == a && j->def.b == other) || (j->def.a == other && j->def.b == a))
            return true;
    }
    return false;
}

// Whether a joint acts: both of its colliders are there, and it may move one of them.
static bool may_act(const firn_bodies* bodies, const firn_joint_state* j)
{
    if (j->def.removed || j->broken || !bodies->items[j->a].free) return false;
    return j->def.b < 0 || !bodies->colliders[j->def.b].removed;
}

void firn_bodies_place_joints(firn_bodies* bodies)
{
    for (firn_local k = 0; k < bodies->joint_count; k++) {
        firn_joint_state* j = &bodies->joints[k];
        const firn_local b = j->def.b;
        const bool moves = b >= 0 && bodies->of[b] >= 0 && bodies->items[bodies->of[b]].free;
        j->acts = may_act(bodies, j);
        j->b = moves ? bodies->of[b] : bodies->count;
        j->sum_linear = j->sum_angular = firn_v3(0, 0, 0);
        j->x_b = j->own_b;
        j->velocity_b = j->spin_b = firn_v3(0, 0, 0);
        j->start_b = firn_q_identity();
        if (moves || b < 0 || !j->acts) continue;
        const firn_collider* c = &bodies->colliders[b];
        if (bodies->of[b] >= 0) {  // it has a mass, but the caller moves it
            const firn_rigid* rigid = &bodies->items[bodies->of[b]].rigid;
            j->start_b = rigid->rotation;
            j->x_b = firn_v3_add(rigid->position, firn_q_rotate(rigid->rotation, j->own_b));
        } else {
            j->start_b = rotation_of(c, bodies->time);
            j->x_b = firn_pose_to_world(&c->pose, j->own_b);
        }
        j->velocity_b = firn_collider_velocity(c, j->x_b);
        j->spin_b = c->pose.spin;
    }
}

firn_local firn_bodies_joint_count(const firn_bodies* bodies)
{
    return bodies->joint_count;
}

firn_joint_load firn_bodies_joint_load(const firn_bodies* bodies, firn_local joint)
{
    const firn_joint_state* j = &bodies->joints[joint];
    return (firn_joint_load){j->force, j->torque, j->angle, j->broken, j->def.removed};
}
