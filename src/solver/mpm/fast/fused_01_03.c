// SPDX-License-Identifier: MIT
// Steps 1 and 3 in one pass, the loops. Blocks of one colour share no node, so that each adds its
// tiles without locks. A block's particles are processed in chunks, so that their data stays in the
// first-level cache:
//
//   chunk of 64 -> records -> SIMD batches: stress of 8 or 16 at once -> records -> cells -> tiles
//
// divide_by_mass is in step01_rasterize.c, which mpm_cpu.c includes before this file.
#include "solver/mpm/fast/fused_01_03.h"

#include <string.h>

#include "core/simd/records.h"
#include "physics/snow_stress_lanes.h"
#include "solver/mpm/support/chunk.h"
#include "state/tile_rows.h"

// V_p^0 P F_E^T (symmetric) and V_p^0 Psi of a SIMD batch: firn_mpm_stress_particle in the form of
// physics/snow_stress_lanes.h.
static void stress_lanes(const firn_real in[][FIRN_RECORD], firn_real out[][FIRN_RECORD])
{
    firn_lanes l[FIRN_RECORD];
    firn_records_to_lanes(in, l);
    const firn_mat3_lanes F_E = {{{l[0], l[1], l[2]}, {l[3], l[4], l[5]}, {l[6], l[7], l[8]}}};
    const firn_lanes h = firn_snow_hardening_lanes(l[11], l[9], l[14]);
    const firn_lame_lanes lame = firn_snow_harden_lanes((firn_lame_lanes){l[12], l[13]}, h);
    const firn_snow_stretch_lanes stretch = firn_snow_stretch_lanes_of(F_E);
    const firn_sym3_lanes tau = firn_snow_stress_lanes(&stretch, lame);
    const firn_lanes V = -l[10], zero = firn_lanes_all(0);
    const firn_lanes xx = V * tau.xx, xy = V * tau.xy, xz = V * tau.xz;
    const firn_lanes yy = V * tau.yy, yz = V * tau.yz, zz = V * tau.zz;
    const firn_lanes energy = l[10] * firn_snow_energy_lanes(&stretch, lame);
    const firn_lanes column[FIRN_RECORD] = {xx, xy, xz, zero, xy,     yy,   yz,   zero,
                                            xz, yz, zz, zero, energy, zero, zero, zero};
    firn_records_from_lanes(column, out);
}

typedef struct block_sums {
    firn_vec4d momentum;   // and mass
    firn_vec4d kinetic;    // twice, by axis
    firn_vec4d potential;  // by axis
    double elastic;
    firn_real plastic_min, plastic_max;
} block_sums;

static void add_particle(const firn_mpm_fused_01_03_args* a, firn_local p, firn_vec4 momentum,
                         firn_real energy, block_sums* s)
{
    const firn_vec3 x = a->rasterize.position[p], v = a->rasterize.velocity[p];
    const firn_vec3 g = a->rasterize.gravity;
    const firn_vec4d mv = firn_vec4d_of(momentum);
    const firn_vec4d m = {mv[3], mv[3], mv[3], mv[3]};
    s->momentum += mv;
    s->kinetic += mv * firn_vec4d_of((firn_vec4){v.x, v.y, v.z, 0});
    s->potential += m * (firn_vec4d_of((firn_vec4){x.x, x.y, x.z, 0}) *
                         firn_vec4d_of((firn_vec4){g.x, g.y, g.z, 0}));
    s->elastic += (double)energy;
    s->plastic_min = firn_min(s->plastic_min, a->forces.plastic_det[p]);
    s->plastic_max = firn_max(s->plastic_max, a->forces.plastic_det[p]);
}

static void write_sums(const block_sums* s, firn_sums* out)
{
    *out = (firn_sums){
        .mass = s->momentum[3],
        .momentum = {s->momentum[0], s->momentum[1], s->momentum[2]},
        .kinetic = 0.5 * (s->kinetic[0] + s->kinetic[1] + s->kinetic[2]),
        .potential = -(s->potential[0] + s->potential[1] + s->potential[2]),
        .elastic = s->elastic,
        .plastic_min = s->plastic_min,
        .plastic_max = s->plastic_max,
    };
}

// APIC: the momentum's slope m B_p D^-1 (x_i - x_p), as a gradient whose "slopes" are N (x_i - x_p)
// per axis.
static void add_affine(const firn_mpm_rasterize_args* a, const firn_local* order, int count,
                       const firn_cell_offset* offset, const firn_load* load, firn_vec4* corner)
{
    firn_load affine[FIRN_CELL_MOST];
    const firn_real to_slope =
        firn_spline_affine(a->spline) * a->grid->inverse_cell * a->grid->inverse_cell;  // D^-1
    for (int k = 0; k < count; k++) {
        const firn_local p = order[k];
        const firn_mat3 C = firn_m3_scale(a->affine[p], a->mass[p] * to_slope);
        const firn_real column[12] = {C.m[0][0], C.m[1][0], C.m[2][0], 0,
                                      C.m[0][1], C.m[1][1], C.m[2][1], 0,
                                      C.m[0][2], C.m[1][2], C.m[2][2], 0};
        firn_stencil_moments(&load[k].at, offset[k].t, a->grid->cell, &affine[k].at);
        firn_load_gradient(&affine[k], column);
    }
    firn_tile_add_gradients(corner, affine, count);
}

// Particles order[0 .. count) of one cell.
static void scatter_cell(const firn_mpm_fused_01_03_args* a, const firn_local* order, int count,
                         const firn_cell_offset* offset, const firn_real record[][FIRN_RECORD],
                         firn_tile* momentum, firn_tile* force, block_sums* sums)
{
    firn_load load[FIRN_CELL_MOST];
    for (int k = 0; k < count; k++) {
        const firn_local p = order[k];
        const firn_vec4 mv = firn_mpm_momentum_particle(&a->rasterize, p);
        firn_stencil_at(a->rasterize.spline, offset[k].t, a->rasterize.grid->inverse_cell,
                        &load[k].at);
        firn_load_gradient(&load[k], record[k]);
        firn_load_value(&load[k], mv);
        add_particle(a, p, mv, record[k][12], sums);
    }
    firn_tile_add_gradients(&force->node[0][0][0] + offset->corner, load, count);
    firn_tile_add_values(&momentum->node[0][0][0] + offset->corner, load, count);
    if (a->rasterize.affine != NULL)
        add_affine(&a->rasterize, order, count, offset, load,
                   &momentum->node[0][0][0] + offset->corner);
}

static void fused_01_03_block(const firn_mpm_fused_01_03_args* a, firn_local b)
{
    const firn_sparse_grid* grid = a->rasterize.grid;
    firn_tile momentum, force;
    firn_tile_clear(&momentum);
    firn_tile_clear(&force);
    const firn_real J_P = a->forces.plastic_det[grid->order[grid->first[b]]];
    block_sums sums = {.plastic_min = J_P, .plastic_max = J_P};
    for (firn_local begin = grid->first[b]; begin < grid->first[b + 1]; begin += FIRN_CHUNK) {
        const firn_local* order = grid->order + begin;
        const int count = firn_chunk_count(grid, b, begin);
        firn_real record[FIRN_CHUNK][FIRN_RECORD];
        firn_cell_offset offset[FIRN_CHUNK];
        for (int k = 0; k < count; k++) {
            firn_chunk_prefetch(grid, begin, k, a->forces.def_grad_elastic, a->rasterize.position,
                                a->rasterize.velocity);
            firn_chunk_stress_record(&a->forces, order[k], record[k]);
            offset[k] = firn_cell_offset_of(a->rasterize.position[order[k]], grid->inverse_cell);
        }
        firn_chunk_fill(record, count);
        for (int k = 0; k < count; k += FIRN_LANES)
            stress_lanes((const firn_real(*)[FIRN_RECORD])record + k, record + k);
        for (int k = 0, n; k < count; k += n) {
            n = firn_chunk_cell(offset + k, count - k);
            scatter_cell(a, order + k, n, offset + k, (const firn_real(*)[FIRN_RECORD])record + k,
                         &momentum, &force, &sums);
        }
    }
    firn_tile_add(&momentum, a->rasterize.node_velocity, grid->neighbour[b]);
    firn_tile_add(&force, a->forces.node_force, grid->neighbour[b]);
    write_sums(&sums, &a->rasterize.sums[b]);
}

static void fused_01_03(const firn_mpm_fused_01_03_args* a)
{
    const firn_sparse_grid* grid = a->rasterize.grid;
    const size_t block_bytes = FIRN_BLOCK_NODES * sizeof(firn_vec4);
    const firn_local node_count = firn_grid_node_count(grid);
#pragma omp parallel num_threads(a->rasterize.threads)
    {
#pragma omp for schedule(static)
        for (firn_local b = 0; b < grid->block_count; b++) {
            memset(a->rasterize.node_velocity + (size_t)b * FIRN_BLOCK_NODES, 0, block_bytes);
            memset(a->forces.node_force + (size_t)b * FIRN_BLOCK_NODES, 0, block_bytes);
        }
        for (int colour = 0; colour < FIRN_GRID_COLOURS; colour++) {
#pragma omp for schedule(dynamic, 1)
            for (firn_local k = grid->colour_first[colour]; k < grid->colour_first[colour + 1]; k++)
                for (firn_local n = grid->group_first[k]; n < grid->group_first[k + 1]; n++)
                    fused_01_03_block(a, grid->by_colour[n]);
        }
#pragma omp for schedule(static)
        for (firn_local n = 0; n < node_count; n++) divide_by_mass(&a->rasterize, n);
    }
}
