// SPDX-License-Identifier: MIT
// Sorting particles by block and cell, and waking the blocks they need: once per step.
//
// Particles stay where they are stored; what is sorted is their list, `grid->order`, by block (in
// Morton order), then cell, then place in store. Most particles have not left their block since the
// last step, so blocks are found again in the grid's table of then, through a small cache; no key
// is ever compared with another, and a wide domain costs no more than a narrow one.
#pragma once
#include "core/sort_keys.h"
#include "state/sparse_grid.h"

typedef struct firn_block_sort {
    uint32_t* label;  // owned [capacity]; block << 6 | cell; free for others between sorts
    firn_local capacity;
    firn_local* one_block;  // owned [threads][block_most]; the particles of one block
    firn_local block_most;  // particles that a block may have
    int threads;
    firn_local* place;  // owned [threads][blocks]; counts, then where the next particle goes
    size_t place_capacity;
    firn_key_sort homes;  // keys of the home blocks
    firn_local* old;      // owned [2][old_capacity]; what their numbers were
    firn_local old_capacity;
} firn_block_sort;

// Sorts particles 0 .. count and wakes the grid. The result depends on the positions only, not on
// threads or on earlier steps. *out_bad: the first particle that is not finite or beyond the grid's
// reach (the grid is then as before), or `count`.
firn_result firn_block_sort_run(firn_block_sort* sort, firn_sparse_grid* grid,
                                const firn_vec3* position, firn_local count, int threads,
                                firn_local* out_bad);
void firn_block_sort_destroy(firn_block_sort* sort);
