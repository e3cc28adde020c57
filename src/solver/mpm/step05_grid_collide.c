// SPDX-License-Identifier: MIT
// Step 5, the loop over nodes.
#include "solver/mpm/step05_grid_collide.h"

#include "solver/mpm/support/blocks.h"

static void collide_node(const firn_mpm_grid_collide_args* a, const firn_mpm_bodies* bodies,
                         firn_local i)
{
    const firn_real mass = a->node_velocity[i][3];
    a->node_fixed[i] = 0;
    if (!(mass > 0)) return;
    const firn_vec4 q = a->node_new[i];
    const firn_mpm_collided r = firn_mpm_collide_at(bodies, firn_grid_node_position(a->grid, i),
                                                    firn_v3(q[0], q[1], q[2]), mass);
    if (!r.touched) return;
    a->node_new[i] = (firn_vec4){r.velocity.x, r.velocity.y, r.velocity.z, r.unused};
    a->node_fixed[i] = 1;
}

static void collide_blocks(const void* self, firn_local begin, firn_local end)
{
    const firn_mpm_grid_collide_args* a = self;
    for (firn_local b = begin; b < end; b++) {
        firn_mpm_pending pending = {-1, {0}};
        const firn_mpm_bodies bodies = {
            a->colliders, a->collider_count, &a->shapes, firn_loads_mine(a->loads), &pending, NULL,
            NULL};
        for (firn_local n = 0; n < FIRN_BLOCK_NODES; n++)
            collide_node(a, &bodies, b * FIRN_BLOCK_NODES + n);
        firn_mpm_flush(&bodies);
    }
}

static void grid_collide(const firn_mpm_grid_collide_args* a)
{
    firn_share(a->grid->block_count, 8, collide_blocks, a);
}
