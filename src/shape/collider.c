// SPDX-License-Identifier: MIT
// Colliders: phi(x, t) = s phi_0(Q^T (x - c) / s), n = Q grad phi_0. Stomakhin 2013, section 8,
// with a scale s.
#include "shape/collider.h"

void firn_collider_move(firn_collider* collider, double time)
{
    collider->pose = firn_motion_pose(&collider->motion, time);
}

firn_real firn_collider_distance(const firn_collider* collider, const firn_shapes* shapes,
                                 firn_vec3 x)
{
    const firn_pose* pose = &collider->pose;
    return pose->scale * firn_shape_distance(shapes, collider->shape, firn_pose_to_body(pose, x));
}

firn_real firn_collider_sample(const firn_collider* collider, const firn_shapes* shapes,
                               firn_vec3 x, firn_vec3* out_normal)
{
    firn_vec3 n;
    const firn_real distance =
        firn_shape_sample(shapes, collider->shape, firn_pose_to_body(&collider->pose, x), &n);
    *out_normal = firn_m3_mul_v3(collider->pose.rotation, n);
    return collider->pose.scale * distance;
}
