// SPDX-License-Identifier: MIT
// Step 1, the loops. Blocks of one colour share no node (sparse_grid.h): each adds its tile alone.
#include "solver/mpm/step01_rasterize.h"

#include "solver/mpm/support/blocks.h"
#include "state/tile.h"

static void rasterize_block(const void* args, firn_local b)
{
    const firn_mpm_rasterize_args* a = args;
    firn_tile tile;
    firn_tile_clear(&tile);
    firn_sums sums = {.plastic_min = 1, .plastic_max = 1};
    const firn_real to_slope =
        firn_spline_affine(a->spline) * a->grid->inverse_cell * a->grid->inverse_cell;  // D^-1
    for (firn_local k = a->grid->first[b]; k < a->grid->first[b + 1]; k++) {
        const firn_local p = a->grid->order[k];
        const firn_weights w = firn_weights_of(a->spline, a->position[p], a->grid->inverse_cell);
        const firn_vec4 momentum = firn_mpm_momentum_particle(a, p);
        if (a->affine == NULL) {
            firn_tile_scatter(firn_tile_corner(&tile, &w), &w, momentum);
        } else {
            const firn_mat3 C = firn_m3_scale(a->affine[p], a->mass[p] * to_slope);
            const firn_vec4 column[3] = {{C.m[0][0], C.m[1][0], C.m[2][0], 0},
                                         {C.m[0][1], C.m[1][1], C.m[2][1], 0},
                                         {C.m[0][2], C.m[1][2], C.m[2][2], 0}};
            firn_tile_scatter_affine(firn_tile_corner(&tile, &w), &w, momentum, column,
                                     a->grid->cell);
        }
        firn_mpm_sums_add(a->mass[p], a->position[p], a->velocity[p], a->gravity, &sums);
    }
    firn_tile_add(&tile, a->node_velocity, a->grid->neighbour[b]);
    a->sums[b] = sums;
}

static void divide_by_mass(const void* self, firn_local begin, firn_local end)
{
    const firn_mpm_rasterize_args* a = self;
    for (firn_local n = begin; n < end; n++) {
        const firn_vec4 q = a->node_velocity[n];
        const firn_mpm_node node =
            firn_mpm_node_velocity(firn_v3(q[0], q[1], q[2]), q[3], a->mass_min);
        a->node_velocity[n] =
            (firn_vec4){node.velocity.x, node.velocity.y, node.velocity.z, node.mass};
    }
}

static void rasterize(const firn_mpm_rasterize_args* a)
{
    firn_mpm_clear_nodes(a->grid, a->node_velocity);
    firn_mpm_scatter_blocks(a->grid, rasterize_block, a);
    firn_share(firn_grid_node_count(a->grid), FIRN_MPM_NODES_GRAIN, divide_by_mass, a);
}
