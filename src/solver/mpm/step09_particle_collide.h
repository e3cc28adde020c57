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
    const firn_loads* loads;    // out: what colliders take
    const firn_real* mass;      // m_p
    firn_vec3* velocity;        // in and out: v_p^{n+1}
    firn_mpm_hold hold;         // grip: in and out
    firn_real cell;             // h
    const firn_lump* lumps;     // dynamic colliders; null: none
    const firn_local* lump_of;  // [collider_count]
} firn_mpm_particle_collide_args;

// As the calling thread sees them; `pending` is empty.
static inline firn_mpm_bodies firn_mpm_particle_bodies(const firn_mpm_particle_collide_args* a,
                                                       firn_mpm_pending* pending)
{
    const firn_mpm_bodies bodies = {
        a->colliders, a->collider_count, &a->shapes, firn_loads_mine(a->loads),
        pending,      a->lumps,          a->lump_of};
    return bodies;
}

// Velocity of particle p at x: v after contact and grip. `near_body`: a collider may be there.
FIRN_FN firn_vec3 firn_mpm_collide_particle(const firn_mpm_bodies* bodies,
                                            const firn_mpm_hold* hold, firn_real h, bool near_body,
                                            firn_local p, firn_vec3 x, firn_vec3 v, firn_real mass)
{
    if (near_body) v = firn_mpm_collide_at(bodies, x, v, mass).velocity;
    return hold->grip != NULL ? firn_mpm_hold_at(bodies, x, v, mass, h, hold, p) : v;
}
