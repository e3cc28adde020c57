// SPDX-License-Identifier: MIT
// Step 3, for fluids with surface tension, not in Algorithm 1: cohesion between their particles
// (physics/cohesion.h). Between two fluids it is the geometric mean of theirs; snow and colliders
// have none (colliders have `adhesion`).
#pragma once
#include "physics/cohesion.h"
#include "solver/sph/sph_state.h"

typedef struct firn_sph_cohesion_args {
    const firn_pair_list* pairs;
    const firn_sph_work* work;  // in: place (V); inout: v_star
    firn_sph_particles p;       // in: mass, material
    const firn_sph_material* materials;
    firn_real dt;  // [s]
} firn_sph_cohesion_args;
