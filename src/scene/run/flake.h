// SPDX-License-Identifier: MIT
// One flake of an emitter, for C and CUDA (flakes.h makes them): where it appears and how fast, a
// pure function of (seed, number).
#pragma once
#include "geometry/motion/motion_pose.h"
#include "math/box3.h"
#include "math/elementary.h"
#include "math/random.h"
#include "math/vec3.h"
#include "scene/run/flake_due.h"

// Rejection samples of the bounding box per flake. A shape that fills a thousandth of its box, the
// least that `firn check` accepts, rejects all of them with probability e^-65.
#define FIRN_FLAKE_TRIES 65536
// Random numbers of a flake: first its velocity, then positions.
#define FIRN_FLAKE_FIRST_POINT 8

// The seed of flake k's own random numbers.
FIRN_FN uint64_t firn_flake_seed(const firn_emitter* e, int64_t k)
{
    return firn_random_bits((uint64_t)e->seed, (uint64_t)k);
}

// Two independent standard normal variates (Box-Muller).
FIRN_FN void firn_flake_normals(uint64_t seed, uint64_t index, double out[2])
{
    const double u = 1 - firn_random_unit(seed, index);  // above 0
    const double turn = 6.283185307179586 * firn_random_unit(seed, index + 1);
    const double radius = sqrt(-2 * firn_log_double(u));
    double sine, cosine;
    firn_sincos_double(turn, &sine, &cosine);
    out[0] = radius * cosine;
    out[1] = radius * sine;
}

FIRN_FN firn_vec3 firn_flake_velocity(const firn_emitter* e, uint64_t flake)
{
    double n[4] = {0, 0, 0, 0};
    if (e->spread > 0) {
        firn_flake_normals(flake, 0, n);
        firn_flake_normals(flake, 2, n + 2);
    }
    return firn_v3((firn_real)(e->velocity[0] + e->spread * n[0]),
                   (firn_real)(e->velocity[1] + e->spread * n[1]),
                   (firn_real)(e->velocity[2] + e->spread * n[2]));
}

// The t-th point that is tried, uniformly distributed in the bounding box of the shape. The first
// one inside is where the flake appears; at most FIRN_FLAKE_TRIES.
FIRN_FN firn_vec3 firn_flake_point(const firn_box3* box, uint64_t flake, uint64_t t)
{
    const double low[3] = {(double)box->low.x, (double)box->low.y, (double)box->low.z};
    const double high[3] = {(double)box->high.x, (double)box->high.y, (double)box->high.z};
    double x[3];
    for (uint64_t d = 0; d < 3; d++)
        x[d] = low[d] +
               (high[d] - low[d]) * firn_random_unit(flake, FIRN_FLAKE_FIRST_POINT + 3 * t + d);
    return firn_v3((firn_real)x[0], (firn_real)x[1], (firn_real)x[2]);
}

// Whether a flake may appear where the distance from the shape's surface is phi [m].
FIRN_FN bool firn_flake_fits(const firn_emitter* e, firn_real phi)
{
    return phi <= 0 && !(e->depth > 0 && (double)phi < -e->depth);
}

// Its velocity v with the emitter's speed along the normal of the surface.
FIRN_FN firn_vec3 firn_flake_thrown(const firn_emitter* e, firn_vec3 v, firn_vec3 normal)
{
    return firn_v3_madd(v, (firn_real)e->speed, normal);
}

// A flake that is due at a time [s], of an emitter that moves with a collider: what the emitter
// says holds at t = 0, for a point x and a velocity v.
FIRN_FN void firn_flake_carry(const firn_motion* motion, double time, firn_vec3* x, firn_vec3* v)
{
    const firn_pose before = firn_motion_pose_at(motion, 0);
    const firn_pose now = firn_motion_pose_at(motion, time);
    *x = firn_pose_to_world(&now, firn_pose_to_body(&before, *x));
    *v = firn_m3_mul_v3(now.rotation, firn_m3_transposed_mul_v3(before.rotation, *v));
    *v = firn_v3_add(*v, firn_pose_velocity(&now, *x));
}

// Flake k has moved since it was due: where it is `now` [s].
FIRN_FN firn_vec3 firn_flake_moved(const firn_emitter* e, int64_t k, double now, firn_vec3 x,
                                   firn_vec3 v)
{
    return firn_v3_madd(x, (firn_real)(now - firn_flake_due_at(e, k)), v);
}
