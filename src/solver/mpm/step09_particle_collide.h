// SPDX-License-Identifier: MIT
// Step 9: collision of v_p^{n+1}, because interpolated velocities differ a little from the grid's.
// Stomakhin 2013, section 8. The response is that of step 5. Then grip holds what slips slowly.
#pragma once
#include "solver/mpm/step05_grid_collide.h"

typedef struct firn_mpm_particle_collide_args {
    firn_local particle_count;
    const firn_vec3* position;       // x_p^n
    const firn_collider* colliders;  // posed at t^n
    firn_local collider_count;
    firn_shape_tables shapes;
    firn_vec3* velocity;  // in and out: v_p^{n+1}
    firn_mpm_hold hold;   // grip: in and out
    firn_real cell;       // h
    int threads;
} firn_mpm_particle_collide_args;

// Velocity of particle p at x: v after contact and grip. `near_body`: a collider may be there.
FIRN_FN firn_vec3 firn_mpm_collide_particle(const firn_collider* colliders, firn_local count,
                                            const firn_shape_tables* shapes,
                                            const firn_mpm_hold* hold, firn_real h, bool near_body,
                                            firn_local p, firn_vec3 x, firn_vec3 v)
{
    if (near_body) v = firn_mpm_collide_at(colliders, count, shapes, x, v).velocity;
    return hold->grip != NULL ? firn_mpm_hold_at(colliders, count, shapes, x, v, h, hold, p) : v;
}
