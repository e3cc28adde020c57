// SPDX-License-Identifier: MIT
// Step 3, the loops. Blocks of one colour share no node: each adds its tile alone.
#include "solver/mpm/step03_forces.h"

#include "solver/mpm/support/blocks.h"
#include "state/tile.h"

static void forces_block(const void* args, firn_local b)
{
    const firn_mpm_forces_args* a = args;
    firn_tile tile;
    firn_tile_clear(&tile);
    double elastic = 0;
    const firn_local begin = a->grid->first[b], end = a->grid->first[b + 1];
    firn_real low = a->plastic_det[a->grid->order[begin]], high = low;
    for (firn_local k = begin; k < end; k++) {
        const firn_local p = a->grid->order[k];
        const firn_weights w = firn_weights_of(a->spline, a->position[p], a->grid->inverse_cell);
        firn_real s[3][4];
        for (int d = 0; d < 3; d++)
            firn_spline_slopes(a->spline, w.t[d], a->grid->inverse_cell, s[d]);
        double energy;
        const firn_mat3 T = firn_mpm_stress_particle(a, p, &energy);
        const firn_vec4 column[3] = {{-T.m[0][0], -T.m[1][0], -T.m[2][0], 0},
                                     {-T.m[0][1], -T.m[1][1], -T.m[2][1], 0},
                                     {-T.m[0][2], -T.m[1][2], -T.m[2][2], 0}};
        firn_tile_scatter_gradient(firn_tile_corner(&tile, &w), &w, (const firn_real(*)[4])s,
                                   column);
        elastic += energy;
        low = firn_min(low, a->plastic_det[p]);
        high = firn_max(high, a->plastic_det[p]);
    }
    firn_tile_add(&tile, a->node_force, a->grid->neighbour[b]);
    a->sums[b].elastic = elastic;
    a->sums[b].plastic_min = low;
    a->sums[b].plastic_max = high;
}

static void forces(const firn_mpm_forces_args* a)
{
    firn_mpm_clear_nodes(a->grid, a->node_force);
    firn_mpm_scatter_blocks(a->grid, forces_block, a);
}
