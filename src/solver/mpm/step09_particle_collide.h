// SPDX-License-Identifier: MIT
// Step 9: collision of v_p^{n+1}, because interpolated velocities differ a little from the grid's.
// Stomakhin 2013, section 8. The response is that of step 5.
#pragma once
#include "solver/mpm/step05_grid_collide.h"

typedef struct firn_mpm_particle_collide_args {
    firn_local particle_count;
    const firn_vec3* position;       // x_p^n
    const firn_collider* colliders;  // posed at t^n
    firn_local collider_count;
    firn_shape_tables shapes;
    firn_vec3* velocity;  // in and out: v_p^{n+1}
    int threads;
} firn_mpm_particle_collide_args;
