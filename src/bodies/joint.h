// SPDX-License-Identifier: MIT
// Joints: what holds two colliders together, or a collider to the world. Plain data of a scene; the
// engine (bodies.h) solves them, joint_solve.h has the equations.
#pragma once
#include "core/result.h"
#include "firn/defs.h"
#include "math/vec3.h"

#define FIRN_JOINT_KINDS 6

// Positions and axes are in world coordinates, at the time when the joint begins.
typedef struct firn_joint {
    firn_joint_kind kind;
    firn_local a;                     // collider with a mass
    firn_local b;                     // another collider, with a mass or not; -1: the world
    firn_vec3 point_a;                // [m] moves with a
    firn_vec3 point_b;                // [m] moves with b; fixed, hinge and ball: as point_a
    firn_vec3 axis;                   // of a hinge; not zero
    firn_real angle_low, angle_high;  // [rad] of a hinge, 0 at the start; infinite: no limit
    firn_real length;                 // [m] of spring, rope, rod; < 0: as it is at the start
    firn_real stiffness;              // [N/m] of a spring
    firn_real damping;                // [N s/m] of a spring
    firn_real break_force;            // [N] mean over a step, at which it breaks; infinite: never
    firn_real break_torque;           // [N m] of fixed and hinge; infinite: never
    bool collide;                     // a and b collide with each other
    bool removed;
} firn_joint;

// True for the kinds that hold two points at a distance.
FIRN_FN bool firn_joint_is_line(firn_joint_kind kind)
{
    return kind >= FIRN_JOINT_SPRING;
}

#ifdef __cplusplus
extern "C" {
#endif

// A joint of this kind between nothing: no limits, never breaks, length as at the start.
firn_joint firn_joint_of_kind(firn_joint_kind kind);
// FIRN_REFUSED_ARGUMENT: a value is not finite or out of range, or no axis. Does not check a and b.
firn_result firn_joint_check(const firn_joint* joint, firn_error* error);

#ifdef __cplusplus
}
#endif
