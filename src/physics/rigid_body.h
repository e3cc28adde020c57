// SPDX-License-Identifier: MIT
// A rigid body that forces push: Newton's and Euler's equations, for C and CUDA.
//
//     m v' = f + m g,   L' = tau,   omega = I^-1 L,   I = R I_body R^T
//
// Angular momentum L is what is stepped, not the spin: its equation has no gyroscopic term, so that
// L is kept to rounding where nothing turns the body, and a spinning body that is no ball wobbles
// as it should without ever gaining energy from the step.
#pragma once
#include "math/mat3.h"
#include "math/quat.h"

typedef struct firn_rigid {
    firn_vec3 position;   // of the centre of mass, in world coordinates [m]
    firn_vec3 remainder;  // [m] what rounding left of `position`: a heavy body sinks into snow by
                          //     less a step than a float can tell
    firn_quat rotation;   // R: from body to world axes, unit
    firn_vec3 velocity;   // v of the centre of mass [m/s]
    firn_vec3 spin;       // omega, world axes [rad/s]
    firn_real mass;       // m > 0 [kg]
    firn_mat3 inertia;    // I_body about the centre of mass, body axes; symmetric, regular [kg m^2]
    firn_vec3 center;     // of mass, in the coordinates of the body's shape [m]
} firn_rigid;

// I^-1 a for a body turned by `rotation`.
FIRN_FN firn_vec3 firn_rigid_inverse_inertia(const firn_rigid* body, firn_quat rotation,
                                             firn_vec3 a)
{
    const firn_mat3 R = firn_q_to_m3(rotation);
    const firn_vec3 own = firn_m3_transposed_mul_v3(R, a);
    return firn_m3_mul_v3(R, firn_m3_mul_v3(firn_m3_inverse(body->inertia), own));
}

// L = I omega [kg m^2/s], world axes, about the centre of mass.
FIRN_FN firn_vec3 firn_rigid_angular_momentum(const firn_rigid* body)
{
    const firn_mat3 R = firn_q_to_m3(body->rotation);
    const firn_vec3 own = firn_m3_transposed_mul_v3(R, body->spin);
    return firn_m3_mul_v3(R, firn_m3_mul_v3(body->inertia, own));
}

// Velocity of the body's material at x, in world coordinates [m/s].
FIRN_FN firn_vec3 firn_rigid_velocity_at(const firn_rigid* body, firn_vec3 x)
{
    return firn_v3_add(body->velocity, firn_v3_cross(body->spin, firn_v3_sub(x, body->position)));
}

// 1/m_eff [1/kg] of the body at x along unit vector n: what a push there, along n, meets:
// 1/m + (I^-1 (r x n)) x r . n
FIRN_FN firn_real firn_rigid_mobility(const firn_rigid* body, firn_vec3 x, firn_vec3 n)
{
    const firn_vec3 r = firn_v3_sub(x, body->position);
    const firn_vec3 turn = firn_rigid_inverse_inertia(body, body->rotation, firn_v3_cross(r, n));
    return 1 / body->mass + firn_v3_dot(firn_v3_cross(turn, r), n);
}

// An impulse [N s] at x, at once.
FIRN_FN void firn_rigid_push(firn_rigid* body, firn_vec3 x, firn_vec3 impulse)
{
    const firn_vec3 r = firn_v3_sub(x, body->position);
    body->velocity = firn_v3_madd(body->velocity, 1 / body->mass, impulse);
    body->spin = firn_v3_add(
        body->spin, firn_rigid_inverse_inertia(body, body->rotation, firn_v3_cross(r, impulse)));
}

// Position += dt v, with what the last sums left over. The order of operations matters.
FIRN_FN void firn_rigid_advance(firn_rigid* body, firn_real dt)
{
    const firn_vec3 step = firn_v3_madd(body->remainder, dt, body->velocity);
    const firn_vec3 moved = firn_v3_add(body->position, step);
    body->remainder = firn_v3_sub(step, firn_v3_sub(moved, body->position));
    body->position = moved;
}

// One step: first velocities, then with the new ones the place (symplectic Euler), the rotation by
// the spin in the middle of the step. Force [N] acts on the centre of mass, torque [N m] is about
// it, world axes; gravity [m/s^2].
FIRN_FN void firn_rigid_step(firn_rigid* body, firn_vec3 force, firn_vec3 torque, firn_vec3 gravity,
                             firn_real dt)
{
    const firn_vec3 a = firn_v3_madd(gravity, 1 / body->mass, force);
    body->velocity = firn_v3_madd(body->velocity, dt, a);
    firn_rigid_advance(body, dt);
    const firn_vec3 L_n = firn_rigid_angular_momentum(body);
    const firn_vec3 L = firn_v3_madd(L_n, dt, torque);
    // I^-1 I omega is omega but for rounding, which is the same in every step and would add up
    const firn_vec3 lost =
        firn_v3_sub(body->spin, firn_rigid_inverse_inertia(body, body->rotation, L_n));
    const firn_vec3 start = firn_rigid_inverse_inertia(body, body->rotation, L);
    const firn_quat half = firn_q_normalize(
        firn_q_mul(firn_q_from_vector(firn_v3_scale(start, dt / 2)), body->rotation));
    const firn_vec3 middle = firn_rigid_inverse_inertia(body, half, L);
    body->rotation =
        firn_q_normalize(firn_q_mul(firn_q_from_vector(firn_v3_scale(middle, dt)), body->rotation));
    body->spin = firn_v3_add(firn_rigid_inverse_inertia(body, body->rotation, L), lost);
}
