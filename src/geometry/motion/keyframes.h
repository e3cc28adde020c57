// SPDX-License-Identifier: MIT
// Poses between key frames, with velocities that are the exact derivatives.
//
// In the segment from key k to key k+1, of length T and with s = (t - t_k)/T:
//   position  p(t) = cubic Hermite of p_k, p_k+1 and the velocities at the keys
//   rotation  R(t) = exp(w(t)) R_k,  w from 0 to w_k = log(R_k+1 R_k^-1), the short way round
// Linear: w(t) = s w_k, the spin is w_k / T. Smooth: w(t) is a cubic Hermite too, whose rates at
// the ends are those that give the spins W_k and W_k+1 at the keys: w'(t_k) = W_k as J(0) = 1, and
// w'(t_k+1) = J(w_k)^-1 W_k+1; then spin(t) = J(w) w' is continuous over the keys.
// Velocity and spin at an inner key are the means of those of the two segments next to it, each
// weighted with the length of the other (Catmull-Rom for uneven times); at the first and last key
// they are 0, because the body rests outside.
// The scale is interpolated like the position, but its rates at the keys are limited so that it
// stays between the scales of the two keys (Fritsch and Carlson 1980: at most three times the slope
// of either segment, 0 where those have different signs): a curve that overshoots could pass zero.
// For C and CUDA; in double, so that both machines give the same bits.
#pragma once
#include "geometry/motion/motion.h"
#include "geometry/motion/rotation_vector.h"

// A pose before it is rounded to firn_real.
typedef struct firn_dpose {
    firn_dvec3 position;  // [m]
    firn_dquat rotation;
    firn_dvec3 velocity;  // [m/s]
    firn_dvec3 spin;      // [rad/s]
    double scale;         // s
    double growth;        // s'/s [1/s]
} firn_dpose;

// In double, normalised; identity for zero.
FIRN_FN firn_dquat firn_dq_from(firn_quat q)
{
    firn_dquat d = {{(double)q.w, (double)q.x, (double)q.y, (double)q.z}};
    const double n = sqrt(d.q[0] * d.q[0] + d.q[1] * d.q[1] + d.q[2] * d.q[2] + d.q[3] * d.q[3]);
    if (!(n > 1e-30)) return FIRN_LIT(firn_dquat){{1, 0, 0, 0}};
    for (int i = 0; i < 4; i++) d.q[i] /= n;
    return d;
}

FIRN_FN firn_dvec3 firn_key_position(const firn_keyframe* key)
{
    return firn_dv3((double)key->position.x, (double)key->position.y, (double)key->position.z);
}

// A segment: its length in time, the steps of position and scale and the rotation vector across it.
typedef struct firn_key_segment {
    double length, widening;
    firn_dvec3 step, turn;
} firn_key_segment;

FIRN_FN firn_key_segment firn_key_segment_at(const firn_motion* m, firn_local k)
{
    const firn_keyframe *a = &m->keys[k], *b = &m->keys[k + 1];
    return FIRN_LIT(firn_key_segment){
        b->time - a->time, (double)b->scale - (double)a->scale,
        firn_dv3_madd(firn_key_position(b), -1, firn_key_position(a)),
        firn_rotation_log(
            firn_dq_mul(firn_dq_from(b->rotation), firn_dq_conjugate(firn_dq_from(a->rotation))))};
}

// What moves at a key.
typedef struct firn_key_rates {
    firn_dvec3 velocity, spin;
    double widening;  // s' [1/s]
} firn_key_rates;

FIRN_FN double firn_key_limit_widening(double rate, double slope_a, double slope_b)
{
    if (!(slope_a * slope_b > 0)) return 0;
    const double most = 3 * fmin(fabs(slope_a), fabs(slope_b));
    return fabs(rate) <= most ? rate : copysign(most, rate);
}

// At key k in smooth interpolation.
FIRN_FN firn_key_rates firn_key_rates_at(const firn_motion* m, firn_local k)
{
    const firn_dvec3 zero = firn_dv3(0, 0, 0);
    if (k == 0 || k == m->key_count - 1) return FIRN_LIT(firn_key_rates){zero, zero, 0};
    const firn_key_segment a = firn_key_segment_at(m, k - 1), b = firn_key_segment_at(m, k);
    const double both = a.length + b.length;
    const double per_a = b.length / (both * a.length), per_b = a.length / (both * b.length);
    const double widening = per_a * a.widening + per_b * b.widening;
    return FIRN_LIT(firn_key_rates){
        firn_dv3_madd(firn_dv3_madd(zero, per_a, a.step), per_b, b.step),
        firn_dv3_madd(firn_dv3_madd(zero, per_a, a.turn), per_b, b.turn),
        firn_key_limit_widening(widening, a.widening / a.length, b.widening / b.length),
    };
}

// Cubic from 0 to `step` over the time T with rates r0 and r1 at the ends: value and rate at s.
FIRN_FN void firn_key_hermite(firn_dvec3 step, firn_dvec3 r0, firn_dvec3 r1, double T, double s,
                              firn_dvec3* out_value, firn_dvec3* out_rate)
{
    const double s2 = s * s;
    const double h0 = s * (1 - s) * (1 - s) * T, h1 = s2 * (s - 1) * T, h = s2 * (3 - 2 * s);
    const double d0 = (1 - s) * (1 - 3 * s), d1 = s * (3 * s - 2), d = 6 * s * (1 - s) / T;
    for (int i = 0; i < 3; i++) {
        out_value->v[i] = h * step.v[i] + h0 * r0.v[i] + h1 * r1.v[i];
        out_rate->v[i] = d * step.v[i] + d0 * r0.v[i] + d1 * r1.v[i];
    }
}

// The key before `time`; the caller knows that it is in the range of the keys.
FIRN_FN firn_local firn_key_find(const firn_motion* m, double time)
{
    firn_local low = 0, high = m->key_count - 1;
    while (high - low > 1) {
        const firn_local middle = low + (high - low) / 2;
        if (m->keys[middle].time <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// `motion` has at least one key.
FIRN_FN firn_dpose firn_keyframes_pose(const firn_motion* m, double time)
{
    const firn_keyframe *first = &m->keys[0], *last = &m->keys[m->key_count - 1];
    firn_dpose pose;
    pose.velocity = firn_dv3(0, 0, 0);
    pose.spin = firn_dv3(0, 0, 0);
    pose.growth = 0;
    if (!(time >= first->time && time < last->time)) {  // rests
        const firn_keyframe* key = time >= last->time ? last : first;
        pose.position = firn_key_position(key);
        pose.rotation = firn_dq_from(key->rotation);
        pose.scale = (double)key->scale;
        return pose;
    }
    const firn_local k = firn_key_find(m, time);
    const firn_key_segment now = firn_key_segment_at(m, k);
    const double s = (time - m->keys[k].time) / now.length;
    const firn_dvec3 zero = firn_dv3(0, 0, 0);
    firn_dvec3 moved, turned, turn_rate, widened, widening;
    if (m->interpolation == FIRN_INTERPOLATE_LINEAR) {
        moved = firn_dv3_madd(zero, s, now.step);
        turned = firn_dv3_madd(zero, s, now.turn);
        turn_rate = firn_dv3_madd(zero, 1 / now.length, now.turn);
        pose.velocity = firn_dv3_madd(zero, 1 / now.length, now.step);
        widened = firn_dv3(s * now.widening, 0, 0);
        widening = firn_dv3(now.widening / now.length, 0, 0);
    } else {
        const firn_key_rates r0 = firn_key_rates_at(m, k), r1 = firn_key_rates_at(m, k + 1);
        firn_key_hermite(now.step, r0.velocity, r1.velocity, now.length, s, &moved, &pose.velocity);
        firn_key_hermite(now.turn, r0.spin, firn_rotation_rate_inverse(now.turn, r1.spin),
                         now.length, s, &turned, &turn_rate);
        firn_key_hermite(firn_dv3(now.widening, 0, 0), firn_dv3(r0.widening, 0, 0),
                         firn_dv3(r1.widening, 0, 0), now.length, s, &widened, &widening);
    }
    pose.position = firn_dv3_madd(firn_key_position(&m->keys[k]), 1, moved);
    pose.rotation = firn_dq_mul(firn_rotation_exp(turned), firn_dq_from(m->keys[k].rotation));
    pose.spin = firn_rotation_rate(turned, turn_rate);
    pose.scale = (double)m->keys[k].scale + widened.v[0];
    pose.growth = widening.v[0] / pose.scale;
    return pose;
}
