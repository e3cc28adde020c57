// SPDX-License-Identifier: MIT
// Who moves a body: the scene's motion, the caller, or a solver that lets snow push it. Whoever is
// not the scene says where the body is at one time; from then on it goes on with the velocity and
// spin it had, until something else is said:
//
//     x(t) = x_0 + v (t - t_0),  R(t) = exp(omega (t - t_0)) R_0
#pragma once
#include "geometry/collider/collider.h"
#include "geometry/motion/motion_pose.h"

// Where the body is at a time, before or after what was said last, and how fast. For C and CUDA,
// with the same bits.
FIRN_FN firn_pose firn_collider_pose_at(const firn_collider* c, double time)
{
    return c->driver == FIRN_DRIVER_SCENE ? firn_motion_pose_at(&c->motion, time)
                                          : firn_motion_pose_at(&c->drive, time - c->drive_time);
}

// Never moves, as far as its driver has said.
FIRN_FN bool firn_collider_rests(const firn_collider* c)
{
    const firn_motion* m = c->driver == FIRN_DRIVER_SCENE ? &c->motion : &c->drive;
    return m->key_count == 0 && firn_v3_dot(m->velocity, m->velocity) == 0 &&
           firn_v3_dot(m->spin, m->spin) == 0;
}

#ifdef __cplusplus
extern "C" {
#endif

// The same as a motion from there on, with the rotation as a quaternion; the velocity is that of
// the position, the pivot is there too. Growth is left out.
firn_motion firn_collider_state(const firn_collider* collider, double time);

// From now on `driver` moves the body: at `time` it is where `state` says (position, rotation,
// scale, velocity of `position`, spin about it; pivot and keys are not looked at). The pose changes
// with the next firn_collider_move. FIRN_REFUSED_ARGUMENT: not finite, no rotation, or a scale
// beyond FIRN_MOTION_SCALE_*; the body is as before.
firn_result firn_collider_drive(firn_collider* collider, firn_driver driver,
                                const firn_motion* state, double time, firn_error* error);
// The scene moves it again, where it would be by now; a body with a mass goes on freely from where
// it is at `time`.
void firn_collider_release(firn_collider* collider, double time);

#ifdef __cplusplus
}
#endif
