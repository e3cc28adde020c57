// SPDX-License-Identifier: MIT
// Steps 1 and 3 in one pass, the loops. Blocks of one colour share no node, so that each adds its
// tiles without locks. A block's particles are processed in chunks, so that their data stays in the
// first-level cache:
//
//   chunk of 64 -> records -> SIMD batches: stress, momentum, place in the cell and sums of 8 or 16
//   at once -> records -> cells -> tiles
//
// divide_by_mass is in step01_rasterize.c, which mpm_cpu.c includes before this file.
#include "solver/mpm/fast/fused_01_03.h"

#include <string.h>

#include "core/simd/records.h"
#include "physics/snow_stress_lanes.h"
#include "solver/mpm/support/blocks.h"
#include "solver/mpm/support/chunk.h"
#include "state/tile_rows.h"

// Sums over a block, in FIRN_LANES_MOST parts whatever the SIMD level: particle k of a chunk adds
// to part k modulo their number, so that a loop over particles is one over registers.
#define PARTS FIRN_LANES_MOST
typedef struct block_sums {
    double mass[PARTS], momentum[3][PARTS];
    double kinetic[PARTS];  // twice
    double potential[PARTS], elastic[PARTS];
    firn_real plastic_min[PARTS], plastic_max[PARTS];
} block_sums;

// What a chunk adds to the grid and to the sums beside the stress.
typedef struct chunk_mass {
    firn_real mass[FIRN_CHUNK];
    firn_real energy[FIRN_CHUNK], plastic_det[FIRN_CHUNK];
    firn_vec4 momentum[FIRN_CHUNK];  // and mass
} chunk_mass;

// V_p^0 P F_E^T (symmetric) and V_p^0 Psi of a SIMD batch: firn_mpm_stress_particle in the form of
// physics/snow_stress_lanes.h.
static void stress_lanes(const firn_real in[][FIRN_RECORD], firn_real out[][FIRN_RECORD],
                         chunk_mass* q, int k)
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
    firn_lanes_store(q->energy + k, energy);
    firn_lanes_store(q->plastic_det + k, l[9]);
    const firn_lanes column[FIRN_RECORD] = {xx, xy, xz, zero, xy,   yy,   yz,   zero,
                                            xz, yz, zz, zero, zero, zero, zero, zero};
    firn_records_from_lanes(column, out);
}

// firn_mpm_sums_add of a chunk; `count`: a multiple of PARTS.
static void add_to_sums(const firn_chunk_motion* c, const chunk_mass* q, int count, firn_vec3 g,
                        block_sums* s)
{
    const double gx = (double)g.x, gy = (double)g.y, gz = (double)g.z;
    for (int begin = 0; begin < count; begin += PARTS) {
        for (int part = 0; part < PARTS; part++) {
            const int k = begin + part;
            const double m = (double)q->mass[k];
            const double vx = (double)c->v[0][k], vy = (double)c->v[1][k], vz = (double)c->v[2][k];
            const double px = m * vx, py = m * vy, pz = m * vz;
            s->mass[part] += m;
            s->momentum[0][part] += px;
            s->momentum[1][part] += py;
            s->momentum[2][part] += pz;
            s->kinetic[part] += px * vx + py * vy + pz * vz;
            s->potential[part] -=
                m * (gx * (double)c->x[0][k] + gy * (double)c->x[1][k] + gz * (double)c->x[2][k]);
            s->elastic[part] += (double)q->energy[k];
            s->plastic_min[part] = firn_min(s->plastic_min[part], q->plastic_det[k]);
            s->plastic_max[part] = firn_max(s->plastic_max[part], q->plastic_det[k]);
        }
    }
}

static void write_sums(const block_sums* s, firn_sums* out)
{
    *out = (firn_sums){.plastic_min = s->plastic_min[0], .plastic_max = s->plastic_max[0]};
    for (int part = 0; part < PARTS; part++) {
        out->mass += s->mass[part];
        for (int d = 0; d < 3; d++) out->momentum[d] += s->momentum[d][part];
        out->kinetic += 0.5 * s->kinetic[part];
        out->potential += s->potential[part];
        out->elastic += s->elastic[part];
        out->plastic_min = firn_min(out->plastic_min, s->plastic_min[part]);
        out->plastic_max = firn_max(out->plastic_max, s->plastic_max[part]);
    }
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
static void scatter_cell(const firn_mpm_rasterize_args* a, const firn_local* order, int count,
                         const firn_cell_offset* offset, const firn_real record[][FIRN_RECORD],
                         const firn_vec4* momentum, firn_tile* momenta, firn_tile* forces)
{
    firn_load load[FIRN_CELL_MOST];
    for (int k = 0; k < count; k++) {
        firn_stencil_at(a->spline, &offset[k], a->grid->inverse_cell, &load[k].at);
        firn_load_gradient(&load[k], record[k]);
        firn_load_value(&load[k], momentum[k]);
    }
    firn_tile_add_gradients(&forces->node[0][0][0] + offset->corner, load, count);
    firn_tile_add_values(&momenta->node[0][0][0] + offset->corner, load, count);
    if (a->affine != NULL)
        add_affine(a, order, count, offset, load, &momenta->node[0][0][0] + offset->corner);
}

// Loads a chunk; `record`: what stress_lanes needs. Returns the count rounded up to PARTS: what is
// beyond repeats the last particle without mass and volume.
static int load_chunk(const firn_mpm_fused_01_03_args* a, firn_local begin, int count,
                      firn_chunk_motion* c, chunk_mass* q, firn_real record[][FIRN_RECORD])
{
    const firn_local* order = a->rasterize.grid->order + begin;
    for (int k = 0; k < count; k++) {
        const firn_local p = order[k];
        firn_chunk_prefetch(a->rasterize.grid, begin, k, a->forces.def_grad_elastic,
                            a->rasterize.position, a->rasterize.velocity);
        firn_chunk_stress_record(&a->forces, p, record[k]);
        firn_chunk_load_motion(c, k, a->rasterize.position[p], a->rasterize.velocity[p]);
        q->mass[k] = a->rasterize.mass[p];
    }
    int all = count;
    for (; all % PARTS != 0; all++) {
        const firn_local p = order[count - 1];
        firn_chunk_load_motion(c, all, a->rasterize.position[p], a->rasterize.velocity[p]);
        memcpy(record[all], record[count - 1], sizeof record[all]);
        record[all][10] = 0;
        q->mass[all] = 0;
    }
    return all;
}

// firn_mpm_momentum_particle of the chunk.
static void momenta_lanes(const firn_chunk_motion* c, chunk_mass* q, int count)
{
    for (int k = 0; k < count; k += FIRN_LANES) {
        const firn_lanes m = firn_lanes_load(q->mass + k);
        firn_lanes_store4((firn_real*)&q->momentum[k], m * firn_lanes_load(c->v[0] + k),
                          m * firn_lanes_load(c->v[1] + k), m * firn_lanes_load(c->v[2] + k), m);
    }
}

static void fused_01_03_block(const void* args, firn_local b)
{
    const firn_mpm_fused_01_03_args* a = args;
    const firn_sparse_grid* grid = a->rasterize.grid;
    firn_tile momentum, force;
    firn_tile_clear(&momentum);
    firn_tile_clear(&force);
    const firn_real J_P = a->forces.plastic_det[grid->order[grid->first[b]]];
    block_sums sums = {0};
    for (int part = 0; part < PARTS; part++) sums.plastic_min[part] = sums.plastic_max[part] = J_P;
    for (firn_local begin = grid->first[b]; begin < grid->first[b + 1]; begin += FIRN_CHUNK) {
        const firn_local* order = grid->order + begin;
        const int count = firn_chunk_count(grid, b, begin);
        firn_real record[FIRN_CHUNK][FIRN_RECORD];
        firn_chunk_motion c;
        chunk_mass q;
        const int all = load_chunk(a, begin, count, &c, &q, record);
        firn_chunk_offsets(&c, count, grid->inverse_cell);
        momenta_lanes(&c, &q, all);
        for (int k = 0; k < all; k += FIRN_LANES)
            stress_lanes((const firn_real(*)[FIRN_RECORD])record + k, record + k, &q, k);
        add_to_sums(&c, &q, all, a->rasterize.gravity, &sums);
        for (int k = 0, n; k < count; k += n) {
            n = firn_chunk_cell(c.offset + k, count - k);
            scatter_cell(&a->rasterize, order + k, n, c.offset + k,
                         (const firn_real(*)[FIRN_RECORD])record + k, q.momentum + k, &momentum,
                         &force);
        }
    }
    firn_tile_add(&momentum, a->rasterize.node_velocity, grid->neighbour[b]);
    firn_tile_add(&force, a->forces.node_force, grid->neighbour[b]);
    write_sums(&sums, &a->rasterize.sums[b]);
}

static void fused_01_03(const firn_mpm_fused_01_03_args* a)
{
    const firn_sparse_grid* grid = a->rasterize.grid;
    firn_mpm_clear_nodes(grid, a->rasterize.node_velocity);
    firn_mpm_clear_nodes(grid, a->forces.node_force);
    firn_mpm_scatter_blocks(grid, fused_01_03_block, a);
    firn_share(firn_grid_node_count(grid), FIRN_MPM_NODES_GRAIN, divide_by_mass, &a->rasterize);
}
