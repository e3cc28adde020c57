// SPDX-License-Identifier: MIT
// Free bodies: colliders with a mass. Grains push them (step 2 sums what), gravity pulls them, and
// they lie on other bodies with some points of their surface.
#pragma once
#include "geometry/collider/collider_drive.h"
#include "geometry/collider/contact_points.h"
#include "physics/rigid_body.h"

// [N], [N m] about the centre of mass: what grains of one piece do to a body.
typedef struct firn_grains_push {
    double force[3], torque[3];
} firn_grains_push;

typedef struct firn_free_body {
    firn_local collider;  // index
    firn_rigid rigid;     // its state
    double time;          // [s] of the state; where the collider's drive_time is another, someone
                          //     else has moved it since
    firn_vec3 points[FIRN_CONTACT_POINTS_MAX];  // in the shape's own coordinates [m]
    firn_local point_count;
} firn_free_body;

// The bodies of `colliders` that have a mass; owned array, firn_free gives it back. Null and 0:
// none.
firn_result firn_free_bodies_create(const firn_collider* colliders, firn_local collider_count,
                                    const firn_shapes* shapes, firn_free_body** out_bodies,
                                    firn_local* out_count, firn_error* error);
// Before a step: takes over what others have done to it. False: somebody else drives it.
bool firn_free_body_take(firn_free_body* body, const firn_collider* colliders, double time);
// After step 2: moves it on by dt, and keeps it out of the bodies that are not free.
void firn_free_body_step(firn_free_body* body, const firn_grains_push* push, firn_vec3 gravity,
                         firn_collider* colliders, firn_local collider_count,
                         const firn_shapes* shapes, double time, double dt);
// The state `rigid` is that of `time`: the collider is told.
void firn_free_body_restore(firn_free_body* body, firn_collider* colliders, double time);
// Could it be a body's state at a time: finite, with a rotation that is one?
bool firn_free_body_is_valid(const firn_rigid* rigid, double time);
// Of a grain that a body's force `force` acts on at x: what the body feels.
void firn_grains_push_add(firn_grains_push* push, const firn_rigid* body, firn_vec3 x,
                          firn_vec3 force);
