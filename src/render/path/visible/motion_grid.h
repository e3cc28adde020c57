// SPDX-License-Identifier: MIT
// Velocity of particles as a field: momentum over mass on the nodes of a sparse grid, with linear
// weights. Equal velocities come out as they are.
#pragma once
#include "core/result.h"
#include "math/vec3.h"

typedef struct firn_motion_node {
    int32_t at[3];
    float mass;         // 0: an empty slot
    float momentum[3];  // [kg m/s]
} firn_motion_node;

typedef struct firn_motion_grid {
    double cell;              // [m]
    firn_motion_node* nodes;  // owned: hash table with open addressing
    size_t size, used;        // slots: a power of two
} firn_motion_grid;

// `v` null: nothing moves. `mass` null: equal.
firn_result firn_motion_grid_create(firn_motion_grid* grid, const firn_vec3* x, const firn_vec3* v,
                                    const firn_real* mass, firn_local count, double cell,
                                    firn_error* error);
void firn_motion_grid_destroy(firn_motion_grid* grid);
// 0 where no particle is near.
firn_vec3 firn_motion_grid_at(const firn_motion_grid* grid, firn_vec3 x);
