// SPDX-License-Identifier: MIT
// Sorts particles by block and cell and activates the grid blocks they need, once per step.
//
// Particles are not moved in memory; the list `grid->order` is sorted by block (in Morton order),
// then cell, then index. Most particles have not left their block since the last step, so their
// blocks are found in the grid's table of that step, through a small cache. No keys are compared,
// and the cost does not depend on the size of the domain.
#pragma once
#include "core/sort_keys.h"
#include "state/sparse_grid.h"

typedef struct firn_block_sort {
    uint32_t* label;   // owned [capacity]; block << 6 | cell; others may use it between sorts
    uint8_t* unknown;  // owned; of each page of particles: 1 if it has blocks that are new
    firn_local capacity;
    firn_local* one_block;  // owned [workers][block_most]; the particles of one block
    firn_local block_most;  // particles that a block may have
    int workers;
    // owned [chunks + 1][blocks]; counts, then position of the next particle; last: counts of all
    firn_local* place;
    size_t place_capacity;
    firn_key_sort block_keys;  // keys of the occupied blocks
    firn_local* old;           // owned [2][old_capacity]; their previous numbers
    firn_local old_capacity;
} firn_block_sort;

// Sorts particles 0 .. count and activates the grid. The result depends on the positions only, not
// on the team, the number of chunks that it shares (one per thread), or earlier steps. *out_bad:
// the first particle that is not finite or out of the grid's range (the grid is then unchanged), or
// `count`.
firn_result firn_block_sort_run(firn_block_sort* sort, firn_sparse_grid* grid,
                                const firn_vec3* position, firn_local count, int chunks,
                                firn_local* out_bad);
void firn_block_sort_destroy(firn_block_sort* sort);
