// SPDX-License-Identifier: MIT
// Poses of colliders in frames: a frame stores the poses of colliders that do not move as the scene
// says; a replay applies them.
#pragma once
#include "output/frame/frame.h"
#include "run/frame_keys.h"
#include "sim/sim.h"

// Get the current poses of the colliders that do not move as the scene says: an array owned by the
// caller, null if there are none or on FIRN_BROKEN_MEMORY.
firn_result firn_frame_poses_take(const firn_sim* sim, firn_frame_body** out_bodies,
                                  firn_local* out_count);
// Whether a collider deforms.
bool firn_frame_poses_deform(const firn_scene_data* scene);
// Holds the key frames of colliders that deform, around `time`.
void firn_frame_poses_hold(const firn_scene_data* scene, double time, firn_frame_keys* keys);
// Sets colliders to the poses of a frame at `time`; others move as the scene says. Before and after
// the frame's time they continue with velocity and spin of the frame, which motion blur needs. Call
// firn_collider_move afterwards. FIRN_REFUSED_SCENE: the frame has a collider that the scene lacks;
// nothing is changed.
firn_result firn_frame_poses_put(const firn_frame_body* bodies, firn_local body_count, double time,
                                 firn_collider* colliders, firn_local collider_count,
                                 firn_error* error);
