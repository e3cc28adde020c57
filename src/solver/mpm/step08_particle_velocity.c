// SPDX-License-Identifier: MIT
// Step 8, the loop: a gather; each block writes its own particles.
#include "solver/mpm/step08_particle_velocity.h"

#include "solver/mpm/support/blocks.h"
#include "state/tile.h"

static firn_vec3 first_three(firn_vec4 q)
{
    return firn_v3(q[0], q[1], q[2]);
}

// B_p = sum_i w_ip v_i (x_i - x_p)^T
static firn_mat3 gather_affine(const firn_vec4* corner, const firn_weights* w, firn_real cell)
{
    firn_vec4 bx = {0, 0, 0, 0}, by = bx, bz = bx;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            const firn_vec4* row = FIRN_TILE_ROW(corner, i, j);
            firn_vec4 line = {0, 0, 0, 0}, moment = line;
            for (int k = 0; k < 4; k++) {
                const firn_vec4 q = firn_vec4_all(w->w[2][k]) * row[k];
                line += q;
                moment = firn_vec4_madd((firn_real)(k - 1) - w->t[2], q, moment);
            }
            const firn_real wij = w->w[0][i] * w->w[1][j];
            bx = firn_vec4_madd(wij * ((firn_real)(i - 1) - w->t[0]), line, bx);
            by = firn_vec4_madd(wij * ((firn_real)(j - 1) - w->t[1]), line, by);
            bz = firn_vec4_madd(wij, moment, bz);
        }
    }
    const firn_mat3 B = {{{bx[0], by[0], bz[0]}, {bx[1], by[1], bz[1]}, {bx[2], by[2], bz[2]}}};
    return firn_m3_scale(B, cell);
}

static void particle_velocity_block(const void* args, firn_local b)
{
    const firn_mpm_particle_velocity_args* a = args;
    firn_tile tile_old, tile_new;
    firn_tile_load(&tile_new, a->node_new, a->grid->neighbour[b]);
    if (a->affine == NULL) firn_tile_load(&tile_old, a->node_velocity, a->grid->neighbour[b]);
    for (firn_local k = a->grid->first[b]; k < a->grid->first[b + 1]; k++) {
        const firn_local p = a->grid->order[k];
        const firn_weights w = firn_weights_of(a->spline, a->position[p], a->grid->inverse_cell);
        const firn_vec4* corner = firn_tile_corner_const(&tile_new, &w);
        const firn_vec4 q = firn_tile_gather(corner, &w);
        const firn_vec3 v_pic = first_three(q);
        if (a->hold.grip != NULL) firn_mpm_take_grip(&a->hold, p, q[3], a->dt);
        if (a->affine != NULL) {
            a->velocity[p] = v_pic;
            a->affine[p] = gather_affine(corner, &w, a->grid->cell);
        } else {
            const firn_vec3 v_old =
                first_three(firn_tile_gather(firn_tile_corner_const(&tile_old, &w), &w));
            a->velocity[p] = firn_mpm_blend(a->velocity[p], v_pic, v_old, a->alpha);
        }
    }
}

static void particle_velocity(const firn_mpm_particle_velocity_args* a)
{
    firn_mpm_gather_blocks(a->grid, particle_velocity_block, a);
}
