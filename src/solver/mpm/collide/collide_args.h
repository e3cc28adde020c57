// SPDX-License-Identifier: MIT
// Arguments of step 5 (step05_grid_collide.h), which those of contacts with dynamic colliders
// extend (rigid/mpm_contacts.h).
#pragma once
#include "core/simd/vec4.h"
#include "geometry/sdf/evaluate.h"
#include "solver/shared/loads.h"
#include "state/sparse_grid.h"

typedef struct firn_mpm_grid_collide_args {
    const firn_sparse_grid* grid;
    const firn_collider* colliders;  // posed at t^n
    firn_local collider_count;
    bool at_surface;  // contact: surface
    firn_shape_tables shapes;
    const firn_loads* loads;          // out: what colliders take
    const uint8_t* foreign;           // [blocks] 1: another rank reports these; null: none
    const firn_loads* foreign_loads;  // out: what they take in these
    const firn_vec4* node_velocity;   // m_i in the fourth component
    firn_vec4* node_new;              // in and out: v_i^*; fourth: unused friction [m/s]
    uint8_t* node_fixed;              // out
} firn_mpm_grid_collide_args;
