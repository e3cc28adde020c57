// SPDX-License-Identifier: MIT
// One joint, by impulses. For C and CUDA; the loops are in bodies_step.c. Errors of positions are
// corrected as those of contacts (contact_solve.h): softly, and without leaving velocity behind.
// Points are 3x3 blocks, solved exactly; so are the angles of a fixed joint and of a hinge.
#pragma once
#include "bodies/contact_solve.h"

FIRN_FN firn_mat3 firn_mover_point_k(const firn_mover* m, firn_vec3 r)
{
    return firn_m3_from_columns(firn_mover_response(m, r, firn_v3(1, 0, 0)),
                                firn_mover_response(m, r, firn_v3(0, 1, 0)),
                                firn_mover_response(m, r, firn_v3(0, 0, 1)));
}

FIRN_FN firn_vec3 firn_joint_spin(const firn_joint_state* j, const firn_mover* a,
                                  const firn_mover* b)
{
    return firn_v3_sub(a->spin, b->inverse_mass == 0 ? j->spin_b : b->spin);
}

FIRN_FN firn_vec3 firn_joint_velocity(const firn_joint_state* j, const firn_mover* a,
                                      const firn_mover* b)
{
    const firn_vec3 v_b = b->inverse_mass == 0 ? j->velocity_b : firn_mover_velocity(b, j->r_b);
    return firn_v3_sub(firn_mover_velocity(a, j->r_a), v_b);
}

FIRN_FN void firn_joint_apply(firn_joint_state* j, firn_mover* a, firn_mover* b, firn_vec3 impulse)
{
    firn_mover_push(a, j->r_a, impulse, 1);
    firn_mover_push(b, j->r_b, impulse, -1);
}

FIRN_FN void firn_joint_turn(firn_mover* a, firn_mover* b, firn_vec3 angular)
{
    a->spin = firn_v3_add(a->spin, firn_m3_mul_v3(a->inverse, angular));
    b->spin = firn_v3_sub(b->spin, firn_m3_mul_v3(b->inverse, angular));
}

// The 3x3 matrix without what lies along unit vector n, and regular all the same.
FIRN_FN firn_mat3 firn_joint_across(firn_mat3 k, firn_vec3 n)
{
    const firn_mat3 nn = firn_m3_outer(n, n);
    const firn_mat3 p = firn_m3_sub(firn_m3_identity(), nn);
    return firn_m3_madd(firn_m3_mul(p, firn_m3_mul(k, p)), firn_m3_trace(k), nn);
}

// Angle of a hinge, near the one before: it does not jump at half a turn.
FIRN_FN firn_real firn_joint_angle(firn_quat error, firn_vec3 axis, firn_real before)
{
    const double two_pi = 6.283185307179586;
    const double s = (double)(error.x * axis.x + error.y * axis.y + error.z * axis.z);
    const double angle = 2 * firn_atan2_double(s, (double)error.w);
    const double turns = ((double)before - angle) / two_pi;
    const double whole = (double)(int64_t)(turns + (turns < 0 ? -0.5 : 0.5));
    return (firn_real)(angle + whole * two_pi);
}

FIRN_FN void firn_joint_place_angles(firn_joint_state* j, const firn_mover* a, const firn_mover* b,
                                     firn_quat rotation_a)
{
    // rotation of a relative to b since the start, world axes
    const firn_quat error =
        firn_q_mul(firn_q_mul(rotation_a, j->relative), firn_q_conjugate(j->turned_b));
    const firn_mat3 k = firn_m3_add(a->inverse, b->inverse);
    if (j->def.kind == FIRN_JOINT_FIXED) {
        const firn_real twice = error.w < 0 ? -2 : 2;
        j->twist = firn_v3_scale(firn_v3(error.x, error.y, error.z), twice);
        j->angular_k = firn_m3_inverse(k);
        return;
    }
    j->axis = firn_q_rotate(rotation_a, j->axis_a);
    j->twist = firn_v3_cross(firn_q_rotate(j->turned_b, j->axis_b), j->axis);
    j->angular_k = firn_m3_inverse(firn_joint_across(k, j->axis));
    j->angle = firn_joint_angle(error, j->axis, j->angle);
}

// At the start of a substep, `elapsed` after that of the step.
FIRN_FN void firn_joint_place(firn_joint_state* j, const firn_mover* a, const firn_mover* b,
                              firn_quat rotation_a, firn_quat rotation_b, firn_real elapsed)
{
    const bool held = b->inverse_mass == 0;
    j->turned_b =
        held ? firn_q_mul(firn_q_from_vector(firn_v3_scale(j->spin_b, elapsed)), j->start_b)
             : rotation_b;
    const firn_vec3 p_a = firn_v3_add(a->position, firn_q_rotate(rotation_a, j->own_a));
    const firn_vec3 p_b = held ? firn_v3_madd(j->x_b, elapsed, j->velocity_b)
                               : firn_v3_add(b->position, firn_q_rotate(rotation_b, j->own_b));
    j->gap = firn_v3_sub(p_a, p_b);
    if (firn_joint_is_line(j->def.kind)) {
        j->r_a = firn_v3_sub(p_a, a->position);
        j->r_b = firn_v3_sub(p_b, b->position);
        j->distance = firn_v3_length(j->gap);
        j->line = firn_v3_normalize(j->gap, j->line);
        return;
    }
    const firn_vec3 middle = firn_v3_madd(p_b, (firn_real)0.5, j->gap);
    j->r_a = firn_v3_sub(middle, a->position);
    j->r_b = firn_v3_sub(middle, b->position);
    j->point_k =
        firn_m3_inverse(firn_m3_add(firn_mover_point_k(a, j->r_a), firn_mover_point_k(b, j->r_b)));
    if (j->def.kind != FIRN_JOINT_BALL) firn_joint_place_angles(j, a, b, rotation_a);
}

FIRN_FN void firn_joint_warm(firn_joint_state* j, firn_mover* a, firn_mover* b)
{
    if (firn_joint_is_line(j->def.kind)) {
        firn_joint_apply(j, a, b, firn_v3_scale(j->line, j->by.linear.x));
        return;
    }
    firn_joint_apply(j, a, b, j->by.linear);
    if (j->def.kind == FIRN_JOINT_BALL) return;
    firn_joint_turn(a, b, firn_v3_madd(j->by.angular, j->by.low - j->by.high, j->axis));
}

// A spring of stiffness k and damping c, implicit in the substep: softness 1 / (h (c + h k)).
FIRN_FN void firn_joint_stretch(firn_joint_state* j, firn_mover* a, firn_mover* b, firn_real h)
{
    const firn_real k = j->def.stiffness, sum = h * (j->def.damping + h * k);
    if (!(sum > 0)) return;
    const firn_vec3 response = firn_v3_add(firn_mover_response(a, j->r_a, j->line),
                                           firn_mover_response(b, j->r_b, j->line));
    const firn_real soft = 1 / sum, bias = (j->distance - j->length) * h * k * soft;
    const firn_real mass = 1 / (firn_v3_dot(response, j->line) + soft);
    const firn_real v = firn_v3_dot(firn_joint_velocity(j, a, b), j->line);
    const firn_real change = -mass * (v + bias + soft * j->by.linear.x);
    j->by.linear.x += change;
    firn_joint_apply(j, a, b, firn_v3_scale(j->line, change));
}

// Rope and rod.
FIRN_FN void firn_joint_pull(firn_joint_state* j, firn_mover* a, firn_mover* b,
                             const firn_soft* soft, firn_real h)
{
    const firn_vec3 response = firn_v3_add(firn_mover_response(a, j->r_a, j->line),
                                           firn_mover_response(b, j->r_b, j->line));
    const firn_real error = j->distance - j->length;
    const bool slack = j->def.kind == FIRN_JOINT_ROPE && error < 0;
    firn_real bias = 0, mass = 1, impulse = 0;
    if (slack) {
        bias = error / h;
    } else if (soft != NULL) {
        bias = soft->rate * error;
        mass = soft->mass;
        impulse = soft->impulse;
    }
    const firn_real v = firn_v3_dot(firn_joint_velocity(j, a, b), j->line);
    firn_real now = j->by.linear.x - mass * (v + bias) / firn_v3_dot(response, j->line) -
                    impulse * j->by.linear.x;
    if (j->def.kind == FIRN_JOINT_ROPE) now = firn_min(now, 0);
    firn_joint_apply(j, a, b, firn_v3_scale(j->line, now - j->by.linear.x));
    j->by.linear.x = now;
}

// One side of the limits of a hinge: room [rad] to it, impulse so far; sign: of the torque on a.
FIRN_FN firn_real firn_joint_stop(firn_joint_state* j, firn_mover* a, firn_mover* b,
                                  const firn_soft* soft, firn_real h, firn_real room,
                                  firn_real so_far, firn_real sign)
{
    const firn_real k =
        firn_v3_dot(j->axis, firn_m3_mul_v3(firn_m3_add(a->inverse, b->inverse), j->axis));
    firn_real bias = 0, mass = 1, impulse = 0;
    if (room > 0) {
        bias = room / h;
    } else if (soft != NULL) {
        bias = soft->rate * room;
        mass = soft->mass;
        impulse = soft->impulse;
    }
    const firn_real v = sign * firn_v3_dot(firn_joint_spin(j, a, b), j->axis);
    const firn_real now = firn_max(so_far - mass * (v + bias) / k - impulse * so_far, 0);
    firn_joint_turn(a, b, firn_v3_scale(j->axis, sign * (now - so_far)));
    return now;
}

FIRN_FN void firn_joint_solve_angles(firn_joint_state* j, firn_mover* a, firn_mover* b,
                                     const firn_soft* soft, firn_real h)
{
    const bool hinge = j->def.kind == FIRN_JOINT_HINGE;
    if (hinge && firn_is_finite(j->def.angle_low))
        j->by.low = firn_joint_stop(j, a, b, soft, h, j->angle - j->def.angle_low, j->by.low, 1);
    if (hinge && firn_is_finite(j->def.angle_high))
        j->by.high =
            firn_joint_stop(j, a, b, soft, h, j->def.angle_high - j->angle, j->by.high, -1);
    firn_vec3 wrong = firn_joint_spin(j, a, b);
    if (soft != NULL) wrong = firn_v3_madd(wrong, soft->rate, j->twist);
    if (hinge) wrong = firn_v3_madd(wrong, -firn_v3_dot(wrong, j->axis), j->axis);
    const firn_real mass = soft != NULL ? soft->mass : 1,
                    impulse = soft != NULL ? soft->impulse : 0;
    const firn_vec3 change = firn_v3_madd(firn_v3_scale(firn_m3_mul_v3(j->angular_k, wrong), -mass),
                                          -impulse, j->by.angular);
    firn_joint_turn(a, b, change);
    j->by.angular = firn_v3_add(j->by.angular, change);
}

// One joint of a sweep in a substep of h. `soft` null: hard, velocities only.
FIRN_FN void firn_joint_solve(firn_joint_state* j, firn_mover* a, firn_mover* b,
                              const firn_soft* soft, firn_real h)
{
    if (j->def.kind == FIRN_JOINT_SPRING) {
        firn_joint_stretch(j, a, b, h);
        return;
    }
    if (firn_joint_is_line(j->def.kind)) {
        firn_joint_pull(j, a, b, soft, h);
        return;
    }
    if (j->def.kind != FIRN_JOINT_BALL) firn_joint_solve_angles(j, a, b, soft, h);
    firn_vec3 wrong = firn_joint_velocity(j, a, b);
    if (soft != NULL) wrong = firn_v3_madd(wrong, soft->rate, j->gap);
    const firn_real mass = soft != NULL ? soft->mass : 1,
                    impulse = soft != NULL ? soft->impulse : 0;
    const firn_vec3 change = firn_v3_madd(firn_v3_scale(firn_m3_mul_v3(j->point_k, wrong), -mass),
                                          -impulse, j->by.linear);
    firn_joint_apply(j, a, b, change);
    j->by.linear = firn_v3_add(j->by.linear, change);
}
