// SPDX-License-Identifier: MIT
// Rigid bodies: all dynamic colliders of a simulation, with their contacts and joints. Every solver
// moves its dynamic colliders with it (design/0019-rigid-bodies.md, theory/bodies.md).
// Does: gravity, damping, contact with friction and restitution between dynamic colliders and with
// all others, joints, rest. Does not: contact with snow; a solver adds its impulses (push).
//
//     begin       colliders have their poses of the start of the step
//       push      impulses of the snow; as often as there are some
//       sweep     (solvers that iterate with the bodies) makes the velocities at the end of the
//                 step, as predicted, obey contacts and joints better
//     finish      the step itself; colliders follow
//
// Everything happens in the order of colliders and joints: results do not depend on threads.
#pragma once
#include "bodies/joint.h"
#include "geometry/collider/collider.h"
#include "geometry/sdf/shape.h"
#include "physics/rigid_body.h"

#define FIRN_BODY_CONTACTS 32  // that a body has at most, with colliders and with later bodies

typedef struct firn_bodies firn_bodies;

#ifdef __cplusplus
extern "C" {
#endif

// Bodies for the dynamic ones of `colliders`, which may be none, and joints between them.
// FIRN_REFUSED_ARGUMENT: a shape without bounds or volume, a joint that cannot be.
firn_result firn_bodies_create(const firn_collider* colliders, firn_local collider_count,
                               const firn_joint* joints, firn_local joint_count,
                               const firn_shapes* shapes, firn_bodies** out_bodies,
                               firn_error* error);
void firn_bodies_destroy(firn_bodies* bodies);  // null is fine

// Collider `index`, the one after all that are known, was added. Refused, or out of memory: nothing
// has changed.
firn_result firn_bodies_add(firn_bodies* bodies, const firn_collider* collider, firn_local index,
                            const firn_shapes* shapes, firn_error* error);
// Adds a joint, which begins with the state at `time`. FIRN_REFUSED_ARGUMENT: nothing has changed.
firn_result firn_bodies_join(firn_bodies* bodies, const firn_joint* joint,
                             const firn_collider* colliders, double time, firn_error* error);
// Joint `index`, in the order in which they were added, ceases to act or acts again.
void firn_bodies_release(firn_bodies* bodies, firn_local index, bool released);

firn_local firn_bodies_count(const firn_bodies* bodies);
// The body of a collider; -1: it has no mass.
firn_local firn_bodies_of(const firn_bodies* bodies, firn_local collider);
// Borrowed; its state after the last step.
const firn_rigid* firn_bodies_rigid(const firn_bodies* bodies, firn_local body);
// True if the engine moves it in this step: it was neither removed nor is it moved by the caller.
bool firn_bodies_is_free(const firn_bodies* bodies, firn_local body);
// True while it rests and is not computed.
bool firn_bodies_is_inactive(const firn_bodies* bodies, firn_local body);
firn_local firn_bodies_joint_count(const firn_bodies* bodies);
// What a joint did in the last step.
typedef struct firn_joint_load {
    firn_vec3 force;   // [N] on collider a, mean over the step
    firn_vec3 torque;  // [N m] on collider a, about the joint's point
    firn_real angle;   // [rad] of a hinge
    bool broken;       // it holds nothing any more
    bool removed;
} firn_joint_load;
firn_joint_load firn_bodies_joint_load(const firn_bodies* bodies, firn_local joint);

// Before a step, before colliders get their poses: takes over what the caller has set.
void firn_bodies_take(firn_bodies* bodies, const firn_collider* colliders, double time);

// A step of dt [s] from `time`, when colliders have their poses: finds contacts. Nothing of a step
// allocates memory or can fail.
void firn_bodies_begin(firn_bodies* bodies, const firn_collider* colliders,
                       const firn_shapes* shapes, firn_vec3 gravity, double time, double dt);
// Adds an impulse [N s] and an angular impulse about the centre of mass [N m s], at the start of
// the step, to what the body gets during the step.
void firn_bodies_push(firn_bodies* bodies, firn_local body, const double impulse[3],
                      const double angular[3]);
// One sweep over joints and contacts with the predicted velocities.
void firn_bodies_sweep(firn_bodies* bodies);
// Predicted velocity of the centre of mass and spin at the end of the step.
void firn_bodies_velocity(const firn_bodies* bodies, firn_local body, firn_vec3* out_velocity,
                          firn_vec3* out_spin);
// Contacts of a body in this step, from begin on, with colliders and with bodies after it.
typedef struct firn_body_contact {
    firn_local other;      // collider
    bool held;             // `other` is not moved by the engine
    firn_vec3 x;           // [m]
    firn_vec3 n;           // out of `other`, unit
    firn_vec3 velocity;    // [m/s] of `other` at x if held
    firn_real separation;  // [m] < 0: overlap; > 0: the contact may come to be in this step
    firn_real friction;    // Coulomb mu [-]; < 0: sticks
} firn_body_contact;
firn_local firn_bodies_contact_count(const firn_bodies* bodies, firn_local body);
firn_body_contact firn_bodies_contact(const firn_bodies* bodies, firn_local body, firn_local k);
// Moves the bodies; colliders follow, at time + dt.
void firn_bodies_finish(firn_bodies* bodies, firn_collider* colliders);

// Between steps: changes velocities at once, of the body and of its collider.
void firn_bodies_impulse(firn_bodies* bodies, firn_collider* colliders, firn_local body,
                         firn_vec3 impulse, const firn_vec3* point, firn_vec3 angular);

// Sets position, remainder, rotation, velocity and spin at `time`, as computed elsewhere (a
// device); the collider follows.
void firn_bodies_set(firn_bodies* bodies, firn_collider* colliders, firn_local body,
                     const firn_rigid* state, double time);

// State for checkpoints, as a flat block; 0 bytes without bodies. (bodies_save.c)
size_t firn_bodies_extra_size(const firn_bodies* bodies);
void firn_bodies_extra_save(const firn_bodies* bodies, void* block);
// Blocks of fewer bodies or joints than there are now are accepted: bodies that came later keep
// their state, joints that did are removed. FIRN_REFUSED_DAMAGED: nothing has changed.
firn_result firn_bodies_extra_check(const firn_bodies* bodies, const void* block, size_t size,
                                    firn_error* error);
// After a check; bodies that the caller moves are skipped, colliders follow.
void firn_bodies_extra_restore(firn_bodies* bodies, const void* block, size_t size,
                               firn_collider* colliders);

// After a step: every value of the state is one that extra_check accepts. FIRN_BROKEN_DIVERGED,
// with the collider or the joint. (bodies_save.c)
firn_result firn_bodies_check(const firn_bodies* bodies, firn_error* error);

// For tests: bodies at rest are computed, too.
void firn_bodies_never_rest(firn_bodies* bodies);

#ifdef __cplusplus
}
#endif
