// SPDX-License-Identifier: MIT
// A collider with a mass as a rigid body: its state out of what drives it, and back. Solvers that
// let snow push bodies keep a firn_rigid for each, and after each step tell the collider where it
// is (collider_drive.h).
#pragma once
#include "geometry/collider/collider_drive.h"
#include "geometry/collider/inertia.h"

// The pose of the shape's own coordinates, scaled by `scale`: x_world = c + s Q x_body, with the
// centre of mass where the body's is.
FIRN_FN firn_pose firn_rigid_pose(const firn_rigid* body, firn_real scale)
{
    firn_pose pose;
    pose.rotation = firn_q_to_m3(body->rotation);
    const firn_vec3 arm =
        firn_m3_mul_v3(pose.rotation, firn_v3_scale(body->center, scale));  // origin to centre
    pose.position = firn_v3_sub(body->position, arm);
    pose.scale = scale;
    pose.velocity = firn_v3_sub(body->velocity, firn_v3_cross(body->spin, arm));
    pose.spin = body->spin;
    pose.growth = 0;
    return pose;
}

// The place, rotation, velocity and spin of the body are those of `state` (firn_collider_state);
// its mass, inertia and center stay.
FIRN_FN void firn_rigid_set_state(firn_rigid* body, const firn_motion* state)
{
    body->rotation = firn_q_normalize(state->rotation);
    body->spin = state->spin;
    const firn_vec3 arm = firn_q_rotate(body->rotation, firn_v3_scale(body->center, state->scale));
    body->position = firn_v3_add(state->position, arm);
    body->velocity = firn_v3_add(state->velocity, firn_v3_cross(state->spin, arm));
    body->remainder = firn_v3(0, 0, 0);
}

#ifdef __cplusplus
extern "C" {
#endif

// A collider becomes free: driver, and as its state at t = 0 that of its motion, whose velocity is
// that of the centre of mass and whose spin is about it. Called once when a scene gets a collider
// with a mass. Refused: no shape, one without bounds or volume, or a mass that is not above 0.
firn_result firn_collider_set_free(firn_collider* collider, const firn_shapes* shapes,
                                   firn_real mass, firn_error* error);
// The rigid body of a collider with a mass, as it is at `time`. Its inertia is that of the scaled
// shape. Refused as above.
firn_result firn_collider_rigid(const firn_collider* collider, const firn_shapes* shapes,
                                double time, firn_rigid* out_body, firn_error* error);
// The body is there at `time`: for a collider whose driver is FIRN_DRIVER_FREE, after a step.
void firn_collider_follow(firn_collider* collider, const firn_rigid* body, double time);

#ifdef __cplusplus
}
#endif
