// SPDX-License-Identifier: MIT
// Dynamic colliders (free bodies). Grains push them (step 2 sums the forces), gravity accelerates
// them, and sample points of their surface collide with kinematic colliders.
#pragma once
#include "geometry/collider/collider_drive.h"
#include "geometry/collider/contact_points.h"
#include "physics/rigid_body.h"
#include "solver/solver.h"

// Force [N] and torque about the centre of mass [N m] of one chunk of grains on a collider.
typedef struct firn_grains_push {
    double force[3], torque[3];
} firn_grains_push;

typedef struct firn_free_body {
    firn_local collider;  // index
    firn_rigid rigid;     // its state
    double time;          // [s] of the state; the collider's drive_time differs if the caller has
                          //     set another state since
    firn_vec3 points[FIRN_CONTACT_POINTS_MAX];  // in the shape's own coordinates [m]
    firn_local point_count;
} firn_free_body;

// Fills `body` for dynamic collider `index`. FIRN_REFUSED_ARGUMENT: its shape is unbounded or
// empty.
firn_result firn_free_body_create(firn_free_body* body, const firn_collider* collider,
                                  firn_local index, const firn_shapes* shapes, firn_error* error);
// The dynamic ones of `colliders`, as an array that the caller frees with firn_free. Null and 0:
// there are none.
firn_result firn_free_bodies_create(const firn_collider* colliders, firn_local collider_count,
                                    const firn_shapes* shapes, firn_free_body** out_bodies,
                                    firn_local* out_count, firn_error* error);
// Before a step: takes over a state that the caller has set. False: the caller moves the collider,
// or it was removed.
bool firn_free_body_take(firn_free_body* body, const firn_collider* colliders, double time);
// Between steps: changes the velocities of its state, and those of its collider, at once.
void firn_free_body_push(firn_free_body* body, firn_collider* colliders,
                         const firn_body_push* push);
// After step 2: integrates it over dt, with contact against kinematic colliders.
void firn_free_body_step(firn_free_body* body, const firn_grains_push* push, firn_vec3 gravity,
                         firn_collider* colliders, firn_local collider_count,
                         const firn_shapes* shapes, double time, double dt);
// Sets the state of the collider at `time` from body->rigid.
void firn_free_body_restore(firn_free_body* body, firn_collider* colliders, double time);
// True if state and time are finite, the time is not negative and the rotation is near unit length.
bool firn_free_body_is_valid(const firn_rigid* rigid, double time);
// Adds the reaction to the force and torque that the collider exerts on a grain at x.
void firn_grains_push_add(firn_grains_push* push, const firn_rigid* body, firn_vec3 x,
                          firn_vec3 force, firn_vec3 own_torque);
