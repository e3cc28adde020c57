// SPDX-License-Identifier: MIT
// Colliders: solid bodies that snow can hit: a shape, its motion, and how its surface behaves.
// Stomakhin 2013, section 8. Does not: feel the snow's push.
#pragma once
#include "shape/motion.h"
#include "shape/shape.h"

typedef struct firn_collider {
    firn_local shape;    // index in the scene's shapes
    firn_motion motion;  // keys owned
    firn_real friction;  // Coulomb mu [-]
    bool sticky;         // relative velocity 0 on contact, whatever its direction
    firn_pose pose;      // at the time of the last firn_collider_move
} firn_collider;

// Sets `pose` for this time. Called once per step, before any sample.
void firn_collider_move(firn_collider* collider, double time);

// Level set, outward normal and velocity of the body at x, in world coordinates, for the pose.
FIRN_FN firn_vec3 firn_collider_velocity(const firn_collider* c, firn_vec3 x)
{
    return firn_pose_velocity(&c->pose, x);
}
firn_real firn_collider_distance(const firn_collider* collider, const firn_shapes* shapes,
                                 firn_vec3 x);
firn_real firn_collider_sample(const firn_collider* collider, const firn_shapes* shapes,
                               firn_vec3 x, firn_vec3* out_normal);
