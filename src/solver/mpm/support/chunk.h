// SPDX-License-Identifier: MIT
// A chunk: a few dozen particles of one block that the fused passes process together.
#pragma once
#include "core/simd/lanes_gather.h"
#include "core/simd/records.h"
#include "solver/mpm/step03_forces.h"
#include "state/sparse_grid.h"
#include "state/stencil.h"

#define FIRN_CHUNK 64      // particles; a multiple of FIRN_LANES at every level
#define FIRN_CELL_MOST 16  // particles of one cell that are scattered together

// Particles from `begin` to the end of block b, at most a chunk.
static inline int firn_chunk_count(const firn_sparse_grid* grid, firn_local b, firn_local begin)
{
    const firn_local left = grid->first[b + 1] - begin;
    return left < FIRN_CHUNK ? (int)left : FIRN_CHUNK;
}

// Lanes without a particle repeat the last one; their results are not used.
static inline void firn_chunk_fill(firn_real record[][FIRN_RECORD], int count)
{
    for (int k = count; k % FIRN_LANES != 0; k++)
        memcpy(record[k], record[count - 1], sizeof record[k]);
}

// Positions and velocities of a chunk's particles, one array per component: FIRN_LANES are one
// load.
typedef struct firn_chunk_motion {
    firn_real x[3][FIRN_CHUNK] __attribute__((aligned(64)));
    firn_real v[3][FIRN_CHUNK];
    firn_cell_offset offset[FIRN_CHUNK];
} firn_chunk_motion;

static inline void firn_chunk_load_motion(firn_chunk_motion* c, int k, firn_vec3 x, firn_vec3 v)
{
    c->x[0][k] = x.x, c->x[1][k] = x.y, c->x[2][k] = x.z;
    c->v[0][k] = v.x, c->v[1][k] = v.y, c->v[2][k] = v.z;
}

// Lanes without a particle repeat the last one.
static inline void firn_chunk_fill_motion(firn_chunk_motion* c, int count)
{
    for (int k = count; k % FIRN_LANES != 0; k++) {
        for (int d = 0; d < 3; d++) {
            c->x[d][k] = c->x[d][count - 1];
            c->v[d][k] = c->v[d][count - 1];
        }
    }
}

#if FIRN_LANES > 1  // for files of a SIMD level
// firn_weights_axis of a SIMD batch: returns the lowest node modulo 4.
static inline firn_lanes_int firn_chunk_axis(firn_lanes x_over_h, firn_lanes* t)
{
    const firn_lanes_int towards_0 = __builtin_convertvector(x_over_h, firn_lanes_int);
    const firn_lanes_int cell =
        towards_0 + (firn_lanes_int)(__builtin_convertvector(towards_0, firn_lanes) > x_over_h);
    *t = x_over_h - __builtin_convertvector(cell, firn_lanes);
    return (cell - 1) & 3;
}

// firn_cell_offset_of of the whole chunk.
static inline void firn_chunk_offsets(firn_chunk_motion* c, int count, firn_real inverse_cell)
{
    const firn_lanes inverse = firn_lanes_all(inverse_cell);
    for (int k = 0; k < count; k += FIRN_LANES) {
        firn_lanes t[3];
        const firn_lanes_int x = firn_chunk_axis(firn_lanes_load(c->x[0] + k) * inverse, &t[0]);
        const firn_lanes_int y = firn_chunk_axis(firn_lanes_load(c->x[1] + k) * inverse, &t[1]);
        const firn_lanes_int z = firn_chunk_axis(firn_lanes_load(c->x[2] + k) * inverse, &t[2]);
        const firn_lanes_int corner = (x * FIRN_TILE_SIDE + y) * FIRN_TILE_STRIDE + z;
        firn_lanes_store4((firn_real*)&c->offset[k], t[0], t[1], t[2],
                          firn_lanes_from_bits(corner));
    }
}
#endif

// The record that the stress of one particle is computed from: F_E (9), J_P, V_p^0, xi, mu_0 and
// lambda_0 with the particle's stiffness, cap of the hardening.
static inline void firn_chunk_stress_record(const firn_mpm_forces_args* a, firn_local p,
                                            firn_real r[FIRN_RECORD])
{
    const firn_mpm_material* mat = &a->materials[a->material[p]];
    memcpy(r, &a->def_grad_elastic[p], sizeof(firn_mat3));
    r[9] = a->plastic_det[p];
    r[10] = a->volume[p];
    r[11] = firn_mpm_rate(mat, a->hardening, p, r[9]);
    r[12] = mat->lame_0.mu * a->stiffness[p];
    r[13] = mat->lame_0.lambda * a->stiffness[p];
    r[14] = mat->hardening_max;
}

// How many of the first particles share a cell, at most FIRN_CELL_MOST.
static inline int firn_chunk_cell(const firn_cell_offset* offset, int count)
{
    int n = 1;
    while (n < count && n < FIRN_CELL_MOST && offset[n].corner == offset->corner) n++;
    return n;
}

// Prefetches what the fused passes will read of particle k of the next chunk: the list is sorted,
// the store only nearly, so the hardware cannot predict it. `begin`: of this chunk, in the list.
static inline void firn_chunk_prefetch(const firn_sparse_grid* grid, firn_local begin, int k,
                                       const firn_mat3* F_E, const firn_vec3* x, const firn_vec3* v)
{
    const firn_local last = grid->first[grid->occupied_count] - 1, at = begin + k + FIRN_CHUNK;
    const firn_local p = grid->order[at < last ? at : last];
    __builtin_prefetch(&F_E[p].m[0][0]);
    __builtin_prefetch(&F_E[p].m[2][2]);
    __builtin_prefetch(&x[p]);
    __builtin_prefetch(&v[p]);
}
