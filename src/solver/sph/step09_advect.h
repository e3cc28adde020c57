// SPDX-License-Identifier: MIT
// Step 9: x^{t+dt} = x + dt v^{t+dt}. Gissler 2020, Algorithm 1 line 13. In addition:
// boundary particles are one layer and push with the snow's own stiffness, so that a fast or
// isolated flake can pass them; one whose centre would be inside a collider is moved to its surface
// and loses the normal part of its relative velocity into it.
#pragma once
#include "solver/sph/sph_state.h"

typedef struct firn_collider firn_collider;  // geometry/collider/collider.h
typedef struct firn_lumps firn_lumps;        // solver/shared/lumps.h
typedef struct firn_shapes firn_shapes;      // geometry/sdf/shape.h

typedef struct firn_sph_advect_args {
    firn_local count;
    const firn_sph_contact_sums* contact;  // particles near a collider
    firn_local contact_count;
    const firn_collider* colliders;  // posed for the start of the step
    firn_local collider_count;
    const firn_shapes* shapes;
    const firn_loads* loads;  // out: what colliders take
    const firn_real* mass;
    firn_real dt;
    firn_real h;
    const firn_lumps* lumps;  // dynamic colliders
    firn_vec3* position;      // in and out
    firn_vec3* velocity;      // in and out
    firn_local* out_bad;  // first particle that is not finite or crosses more than two spacings;
                          // count: none
} firn_sph_advect_args;

// Compiled once, for the baseline, as collider geometry is.
void firn_sph_advect(const firn_sph_advect_args* args);
