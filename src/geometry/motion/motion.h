// SPDX-License-Identifier: MIT
// Motion given by the user: constant velocity and spin, or key frames, which may also scale the
// collider. x_world = c + s Q x_body. Velocities are exact derivatives of the path.
#pragma once
#include "core/result.h"
#include "math/quat.h"

typedef enum firn_interpolation {
    FIRN_INTERPOLATE_LINEAR,  // straight lines and constant spin between keys, the short way round
    FIRN_INTERPOLATE_SMOOTH  // cubic Hermite through the keys (Catmull-Rom), starting and ending at
                             //     rest; continuous velocity and spin (keyframes.h)
} firn_interpolation;

typedef struct firn_keyframe {
    double time;         // [s], strictly increasing
    firn_vec3 position;  // [m]
    firn_quat rotation;
    firn_real scale;  // > 0
} firn_keyframe;

typedef struct firn_motion {
    firn_vec3 position;  // [m] at t = 0
    firn_quat rotation;  // at t = 0
    firn_real scale;     // > 0; constant; ignored when there are keys
    firn_vec3 velocity;  // [m/s] constant; ignored when there are keys
    firn_vec3 spin;      // [rad/s] about `pivot`, world axes; ignored when there are keys
    firn_vec3 pivot;     // [m] at t = 0: the point that `velocity` moves and `spin` turns about
    firn_interpolation interpolation;
    firn_keyframe* keys;   // owned by whoever owns the motion; null: constant motion
    firn_local key_count;  // before the first and after the last key the body rests
} firn_motion;

// Where the body is at one time, and how fast.
typedef struct firn_pose {
    firn_vec3 position;  // c
    firn_mat3 rotation;  // Q
    firn_real scale;     // s
    firn_vec3 velocity;  // of c [m/s]
    firn_vec3 spin;      // omega [rad/s]
    firn_real growth;    // s'/s [1/s]
} firn_pose;

#define FIRN_MOTION_TIME_MAX 1e9  // [s] 30 years: what moves still has a direction
#define FIRN_MOTION_SCALE_MIN \
    1e-6  // smaller or larger is a slip, and squares stay in float's range
#define FIRN_MOTION_SCALE_MAX 1e6

#ifdef __cplusplus
extern "C" {
#endif

firn_motion firn_motion_at_rest(void);
// Finite numbers, rotations that are some, scales within FIRN_MOTION_SCALE_*, keys in order (at
// least 1 ns apart).
firn_result firn_motion_check(const firn_motion* motion, firn_error* error);
// Velocity at the time of a key is that of the segment after it.
// motion_pose.h has it for CUDA.
firn_pose firn_motion_pose(const firn_motion* motion, double time);

#ifdef __cplusplus
}
#endif

// v_co = c' + omega x (x - c) + s'/s (x - c)  [m/s]
FIRN_FN firn_vec3 firn_pose_velocity(const firn_pose* pose, firn_vec3 x)
{
    const firn_vec3 arm = firn_v3_sub(x, pose->position);
    const firn_vec3 v = firn_v3_add(pose->velocity, firn_v3_cross(pose->spin, arm));
    return firn_v3_madd(v, pose->growth, arm);
}

// World to body and back. A scale of 1 changes no bit.
FIRN_FN firn_vec3 firn_pose_to_body(const firn_pose* pose, firn_vec3 x)
{
    const firn_vec3 arm = firn_v3_sub(x, pose->position);
    return firn_v3_scale(firn_m3_transposed_mul_v3(pose->rotation, arm), 1 / pose->scale);
}

FIRN_FN firn_vec3 firn_pose_to_world(const firn_pose* pose, firn_vec3 x)
{
    const firn_vec3 sized = firn_v3_scale(x, pose->scale);
    return firn_v3_add(pose->position, firn_m3_mul_v3(pose->rotation, sized));
}
