// SPDX-License-Identifier: MIT
// Step 7, the loop: a gather; each block writes its own particles.
#include "solver/mpm/step07_deformation.h"

#include "solver/mpm/support/blocks.h"
#include "state/tile.h"

static void deformation_block(const void* args, firn_local b)
{
    const firn_mpm_deformation_args* a = args;
    firn_tile tile;
    firn_tile_load(&tile, a->node_new, a->grid->neighbour[b]);
    firn_local inverted = -1;
    for (firn_local k = a->grid->first[b]; k < a->grid->first[b + 1]; k++) {
        const firn_local p = a->grid->order[k];
        const firn_weights w = firn_weights_of(a->spline, a->position[p], a->grid->inverse_cell);
        firn_real s[3][4];
        for (int d = 0; d < 3; d++)
            firn_spline_slopes(a->spline, w.t[d], a->grid->inverse_cell, s[d]);
        firn_vec4 g[3];
        firn_tile_gather_gradient(firn_tile_corner_const(&tile, &w), &w, (const firn_real(*)[4])s,
                                  g);
        const firn_mat3 grad_v = {{{g[0][0], g[1][0], g[2][0]},
                                   {g[0][1], g[1][1], g[2][1]},
                                   {g[0][2], g[1][2], g[2][2]}}};
        const firn_snow_clamped new = firn_mpm_deform_particle(a, p, grad_v);
        if (new.inverted && inverted < 0) inverted = p;
        const firn_real J_before = a->plastic_det[p];
        a->def_grad_elastic[p] = new.F_E;
        a->plastic_det[p] = new.J_P;
        if (a->creep_stiffness != NULL && !new.inverted) firn_mpm_age_particle(a, p, J_before);
    }
    a->faults[b].inverted = inverted;
}

static void deformation(const firn_mpm_deformation_args* a)
{
    firn_mpm_gather_blocks(a->grid, deformation_block, a);
}
