// SPDX-License-Identifier: MIT
#include "bodies/joint.h"

#include <math.h>

firn_joint firn_joint_of_kind(firn_joint_kind kind)
{
    return (firn_joint){.kind = kind,
                        .a = -1,
                        .b = -1,
                        .axis = {0, 0, 1},
                        .angle_low = -(firn_real)INFINITY,
                        .angle_high = (firn_real)INFINITY,
                        .length = -1,
                        .break_force = (firn_real)INFINITY,
                        .break_torque = (firn_real)INFINITY};
}

static firn_result refuse(const char* what, firn_error* error)
{
    return firn_fail(error, FIRN_REFUSED_ARGUMENT, "a joint needs %s", what);
}

firn_result firn_joint_check(const firn_joint* joint, firn_error* error)
{
    if ((int)joint->kind < 0 || (int)joint->kind >= FIRN_JOINT_KINDS)
        return refuse("a kind: fixed, hinge, ball, spring, rope or rod", error);
    if (!firn_v3_is_finite(joint->point_a) || !firn_v3_is_finite(joint->point_b))
        return refuse("finite points", error);
    if (joint->kind == FIRN_JOINT_HINGE &&
        !(firn_v3_dot(joint->axis, joint->axis) > 0 && firn_v3_is_finite(joint->axis)))
        return refuse("an axis that is finite and not zero", error);
    if (joint->kind == FIRN_JOINT_HINGE && !(joint->angle_low <= 0 && joint->angle_high >= 0))
        return refuse("limits on both sides of its angle at the start, 0: the lower one at most "
                      "0, the upper one at least 0",
                      error);
    if (joint->kind == FIRN_JOINT_SPRING && !(joint->stiffness >= 0 && joint->damping >= 0 &&
                                              firn_is_finite(joint->stiffness + joint->damping)))
        return refuse("a finite stiffness and damping of at least 0", error);
    if (firn_joint_is_line(joint->kind) && !firn_is_finite(joint->length))
        return refuse("a finite length", error);
    if (!(joint->break_force > 0 && joint->break_torque > 0))
        return refuse("a break_force and a break_torque above 0", error);
    return FIRN_OK;
}
