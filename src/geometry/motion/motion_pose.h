// SPDX-License-Identifier: MIT
// Pose and velocity of a motion at a time. Computed in double from the time itself and not step by
// step, so that nothing drifts and times can be evaluated in any order. Bitwise equal in C and
// CUDA.
#pragma once
#include "geometry/motion/keyframes.h"

FIRN_FN firn_dvec3 firn_dv3_from(firn_vec3 a)
{
    return firn_dv3((double)a.x, (double)a.y, (double)a.z);
}

FIRN_FN firn_vec3 firn_dv3_round(firn_dvec3 a)
{
    return firn_v3((firn_real)a.v[0], (firn_real)a.v[1], (firn_real)a.v[2]);
}

FIRN_FN void firn_dq_to_matrix(firn_dquat a, double m[3][3])
{
    const double w = a.q[0], x = a.q[1], y = a.q[2], z = a.q[3];
    m[0][0] = 1 - 2 * (y * y + z * z);
    m[0][1] = 2 * (x * y - w * z);
    m[0][2] = 2 * (x * z + w * y);
    m[1][0] = 2 * (x * y + w * z);
    m[1][1] = 1 - 2 * (x * x + z * z);
    m[1][2] = 2 * (y * z - w * x);
    m[2][0] = 2 * (x * z - w * y);
    m[2][1] = 2 * (y * z + w * x);
    m[2][2] = 1 - 2 * (x * x + y * y);
}

// Constant velocity of the pivot, constant spin about it:
// R(t) = exp(spin t) R_0, c(t) = pivot + v t + exp(spin t) (c_0 - pivot), c' = v + spin x (c -
// pivot(t))
FIRN_FN firn_dpose firn_motion_constant_pose(const firn_motion* motion, double time)
{
    const firn_dvec3 spin = firn_dv3_from(motion->spin), velocity = firn_dv3_from(motion->velocity);
    const firn_dvec3 pivot = firn_dv3_from(motion->pivot);
    const firn_dvec3 arm = firn_dv3_madd(firn_dv3_from(motion->position), -1, pivot);
    const firn_dquat turn = firn_rotation_exp(firn_dv3_madd(firn_dv3(0, 0, 0), time, spin));
    double m[3][3];
    firn_dq_to_matrix(turn, m);
    firn_dvec3 turned;
    for (int i = 0; i < 3; i++)
        turned.v[i] = m[i][0] * arm.v[0] + m[i][1] * arm.v[1] + m[i][2] * arm.v[2];
    firn_dpose pose;
    pose.position = firn_dv3_madd(firn_dv3_madd(pivot, time, velocity), 1, turned);
    pose.rotation = firn_dq_mul(turn, firn_dq_from(motion->rotation));
    pose.velocity = firn_dv3_madd(velocity, 1, firn_dv3_cross(spin, turned));
    pose.spin = spin;
    pose.scale = (double)motion->scale;
    pose.growth = 0;
    return pose;
}

// Velocity at the time of a key is that of the segment after it.
FIRN_FN firn_dpose firn_motion_dpose_at(const firn_motion* motion, double time)
{
    return motion->key_count > 0 && motion->keys != NULL ? firn_keyframes_pose(motion, time)
                                                         : firn_motion_constant_pose(motion, time);
}

FIRN_FN firn_pose firn_motion_pose_at(const firn_motion* motion, double time)
{
    const firn_dpose at = firn_motion_dpose_at(motion, time);
    double m[3][3];
    firn_dq_to_matrix(at.rotation, m);
    firn_pose pose;
    pose.position = firn_dv3_round(at.position);
    pose.scale = (firn_real)at.scale;
    pose.velocity = firn_dv3_round(at.velocity);
    pose.spin = firn_dv3_round(at.spin);
    pose.growth = (firn_real)at.growth;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) pose.rotation.m[i][j] = (firn_real)m[i][j];
    return pose;
}
