// SPDX-License-Identifier: MIT
// Step 5: collision of v_i^* with colliders. Stomakhin 2013, section 8 (support/collide_at.h).
// Nodes whose velocity a collider sets are marked, and projected out of the linear solve (all three
// components, also when they slide).
#pragma once
#include "solver/mpm/mpm_state.h"
#include "solver/mpm/support/collide_at.h"

typedef struct firn_mpm_grid_collide_args {
    const firn_sparse_grid* grid;
    const firn_collider* colliders;  // posed at t^n
    firn_local collider_count;
    firn_shape_tables shapes;
    const firn_loads* loads;         // out: what colliders take
    const firn_vec4* node_velocity;  // m_i in the fourth component
    firn_vec4* node_new;             // in and out: v_i^*; fourth: unused friction [m/s]
    uint8_t* node_fixed;             // out
} firn_mpm_grid_collide_args;
