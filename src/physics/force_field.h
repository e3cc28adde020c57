// SPDX-License-Identifier: MIT
// Force fields: accelerations that a scene adds to gravity, at a position and a time. In double, so
// that float and double builds see the same field.
#pragma once
#include "math/time_keys.h"
#include "math/vec3.h"
#include "physics/eddies.h"

typedef enum firn_force_kind {
    FIRN_FORCE_UNIFORM,  // along `direction`
    FIRN_FORCE_POINT,    // towards `center`
    FIRN_FORCE_VORTEX,   // around the axis through `center` along `direction`, right-handed
    FIRN_FORCE_NOISE     // eddies (physics/eddies.h), RMS `strength` along each axis
} firn_force_kind;

typedef enum firn_force_falloff {
    FIRN_FORCE_CUT,     // 1 up to the radius, 0 beyond
    FIRN_FORCE_LINEAR,  // 1 - s, s = distance/radius
    FIRN_FORCE_SMOOTH,  // 1 - 3 s^2 + 2 s^3
    FIRN_FORCE_INVERSE  // 1/(1 + s^2): everywhere; half at the radius
} firn_force_falloff;

// A factor on the strength at a time.
typedef struct firn_force_key {
    double time, factor;
} firn_force_key;
#define FIRN_FORCE_KEYS_MAX 32

typedef struct firn_force {
    int32_t kind;         // firn_force_kind
    int32_t falloff;      // firn_force_falloff
    double strength;      // [m/s^2]
    double direction[3];  // unit length
    double center[3];     // [m]
    double radius;        // [m] of the falloff; 0: as strong everywhere
    double length;        // [m] of an eddy
    double period;        // [s] after which the pattern of eddies has changed
    int64_t seed;
    // Rows (FIRN_KEY_ROWS): a count, then room for as many as there may be.
    int32_t key_count;                         // 0: constant
    firn_force_key keys[FIRN_FORCE_KEYS_MAX];  // ascending in time
} firn_force;

// Share of the strength at a distance [m] of the center or, of a vortex, the axis.
FIRN_FN double firn_force_falloff_at(const firn_force* f, double distance)
{
    if (!(f->radius > 0)) return 1;
    const double s = distance / f->radius;
    if (f->falloff == FIRN_FORCE_INVERSE) return 1 / (1 + s * s);
    if (s >= 1) return 0;
    if (f->falloff == FIRN_FORCE_LINEAR) return 1 - s;
    return f->falloff == FIRN_FORCE_SMOOTH ? 1 - s * s * (3 - 2 * s) : 1;
}

FIRN_FN double firn_force_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Unit vector of the field, or RMS 1 for noise; d: from the center. Returns the distance that the
// falloff goes by [m].
FIRN_FN double firn_force_shape(const firn_force* f, const double d[3], const double x[3],
                                double time, double out[3])
{
    const double* n = f->direction;
    double distance = sqrt(firn_force_dot(d, d));
    out[0] = out[1] = out[2] = 0;
    if (f->kind == FIRN_FORCE_UNIFORM) {
        for (int a = 0; a < 3; a++) out[a] = n[a];
    } else if (f->kind == FIRN_FORCE_POINT) {
        for (int a = 0; a < 3 && distance > 0; a++) out[a] = -d[a] / distance;
    } else if (f->kind == FIRN_FORCE_VORTEX) {
        const double turn[3] = {n[1] * d[2] - n[2] * d[1], n[2] * d[0] - n[0] * d[2],
                                n[0] * d[1] - n[1] * d[0]};
        distance = sqrt(firn_force_dot(turn, turn));  // of the axis
        for (int a = 0; a < 3 && distance > 0; a++) out[a] = turn[a] / distance;
    } else {
        const double at[3] = {x[0] / f->length, x[1] / f->length, x[2] / f->length};
        firn_eddies((uint64_t)f->seed, f->period, at, time, out);
    }
    return distance;
}

// Adds the acceleration [m/s^2] at x [m] and time [s].
FIRN_FN void firn_force_add(const firn_force* f, const double x[3], double time, double sum[3])
{
    const double d[3] = {x[0] - f->center[0], x[1] - f->center[1], x[2] - f->center[2]};
    double a = f->strength, shape[3];
    if (f->key_count > 0) a *= firn_time_keys_at(&f->keys[0].time, 2, f->key_count, 1, time);
    if (a == 0) return;
    a *= firn_force_falloff_at(f, firn_force_shape(f, d, x, time, shape));
    for (int k = 0; k < 3; k++) sum[k] += a * shape[k];
}

// [m/s^2] of all fields at x [m] and time [s].
FIRN_FN firn_vec3 firn_forces_at(const firn_force* forces, int32_t count, firn_vec3 x, double time)
{
    const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
    double sum[3] = {0, 0, 0};
    for (int32_t k = 0; k < count; k++) firn_force_add(&forces[k], at, time, sum);
    return firn_v3((firn_real)sum[0], (firn_real)sum[1], (firn_real)sum[2]);
}
