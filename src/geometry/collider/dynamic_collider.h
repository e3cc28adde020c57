// SPDX-License-Identifier: MIT
// Dynamic colliders: converts between a collider and its rigid body. Solvers that support them keep
// a firn_rigid for each, and after each step set the state of the collider (collider_drive.h).
#pragma once
#include "geometry/collider/collider_drive.h"
#include "geometry/collider/inertia.h"

// The pose of the shape's own coordinates, scaled by `scale`: x_world = c + s Q x_body, with the
// centre of mass of the rigid body.
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

// Sets position, rotation, velocity and spin from `state` (firn_collider_state); mass, inertia and
// center are unchanged.
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

// Makes a collider dynamic, with its motion as the state at t = 0: the velocity is that of the
// centre of mass and the spin is about it. Called once when a collider with a mass is added to a
// scene. Refused: no shape, one without bounds or volume, a mass that is not above 0, or an inertia
// that no body has.
firn_result firn_collider_set_dynamic(firn_collider* collider, const firn_shapes* shapes,
                                      firn_real mass, firn_error* error);
// Volume of the scaled shape [m^3], as the inertia has it; 0: none, or without bounds.
double firn_collider_volume(const firn_collider* collider, const firn_shapes* shapes);
// The rigid body of a collider with a mass, as it is at `time`. Its inertia is that of the scaled
// shape, or the collider's own. Refused as above.
firn_result firn_collider_rigid(const firn_collider* collider, const firn_shapes* shapes,
                                double time, firn_rigid* out_body, firn_error* error);
// Sets the state of a dynamic collider at `time`, after a step.
void firn_collider_follow(firn_collider* collider, const firn_rigid* body, double time);

#ifdef __cplusplus
}
#endif
