// SPDX-License-Identifier: MIT
// What moves a collider: the scene's motion, the caller, or the solver (dynamic colliders). Caller
// and solver set the state at one time; from then on the collider continues with constant velocity
// and spin, until the state is set again:
//
//     x(t) = x_0 + v (t - t_0),  R(t) = exp(omega (t - t_0)) R_0
#pragma once
#include "geometry/collider/collider.h"
#include "geometry/motion/motion_pose.h"

// Pose and velocity of the collider at a time, before or after the state that was set last. Bitwise
// equal in C and CUDA.
FIRN_FN firn_pose firn_collider_pose_at(const firn_collider* c, double time)
{
    return c->moved_by == FIRN_MOVED_BY_SCENE
               ? firn_motion_pose_at(&c->motion, time)
               : firn_motion_pose_at(&c->drive, time - c->drive_time);
}

// True if it does not move, as far as is known.
FIRN_FN bool firn_collider_rests(const firn_collider* c)
{
    const firn_motion* m = c->moved_by == FIRN_MOVED_BY_SCENE ? &c->motion : &c->drive;
    return m->key_count == 0 && firn_v3_dot(m->velocity, m->velocity) == 0 &&
           firn_v3_dot(m->spin, m->spin) == 0;
}

#ifdef __cplusplus
extern "C" {
#endif

// The same as a motion from that time on, with the rotation as a quaternion; the pivot is at the
// position. Without growth.
firn_motion firn_collider_state(const firn_collider* collider, double time);

// From now on `moved_by` moves the collider: at `time` it has `state` (position, rotation, scale,
// velocity of `position`, spin about it; pivot and keys are ignored). The pose changes
// with the next firn_collider_move. FIRN_REFUSED_ARGUMENT: not finite, no rotation, or a scale
// beyond FIRN_MOTION_SCALE_*; the collider is unchanged.
firn_result firn_collider_drive(firn_collider* collider, firn_moved_by moved_by,
                                const firn_motion* state, double time, firn_error* error);
// The scene moves it again, at its pose for that time; a dynamic collider continues from its state
// at `time`.
void firn_collider_release(firn_collider* collider, double time);

#ifdef __cplusplus
}
#endif
