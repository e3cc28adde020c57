// SPDX-License-Identifier: MIT
// Step 5, the loop over nodes.
#include "solver/mpm/step05_grid_collide.h"

static void grid_collide(const firn_mpm_grid_collide_args* a)
{
    const firn_local node_count = firn_grid_node_count(a->grid);
#pragma omp parallel num_threads(a->threads)
    {
        const firn_mpm_bodies bodies = {a->colliders, a->collider_count, &a->shapes,
                                        firn_loads_mine(a->loads)};
#pragma omp for schedule(static)
        for (firn_local i = 0; i < node_count; i++) {
            const firn_real mass = a->node_velocity[i][3];
            a->node_fixed[i] = 0;
            if (!(mass > 0)) continue;
            const firn_vec4 q = a->node_new[i];
            const firn_mpm_collided r = firn_mpm_collide_at(
                &bodies, firn_grid_node_position(a->grid, i), firn_v3(q[0], q[1], q[2]), mass);
            if (!r.touched) continue;
            a->node_new[i] = (firn_vec4){r.velocity.x, r.velocity.y, r.velocity.z, r.unused};
            a->node_fixed[i] = 1;
        }
    }
}
