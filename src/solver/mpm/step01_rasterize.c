// SPDX-License-Identifier: MIT
// Step 1, the loops. Blocks of one colour share no node (sparse_grid.h): each adds its tile alone.
#include "solver/mpm/step01_rasterize.h"

#include <string.h>

#include "state/tile.h"

static void rasterize_block(const firn_mpm_rasterize_args* a, firn_local b)
{
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

static void divide_by_mass(const firn_mpm_rasterize_args* a, firn_local n)
{
    const firn_vec4 q = a->node_velocity[n];
    const firn_mpm_node node = firn_mpm_node_velocity(firn_v3(q[0], q[1], q[2]), q[3], a->mass_min);
    a->node_velocity[n] = (firn_vec4){node.velocity.x, node.velocity.y, node.velocity.z, node.mass};
}

static void rasterize(const firn_mpm_rasterize_args* a)
{
    const firn_local node_count = firn_grid_node_count(a->grid);
#pragma omp parallel num_threads(a->threads)
    {
#pragma omp for schedule(static)
        for (firn_local b = 0; b < a->grid->block_count; b++)
            memset(a->node_velocity + (size_t)b * FIRN_BLOCK_NODES, 0,
                   FIRN_BLOCK_NODES * sizeof(firn_vec4));
        for (int colour = 0; colour < FIRN_GRID_COLOURS; colour++) {
#pragma omp for schedule(dynamic, 1)
            for (firn_local k = a->grid->colour_first[colour];
                 k < a->grid->colour_first[colour + 1]; k++)
                for (firn_local n = a->grid->group_first[k]; n < a->grid->group_first[k + 1]; n++)
                    rasterize_block(a, a->grid->by_colour[n]);
        }
#pragma omp for schedule(static)
        for (firn_local n = 0; n < node_count; n++) divide_by_mass(a, n);
    }
}
