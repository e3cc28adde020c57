// SPDX-License-Identifier: MIT
// Step 6, the fast loops. What an iteration needs of a particle is computed once per step and
// stored in the order in which particles are visited: its firn_cell_offset and the nine numbers of
// its linearised stress (physics/snow_derivative_lanes.h), one array per number, so that a SIMD
// batch is one load. An iteration is then one pass: gather, dP, scatter. The loops over nodes are
// those of step06_solve.c, which mpm_cpu.c includes before this file.
#include <string.h>

#include "core/simd/records.h"
#include "physics/snow_derivative_lanes.h"
#include "solver/mpm/step06_solve.h"
#include "solver/mpm/support/chunk.h"
#include "state/tile_rows.h"

#define LINEAR_REALS 9  // of firn_snow_linear_lanes

static void store_lanes(firn_real* to, firn_lanes x, int count)
{
    if (count >= FIRN_LANES) {
        firn_lanes_store(to, x);
        return;
    }
    firn_real all[FIRN_LANES];  // what follows the block's last particle is another thread's
    firn_lanes_store(all, x);
    for (int lane = 0; lane < count; lane++) to[lane] = all[lane];
}

static void store_linear(const firn_mpm_solve_args* a, firn_local k, int count,
                         const firn_snow_linear_lanes* l)
{
    const firn_lanes all[LINEAR_REALS] = {l->L.xx, l->L.xy, l->L.xz,  l->L.yy,      l->L.yz,
                                          l->L.zz, l->mu2,  l->trace, l->transposed};
    for (int n = 0; n < LINEAR_REALS; n++)
        store_lanes(a->compact.linear + (size_t)n * a->compact.stride + k, all[n], count);
}

static firn_snow_linear_lanes load_linear(const firn_mpm_solve_args* a, firn_local k)
{
    firn_lanes all[LINEAR_REALS];
    for (int n = 0; n < LINEAR_REALS; n++)
        all[n] = firn_lanes_load(a->compact.linear + (size_t)n * a->compact.stride + k);
    return (firn_snow_linear_lanes){
        {all[0], all[1], all[2], all[3], all[4], all[5]}, all[6], all[7], all[8]};
}

// Linearises a SIMD batch: firn_mpm_linear_particle in the form of snow_derivative_lanes.h. The
// records become the columns of the diagonal of H (step06_solve.h).
static void linearize_lanes(const firn_mpm_solve_args* a, firn_local k, int count,
                            firn_real record[][FIRN_RECORD])
{
    firn_lanes l[FIRN_RECORD];
    firn_records_to_lanes((const firn_real(*)[FIRN_RECORD])record, l);
    const firn_mat3_lanes F_E = {{{l[0], l[1], l[2]}, {l[3], l[4], l[5]}, {l[6], l[7], l[8]}}};
    const firn_lanes h = firn_snow_hardening_lanes(l[11], l[9], l[14]) * l[10];
    const firn_lame_lanes lame = firn_snow_harden_lanes((firn_lame_lanes){l[12], l[13]}, h);
    const firn_snow_stretch_lanes stretch = firn_snow_stretch_lanes_of(F_E);
    const firn_snow_linear_lanes linear = firn_snow_linear_lanes_of(&stretch, lame);
    store_linear(a, k, count, &linear);
    if (a->scale == NULL) return;
    const firn_lanes mu = lame.mu, along = mu + mu + lame.lambda, zero = firn_lanes_all(0);
    const firn_lanes column[FIRN_RECORD] = {along, mu, mu,    zero, mu,   along, mu,   zero,
                                            mu,    mu, along, zero, zero, zero,  zero, zero};
    firn_records_from_lanes(column, record);
}

// Adds the gradients of a chunk to the tile, cell by cell. `squared`: with squared weights.
static void scatter_chunk(const firn_cell_offset* offset, const firn_stencil* at,
                          const firn_real record[][FIRN_RECORD], int count, bool squared,
                          firn_tile* tile)
{
    for (int k = 0, n; k < count; k += n) {
        firn_load load[FIRN_CELL_MOST];
        n = firn_chunk_cell(offset + k, count - k);
        for (int q = 0; q < n; q++) {
            load[q].at = at[k + q];
            if (squared) firn_stencil_square(&load[q].at);
            firn_load_gradient(&load[q], record[k + q]);
        }
        firn_tile_add_gradients(&tile->node[0][0][0] + offset[k].corner, load, n);
    }
}

static void linearize_block_simd(const firn_mpm_solve_args* a, firn_local b, const firn_vec4* u)
{
    (void)u;
    const firn_sparse_grid* grid = a->grid;
    const firn_mpm_forces_args forces = {.def_grad_elastic = a->def_grad_elastic,
                                         .plastic_det = a->plastic_det,
                                         .volume = a->volume,
                                         .stiffness = a->stiffness,
                                         .hardening = a->hardening,
                                         .material = a->material,
                                         .materials = a->materials};
    firn_tile tile;
    if (a->scale != NULL) firn_tile_clear(&tile);
    for (firn_local begin = grid->first[b]; begin < grid->first[b + 1]; begin += FIRN_CHUNK) {
        const int count = firn_chunk_count(grid, b, begin);
        firn_real record[FIRN_CHUNK][FIRN_RECORD];
        firn_stencil at[FIRN_CHUNK];
        for (int k = 0; k < count; k++) {
            const firn_local p = grid->order[begin + k];
            firn_chunk_stress_record(&forces, p, record[k]);
            a->compact.offset[begin + k] = firn_cell_offset_of(a->position[p], grid->inverse_cell);
        }
        firn_chunk_fill(record, count);
        for (int k = 0; k < count; k += FIRN_LANES)
            linearize_lanes(a, begin + k, count - k, record + k);
        if (a->scale == NULL) continue;
        for (int k = 0; k < count; k++)
            firn_stencil_at(a->spline, &a->compact.offset[begin + k], grid->inverse_cell, &at[k]);
        scatter_chunk(a->compact.offset + begin, at, (const firn_real(*)[FIRN_RECORD])record, count,
                      true, &tile);
    }
    if (a->scale != NULL) firn_tile_add(&tile, a->node_Hu, grid->neighbour[b]);
}

static void linearize_simd(const firn_mpm_solve_args* a)
{
    for_blocks_by_colour(a, NULL, linearize_block_simd);
    start_solve(a);
}

static void stress_change_lanes(const firn_mpm_solve_args* a, firn_local k,
                                firn_real record[][FIRN_RECORD])
{
    firn_lanes g[FIRN_RECORD];
    firn_records_to_lanes((const firn_real(*)[FIRN_RECORD])record, g);
    const firn_mat3_lanes grad_u = {{{g[0], g[4], g[8]}, {g[1], g[5], g[9]}, {g[2], g[6], g[10]}}};
    const firn_snow_linear_lanes linear = load_linear(a, k);
    const firn_mat3_lanes T = firn_snow_linear_lanes_apply(&linear, grad_u);
    const firn_lanes zero = firn_lanes_all(0);
    const firn_lanes column[FIRN_RECORD] = {
        T.m[0][0], T.m[1][0], T.m[2][0], zero, T.m[0][1], T.m[1][1], T.m[2][1], zero,
        T.m[0][2], T.m[1][2], T.m[2][2], zero, zero,      zero,      zero,      zero};
    firn_records_from_lanes(column, record);
}

static void apply_block_simd(const firn_mpm_solve_args* a, firn_local b, const firn_vec4* u)
{
    const firn_sparse_grid* grid = a->grid;
    firn_tile in, out;
    firn_tile_load(&in, u, a->from->neighbour[b]);
    firn_tile_clear(&out);
    for (firn_local begin = grid->first[b]; begin < grid->first[b + 1]; begin += FIRN_CHUNK) {
        const int count = firn_chunk_count(grid, b, begin);
        const firn_cell_offset* offset = a->compact.offset + begin;
        firn_real record[FIRN_CHUNK][FIRN_RECORD];
        firn_stencil at[FIRN_CHUNK];
        for (int k = 0; k < count; k++) {
            firn_stencil_at(a->spline, &offset[k], grid->inverse_cell, &at[k]);
            firn_tile_read(&in.node[0][0][0] + offset[k].corner, NULL, &at[k], record[k]);
        }
        firn_chunk_fill(record, count);
        for (int k = 0; k < count; k += FIRN_LANES) stress_change_lanes(a, begin + k, record + k);
        scatter_chunk(offset, at, (const firn_real(*)[FIRN_RECORD])record, count, false, &out);
    }
    firn_tile_add(&out, a->node_Hu, grid->neighbour[b]);
}

static double apply_simd(void* self, const firn_vec4* u, firn_vec4* out)
{
    return apply_with(self, u, out, apply_block_simd);
}

static void react_block_simd(const firn_mpm_solve_args* a, firn_local b, const firn_vec4* u)
{
    if (is_near_fixed(a, b)) apply_block_simd(a, b, u);
}

static void react_simd(const firn_mpm_solve_args* a)
{
    for_blocks_by_colour(a, a->node_new, react_block_simd);
    take_reactions(a);
}

static firn_cr_result solve_simd(const firn_mpm_solve_args* a)
{
    linearize_simd(a);
    return solve_with(a, apply_simd);
}
