// SPDX-License-Identifier: MIT
// The dynamic colliders of a step (lump.h).
#pragma once
#include "core/result.h"
#include "solver/shared/lump.h"

typedef struct firn_bodies firn_bodies;            // bodies/bodies.h
typedef struct firn_collider firn_collider;        // geometry/collider/collider.h
typedef struct firn_solver_base firn_solver_base;  // base.h

typedef struct firn_lumps {
    const firn_bodies* bodies;  // borrowed, of the step
    double dt;                  // [s] of the step
    firn_lump* all;             // owned [count]: dynamic colliders that the solver moves
    firn_local count;
    firn_local* of;  // owned [collider_count]: index in `all`; -1: kinematic in this step
    firn_local capacity;
} firn_lumps;

void firn_lumps_destroy(firn_lumps* lumps);
// Begins a step, after firn_base_begin_bodies. FIRN_BROKEN_MEMORY.
firn_result firn_lumps_begin(firn_lumps* lumps, const firn_solver_base* base);
// Adds what the collider rests on to the matrix A of its lump: where it would move into kinematic
// colliders at V, they resist like a large mass. `side`: null, or what is missing to momentum.
void firn_lumps_pin(const firn_lumps* lumps, const firn_lump* lump, double A[FIRN_LUMP_TERMS],
                    double side[6]);
// Sets `give`.
void firn_lumps_give(const firn_lumps* lumps, firn_lump* lump);
// Sets the velocities of colliders' poses to V.
void firn_lumps_pose(const firn_lumps* lumps, firn_collider* colliders);
