// SPDX-License-Identifier: MIT
// The world around the snow changes between steps: colliders and emitters come and go, dynamic
// colliders are pushed, gravity and wind change.
//
//     firn_sim_add_collider(sim, prefabs, &crate, &pose, &id);      // a shape of scene `prefabs`
//     firn_sim_body_impulse(sim, id, (firn_vec3){50, 0, 0}, NULL);  // [N s]
//     firn_sim_remove_collider(sim, id);
//     firn_sim_set_gravity(sim, (firn_vec3){0, -1.62f, 0});         // on the moon
//
// All changes are part of the state: a rollback keeps them, and firn_sim_restore (edit.h) returns
// to those of its block: removed items are there again, items added since are removed.
#pragma once
#include "firn/defs.h"
#include "firn/export.h"
#include "firn/id.h"
#include "firn/play.h"
#include "firn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- colliders come and go --------------------------------------------------------------------

// Add a collider. `def` names a shape of `prefabs`, any scene, which is copied; the simulation
// keeps nothing of that scene. `pose`: where it is now and how it moves, as with
// firn_sim_body_move; null: as the def says, whose times count from the start of the simulation.
// A def with a mass makes a dynamic collider that starts now, with the def's velocities or those of
// the pose (solver grains, CPU). Nothing else changes: snow inside of the new collider is pushed
// out. `out_id` may be null. On CUDA the particles are copied to the host and back.
// FIRN_REFUSED_ARGUMENT: the def or the pose is not valid; it has a temperature and the particles
// have none; the simulation has an output_dir, whose frames have no such collider.
// FIRN_REFUSED_NAME, FIRN_REFUSED_BACKEND: solver or backend do not support masses.
FIRN_API firn_result firn_sim_add_collider(firn_sim* sim, const firn_scene* prefabs,
                                           const firn_collider_def* def, const firn_body_pose* pose,
                                           firn_collider_id* out_id);
// Remove a collider of the scene or an added one: snow no longer meets it. It keeps its index:
// firn_sim_body says that it was removed, other functions refuse it. A state saved before brings it
// back. FIRN_REFUSED_ARGUMENT: no such collider, or the simulation has an output_dir.
FIRN_API firn_result firn_sim_remove_collider(firn_sim* sim, firn_collider_id id);

// ---- pushing dynamic colliders ----------------------------------------------------------------

// Change the motion of a dynamic collider at once by an impulse [N s] that acts at `point` [m];
// null: at its centre of mass. World coordinates. FIRN_REFUSED_ARGUMENT: no such collider, it has
// no mass or is moved by the caller, or values that are not finite.
FIRN_API firn_result firn_sim_body_impulse(firn_sim* sim, firn_collider_id id, firn_vec3 impulse,
                                           const firn_vec3* point);
// The same by an angular impulse [N m s]: a torque [N m] times the time that it acts for, such as
// the 1/60 s of a frame.
FIRN_API firn_result firn_sim_body_torque(firn_sim* sim, firn_collider_id id,
                                          firn_vec3 angular_impulse);

// ---- joints -----------------------------------------------------------------------------------

// Add a joint, which begins with the colliders as they are now (solvers with dynamic colliders).
// `out_id` may be null. FIRN_REFUSED_NAME: the solver has none. FIRN_REFUSED_ARGUMENT: as
// firn_scene_add_joint, or the simulation has an output_dir.
FIRN_API firn_result firn_sim_add_joint(firn_sim* sim, const firn_joint_def* def,
                                        firn_joint_id* out_id);
// Remove a joint of the scene or an added one. A state saved before brings it back.
// FIRN_REFUSED_ARGUMENT: no such joint, it was removed, or the simulation has an output_dir.
FIRN_API firn_result firn_sim_remove_joint(firn_sim* sim, firn_joint_id id);

// What a joint does. Will not grow.
typedef struct firn_joint_info {
    double force[3];   // [N] on collider a, mean over the last step
    double torque[3];  // [N m] on collider a, about the joint's point
    double angle;      // [rad] of a hinge
    bool broken;       // it holds nothing any more
    bool removed;
} firn_joint_info;
// Get the state of a joint after the last step. FIRN_REFUSED_ARGUMENT: no such joint.
FIRN_API firn_result firn_sim_joint(const firn_sim* sim, firn_joint_id id,
                                    firn_joint_info* out_info);

// ---- emitters come and go ---------------------------------------------------------------------

// Add an emitter (solver sph). `def` names a shape and a material of `prefabs`; the simulation must
// have a material with the same constants. Its times count from the start of the simulation; flakes
// that would have been due before now do not appear. `out_id` may be null.
// FIRN_REFUSED_NAME: the solver has no emitters. FIRN_REFUSED_ARGUMENT: the def is not valid, it
// has stopped before now, there is no such material, or the simulation has an output_dir.
FIRN_API firn_result firn_sim_add_emitter(firn_sim* sim, const firn_scene* prefabs,
                                          const firn_emitter_def* def, firn_emitter_id* out_id);
// Remove an emitter of the scene or an added one: the flakes due up to now are its last.
// FIRN_REFUSED_ARGUMENT: no such emitter, or the simulation has an output_dir.
FIRN_API firn_result firn_sim_remove_emitter(firn_sim* sim, firn_emitter_id id);

// ---- gravity and wind -------------------------------------------------------------------------

// Set gravity [m/s^2], each component at most 1e4, instead of the scene's `gravity`. With
// `sph.gravity_rise` it still grows in that time. FIRN_REFUSED_ARGUMENT: out of range.
FIRN_API firn_result firn_sim_set_gravity(firn_sim* sim, firn_vec3 gravity);
// Get the current gravity [m/s^2]; 0 if `sim` is null.
FIRN_API firn_vec3 firn_sim_gravity(const firn_sim* sim);

// Set the wind [m/s], each component at most 1e3, instead of the scene's `air.velocity`. Adds air
// with drag if the scene has none. Gusts keep their strength relative to the wind; their pattern,
// which drifts with the wind from the start of the simulation, jumps. A wind from a .vdb file stays
// inside of its volume: the wind set here blows outside. FIRN_REFUSED_NAME: the solver has no wind.
// FIRN_REFUSED_ARGUMENT: out of range.
FIRN_API firn_result firn_sim_set_wind(firn_sim* sim, firn_vec3 velocity);
// Get the current wind [m/s] without gusts, outside of a .vdb file's volume; 0 without air.
FIRN_API firn_vec3 firn_sim_wind(const firn_sim* sim);

#ifdef __cplusplus
}
#endif
