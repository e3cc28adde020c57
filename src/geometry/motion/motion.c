// SPDX-License-Identifier: MIT
// Checks motions and evaluates the pose at a time (motion_pose.h).
#include "geometry/motion/motion.h"

#include "geometry/motion/motion_pose.h"

// More is a mistake. Positions stay in float's range, and after FIRN_MOTION_TIME_MAX the angle
// still has a fraction of a turn.
#define FAR 1e9   // [m]
#define FAST 1e9  // [m/s]
#define SPIN 1e6  // [rad/s]

firn_motion firn_motion_at_rest(void)
{
    return (firn_motion){.rotation = {1, 0, 0, 0}, .scale = 1};
}

firn_pose firn_motion_pose(const firn_motion* motion, double time)
{
    return firn_motion_pose_at(motion, time);
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

// False also for NaN.
static bool is_below(firn_vec3 v, double most)
{
    const firn_real m = (firn_real)most;
    return firn_abs(v.x) <= m && firn_abs(v.y) <= m && firn_abs(v.z) <= m;
}

firn_result firn_motion_check(const firn_motion* motion, firn_error* error)
{
    if (!is_below(motion->position, FAR) || !is_below(motion->pivot, FAR) ||
        !is_below(motion->velocity, FAST) || !is_below(motion->spin, SPIN))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "motion: position, velocity, spin or pivot is not a finite number, or is "
                         "beyond %g m, %g m/s, %g rad/s",
                         FAR, FAST, SPIN);
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
        if (!(key->time - key->time == 0) || !is_below(key->position, FAR) ||
            !is_rotation(key->rotation))
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "motion: key frame %d: time, position or rotation is not finite, the "
                             "position is beyond %g m, or the rotation is zero",
                             (int)k + 1, FAR);
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
