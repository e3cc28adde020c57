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
    firn_local* of;       // owned [collider_count]: index in `all`; -1: kinematic in this step
    firn_lump_pin* pins;  // owned: what each of them rests on
    firn_local pin_count;
    firn_local capacity;
} firn_lumps;

void firn_lumps_destroy(firn_lumps* lumps);
// Begins a step, after firn_base_begin_bodies. FIRN_BROKEN_MEMORY.
firn_result firn_lumps_begin(firn_lumps* lumps, const firn_solver_base* base);
// Sets the velocities of colliders' poses to V.
void firn_lumps_pose(const firn_lumps* lumps, firn_collider* colliders);
