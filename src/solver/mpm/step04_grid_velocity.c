// SPDX-License-Identifier: MIT
// Step 4, the loop over nodes.
#include "solver/mpm/step04_grid_velocity.h"

#include "solver/mpm/support/blocks.h"

static void grid_velocity_nodes(const void* self, firn_local begin, firn_local end)
{
    const firn_mpm_grid_velocity_args* a = self;
    for (firn_local i = begin; i < end; i++) {
        const firn_vec4 v = a->node_velocity[i], f = a->node_force[i];
        const firn_vec3 v_star = firn_mpm_grid_velocity(
            firn_v3(v[0], v[1], v[2]), v[3], firn_v3(f[0], f[1], f[2]), a->gravity, a->dt);
        a->node_new[i] = (firn_vec4){v_star.x, v_star.y, v_star.z, 0};
    }
}

static void grid_velocity(const firn_mpm_grid_velocity_args* a)
{
    firn_share(a->node_count, FIRN_MPM_NODES_GRAIN, grid_velocity_nodes, a);
}
