// SPDX-License-Identifier: MIT
// Step 1 of 1: v <- v + dt g, then bodies, then x <- x + dt v.
#pragma once
#include "geometry/collider/collider.h"
#include "geometry/collider/collider_sample.h"
#include "physics/contact.h"

typedef struct firn_ballistic_fall_args {
    firn_local particle_count;
    firn_vec3 gravity;               // [m/s^2]
    firn_real dt;                    // [s]
    const firn_collider* colliders;  // posed
    firn_local collider_count;
    const firn_shapes* shapes;
    firn_vec3* position;  // in and out
    firn_vec3* velocity;  // in and out
    int threads;
} firn_ballistic_fall_args;

static inline void firn_ballistic_fall_particle(const firn_ballistic_fall_args* a, firn_local p)
{
    firn_vec3 v = firn_v3_madd(a->velocity[p], a->dt, a->gravity);
    for (firn_local c = 0; c < a->collider_count; c++) {
        firn_vec3 n;
        if (firn_collider_sample(&a->colliders[c], a->shapes, a->position[p], &n) > 0) continue;
        v = firn_contact_velocity(v, firn_collider_velocity(&a->colliders[c], a->position[p]), n,
                                  a->colliders[c].friction, a->colliders[c].sticky);
    }
    a->velocity[p] = v;
    a->position[p] = firn_v3_madd(a->position[p], a->dt, v);
}

void firn_ballistic_fall(const firn_ballistic_fall_args* args);
