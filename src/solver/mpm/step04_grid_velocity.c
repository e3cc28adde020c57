// SPDX-License-Identifier: MIT
// Step 4, the loop over nodes.
#include "solver/mpm/step04_grid_velocity.h"

static void grid_velocity(const firn_mpm_grid_velocity_args* a)
{
#pragma omp parallel for schedule(static) num_threads(a->threads)
    for (firn_local i = 0; i < a->node_count; i++)
        a->node_new[i] = firn_mpm_grid_velocity_node(a, i);
}
