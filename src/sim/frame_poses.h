// SPDX-License-Identifier: MIT
// Poses between bodies and frames: what a frame keeps of bodies that the scene does not drive, and
// bodies put where a frame says.
#pragma once
#include "output/frame/frame.h"
#include "sim/sim.h"

// Bodies of the simulation that the scene does not drive, where they are now: an owned array, null
// where there are none. FIRN_BROKEN_MEMORY: it is null.
firn_result firn_frame_poses_take(const firn_sim* sim, firn_frame_body** out_bodies,
                                  firn_local* out_count);
// Puts colliders where a frame of `time` has them; those it does not name are the scene's again.
// Before the frame's time and after it they go on with the velocity and spin they have there: that
// is what the shutter sees. firn_collider_move must follow. FIRN_REFUSED_SCENE: the frame has a
// body that the scene has not; nothing is changed.
firn_result firn_frame_poses_put(const firn_frame_body* bodies, firn_local body_count, double time,
                                 firn_collider* colliders, firn_local collider_count,
                                 firn_error* error);
