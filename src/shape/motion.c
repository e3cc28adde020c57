// SPDX-License-Identifier: MIT
// Motions: where a body is at a time, and how fast. Computed in double from the time itself,
// never step by step, so that nothing drifts and any time can be asked for in any order.
#include "shape/motion.h"

#include "shape/keyframes.h"

firn_motion firn_motion_at_rest(void)
{
    return (firn_motion){.rotation = {1, 0, 0, 0}, .scale = 1};
}

static firn_dvec3 widen(firn_vec3 a)
{
    return firn_dv3((double)a.x, (double)a.y, (double)a.z);
}

static firn_vec3 narrow(firn_dvec3 a)
{
    return firn_v3((firn_real)a.v[0], (firn_real)a.v[1], (firn_real)a.v[2]);
}

static void to_matrix(firn_dquat a, double m[3][3])
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
static firn_dpose constant_pose(const firn_motion* motion, double time)
{
    const firn_dvec3 spin = widen(motion->spin), velocity = widen(motion->velocity);
    const firn_dvec3 pivot = widen(motion->pivot);
    const firn_dvec3 arm = firn_dv3_madd(widen(motion->position), -1, pivot);
    const firn_dquat turn = firn_rotation_exp(firn_dv3_madd(firn_dv3(0, 0, 0), time, spin));
    double m[3][3];
    to_matrix(turn, m);
    firn_dvec3 turned;
    for (int i = 0; i < 3; i++)
        turned.v[i] = m[i][0] * arm.v[0] + m[i][1] * arm.v[1] + m[i][2] * arm.v[2];
    return (firn_dpose){.position = firn_dv3_madd(firn_dv3_madd(pivot, time, velocity), 1, turned),
                        .rotation = firn_dq_mul(turn, firn_dq_from(motion->rotation)),
                        .velocity = firn_dv3_madd(velocity, 1, firn_dv3_cross(spin, turned)),
                        .spin = spin,
                        .scale = (double)motion->scale,
                        .growth = 0};
}

firn_pose firn_motion_pose(const firn_motion* motion, double time)
{
    const firn_dpose at = motion->key_count > 0 && motion->keys != NULL
                              ? firn_keyframes_pose(motion, time)
                              : constant_pose(motion, time);
    double m[3][3];
    to_matrix(at.rotation, m);
    firn_pose pose = {.position = narrow(at.position),
                      .scale = (firn_real)at.scale,
                      .velocity = narrow(at.velocity),
                      .spin = narrow(at.spin),
                      .growth = (firn_real)at.growth};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) pose.rotation.m[i][j] = (firn_real)m[i][j];
    return pose;
}

static bool is_rotation(firn_quat q)
{
    const double n2 = (double)q.w * (double)q.w + (double)q.x * (double)q.x +
                      (double)q.y * (double)q.y + (double)q.z * (double)q.z;
    return n2 > 1e-12 && n2 < 1e12;
}

static bool is_scale(firn_real s)
{
    return s >= (firn_real)FIRN_MOTION_SCALE_MIN && s <= (firn_real)FIRN_MOTION_SCALE_MAX;
}

firn_result firn_motion_check(const firn_motion* motion, firn_error* error)
{
    if (!firn_v3_is_finite(motion->position) || !firn_v3_is_finite(motion->velocity) ||
        !firn_v3_is_finite(motion->spin) || !firn_v3_is_finite(motion->pivot))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "motion: position, velocity, spin or pivot is not a finite number");
    if (!is_rotation(motion->rotation))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "motion: the rotation is zero or not finite; none is (1, 0, 0, 0)");
    if (!is_scale(motion->scale))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "motion: the scale is %g, must be %g to %g; 1 changes nothing",
                         (double)motion->scale, FIRN_MOTION_SCALE_MIN, FIRN_MOTION_SCALE_MAX);
    if (motion->key_count < 0 || (motion->key_count > 0 && motion->keys == NULL))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "motion: %d key frames, but no list of them",
                         (int)motion->key_count);
    for (firn_local k = 0; k < motion->key_count; k++) {
        const firn_keyframe* key = &motion->keys[k];
        if (!(key->time - key->time == 0) || !firn_v3_is_finite(key->position) ||
            !is_rotation(key->rotation))
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "motion: key frame %d: time, position or rotation is not finite, or "
                             "the rotation is zero",
                             (int)k + 1);
        if (!is_scale(key->scale))
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "motion: key frame %d: the scale is %g, must be %g to %g; 1 changes "
                             "nothing",
                             (int)k + 1, (double)key->scale, FIRN_MOTION_SCALE_MIN,
                             FIRN_MOTION_SCALE_MAX);
        if (k > 0 && !(key->time - motion->keys[k - 1].time >= 1e-9))
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "motion: key frame %d is at %g s, must be later than the one before "
                             "it at %g s",
                             (int)k + 1, key->time, motion->keys[k - 1].time);
    }
    return FIRN_OK;
}
