// SPDX-License-Identifier: MIT
// Step 4: friction at colliders as a viscosity, implicit and solved particle by particle: only its
// own velocity is unknown. Gissler 2020, Algorithm 1 line 5, eq. 24-25 with Morris's Laplacian:
//   v' = (v + dt nu_b sum_b K_b v_b) / (1 + dt nu_b sum_b K_b),
//   K_b = V_b |x_ib . grad W_ib| / (r^2 + 0.01 h^2)
// VALIDATION T38, erratum 22: x_ib . grad W_ib < 0, so the paper's minus signs are right. The sums
// over b, nu_b inside, are `drag` and `drag_velocity` of a firn_sph_contact_sums. Writes v*.
// What the solves do after it friction does not see, and the snow above pulls its lowest layer on:
// `contact: implicit` applies here only the part along the normal, which the pressure must be able
// to undo; the part along the surface is in the matrix of step 6 (step06_friction.h).
#pragma once
#include "math/vec3.h"
#include "solver/sph/sph_state.h"

typedef struct firn_sph_friction_args {
    firn_sph_contact_sums* contact;  // in: drag, drag_velocity, gradient; out: braked
    firn_local contact_count;
    firn_real dt;       // [s]
    firn_vec4* v_star;  // in and out
    bool paper;         // all of the velocity; else its part along the normal
} firn_sph_friction_args;
