// SPDX-License-Identifier: MIT
// Step 3: accelerations known before the solves: gravity, adhesion to colliders, drag of the air.
// Gissler 2020, Algorithm 1 line 4. The result is v^t + dt a^other. Drag is Schiller and Naumann's
// (physics/drag.h) instead of Gissler et al. 2017 as in the paper: theory/sph.md says why.
#pragma once
#include "math/vec3.h"
#include "solver/sph/sph_state.h"

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

typedef struct firn_sph_other_accelerations_args {
    const firn_scene_data* scene;  // wind
    firn_sph_particles p;          // in: position velocity mass material
    const int32_t* neighbours;     // [count] in the snow: how much of a particle is open to the air
    const firn_sph_contact_sums* contact;  // in: adhesion
    firn_local contact_count;
    firn_vec3 gravity;  // [m/s^2]
    double time;        // [s]
    firn_real dt;       // [s]
    firn_vec4* v_star;  // out: v^t + dt a^other [m/s]
} firn_sph_other_accelerations_args;

// Compiled once, for the baseline, as the wind is.
void firn_sph_other_accelerations(const firn_sph_other_accelerations_args* args);
