// SPDX-License-Identifier: MIT
// A chunk: a few dozen particles of one block that the fused passes process together.
#pragma once
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
