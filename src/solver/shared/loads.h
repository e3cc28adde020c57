// SPDX-License-Identifier: MIT
// Loads on colliders: each worker of the team adds up what colliders take from the snow, and the
// sums of all workers become the loads of the step (firn_collider_load).
//
//     worker 0   | collider 0 | collider 1 | ... | shared | gap
//     worker 1   | collider 0 | collider 1 | ... | shared | gap    integers: any order will do
//
// `shared` is what the snow lost to all colliders together, about the origin of the world: the
// residual of a linear solve. Without colliders a solve keeps the momentum of the snow whatever its
// residual is; with them, its error is an error of their reaction. Each collider gets a part of it
// in proportion to its weight, the mass of the snow that it holds.
#pragma once
#include "core/result.h"

#define FIRN_LOADS_MORE 3  // impulses of a worker beside those of colliders

typedef struct firn_collider firn_collider;            // geometry/collider/collider.h
typedef struct firn_collider_load firn_collider_load;  // solver/collider_load.h
typedef struct firn_impulse firn_impulse;              // impulse.h
typedef struct firn_shapes firn_shapes;                // geometry/sdf/shape.h

typedef struct firn_loads {
    firn_impulse* sums;        // owned [workers][count + FIRN_LOADS_MORE]
    firn_collider_load* last;  // owned [count]: of the last step
    firn_vec3* center;         // owned [count]: what torques are about, in the shape's coordinates
    firn_local count;          // colliders
    int workers;               // of the team that the loads were created with
} firn_loads;

// FIRN_BROKEN_MEMORY: `out_loads` is zeroed.
firn_result firn_loads_create(const firn_collider* colliders, firn_local count,
                              const firn_shapes* shapes, firn_loads* out_loads);
void firn_loads_destroy(firn_loads* loads);
// The same loads with one collider more, whose last load is zero, as a copy. FIRN_BROKEN_MEMORY:
// `out_more` is zeroed.
firn_result firn_loads_grown(const firn_loads* loads, const firn_collider* collider,
                             const firn_shapes* shapes, firn_loads* out_more);
// Begins a step.
void firn_loads_clear(firn_loads* loads);
// The sums of the worker that runs the calling part: [count] of the colliders, then `shared`.
firn_impulse* firn_loads_mine(const firn_loads* loads);
// Ends a step on a device that began at `time`: sets the loads from sums over all workers, [count +
// 1], with angular impulses about the positions of colliders then. Poses the colliders.
void firn_loads_take(firn_loads* loads, const firn_impulse* sums, firn_collider* colliders,
                     double time);
// The load of collider c by what workers have added so far in this step.
firn_collider_load firn_loads_so_far(const firn_loads* loads, const firn_collider* colliders,
                                     firn_local c);
// Ends a step: sets the loads from the sums of the workers, with angular impulses about the
// positions of the colliders' poses, which are those of the start of the step.
void firn_loads_end(firn_loads* loads, const firn_collider* colliders);
