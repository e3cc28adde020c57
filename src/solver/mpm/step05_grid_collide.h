// SPDX-License-Identifier: MIT
// Step 5: bodies act on v_i^*. Stomakhin 2013, section 8. Nodes whose velocity a body has decided
// are marked, and projected out of the linear solve (all three components, also when they slide).
#pragma once
#include "physics/contact.h"
#include "shape/collider_sample.h"
#include "solver/mpm/mpm_state.h"

typedef struct firn_mpm_grid_collide_args {
    const firn_sparse_grid* grid;
    const firn_collider* colliders;  // posed at t^n
    firn_local collider_count;
    firn_shape_tables shapes;
    const firn_real4* node_velocity;  // m_i in the fourth lane
    firn_real4* node_new;             // in and out: v_i^*
    uint8_t* node_fixed;              // out
    int threads;
} firn_mpm_grid_collide_args;

// Velocity v at x after all bodies, in their order; *out_touched: one of them changed or held it.
FIRN_FN firn_vec3 firn_mpm_collide_at(const firn_collider* colliders, firn_local count,
                                      const firn_shape_tables* shapes, firn_vec3 x, firn_vec3 v,
                                      bool* out_touched)
{
    *out_touched = false;
    for (firn_local c = 0; c < count; c++) {
        const firn_collider* body = &colliders[c];
        if (firn_collider_misses(body, x)) continue;
        if (firn_collider_distance_shared(body, shapes, x) > 0) continue;
        firn_vec3 n;
        firn_collider_sample_shared(body, shapes, x, &n);
        const firn_vec3 v_co = firn_collider_velocity(body, x);
        const bool approaching = firn_v3_dot(firn_v3_sub(v, v_co), n) < 0;
        v = firn_contact_velocity(v, v_co, n, body->friction, body->sticky);
        *out_touched = *out_touched || approaching || body->sticky;
    }
    return v;
}
