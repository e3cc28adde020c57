// SPDX-License-Identifier: MIT
// Step 2, the loop: a gather; each block writes its own particles.
#include "solver/mpm/step02_volumes.h"

#include "solver/mpm/support/blocks.h"
#include "state/tile.h"

static void volumes_block(const void* args, firn_local b)
{
    const firn_mpm_volumes_args* a = args;
    firn_tile tile;
    firn_tile_load(&tile, a->node_velocity, a->grid->neighbour[b]);
    for (firn_local k = a->grid->first[b]; k < a->grid->first[b + 1]; k++) {
        const firn_local p = a->grid->order[k];
        const firn_weights w = firn_weights_of(a->spline, a->position[p], a->grid->inverse_cell);
        const firn_vec4 q = firn_tile_gather(firn_tile_corner_const(&tile, &w), &w);
        a->volume[p] = firn_mpm_volume(a->mass[p], q[3], a->grid->inverse_cell);
    }
}

static void volumes(const firn_mpm_volumes_args* a)
{
    firn_mpm_gather_blocks(a->grid, volumes_block, a);
}
