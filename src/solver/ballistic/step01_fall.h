// SPDX-License-Identifier: MIT
// Step 1 of 1: v <- v + dt g, then colliders, then x <- x + dt v. C and CUDA
// call the same function for one particle.
#pragma once
#include "geometry/collider/collider_sample.h"
#include "physics/contact.h"
#include "solver/shared/impulse.h"

typedef struct firn_loads firn_loads;  // solver/shared/loads.h

typedef struct firn_ballistic_fall_args {
    firn_local particle_count;
    firn_vec3 gravity;               // [m/s^2]
    firn_real dt;                    // [s]
    const firn_collider* colliders;  // posed
    firn_local collider_count;
    firn_shape_tables shapes;
    const firn_loads* loads;  // out: what colliders take; null on a device
    const firn_real* mass;
    firn_vec3* position;  // in and out
    firn_vec3* velocity;  // in and out
} firn_ballistic_fall_args;

// [s] `left` until the frame ends, in equal steps no longer than `dt`. scale: < 1 after a rollback.
FIRN_FN double firn_ballistic_dt(double dt, double scale, double left)
{
    const double steps = ceil(left / (dt * scale) - 1e-6);
    return steps <= 1 ? left : left / steps;
}

// What stats.csv sums up: momentum, kinetic and potential energy, particles.
#define FIRN_BALLISTIC_SUMS 6
// Adds a particle to the sums; returns |v|^2 [m^2/s^2].
FIRN_FN double firn_ballistic_add(double* sum, const double* gravity, double mass, firn_vec3 x,
                                  firn_vec3 v)
{
    const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
    const double u[3] = {(double)v.x, (double)v.y, (double)v.z};
    double speed2 = 0;
    for (int a = 0; a < 3; a++) {
        sum[a] += mass * u[a];
        sum[4] -= mass * gravity[a] * at[a];
        speed2 += u[a] * u[a];
    }
    sum[3] += 0.5 * mass * speed2;
    sum[5] += 1;
    return speed2;
}

// `taken`: [collider_count] sums of what they take.
FIRN_FN void firn_ballistic_fall_particle(const firn_ballistic_fall_args* a, firn_local p,
                                          firn_impulse* taken)
{
    firn_vec3 v = firn_v3_madd(a->velocity[p], a->dt, a->gravity);
    for (firn_local c = 0; c < a->collider_count; c++) {
        const firn_collider* body = &a->colliders[c];
        firn_vec3 n;
        if (body->removed) continue;
        if (firn_collider_sample_shared(body, &a->shapes, a->position[p], &n) > 0) continue;
        const firn_vec3 after = firn_contact_velocity(
            v, firn_collider_velocity(body, a->position[p]), n, body->friction, body->sticky);
        firn_impulse_take(&taken[c], firn_v3_sub(a->position[p], body->pose.position), a->mass[p],
                          v, after);
        v = after;
    }
    a->velocity[p] = v;
    a->position[p] = firn_v3_madd(a->position[p], a->dt, v);
}

void firn_ballistic_fall(const firn_ballistic_fall_args* args);
