// SPDX-License-Identifier: MIT
// What the blocks of a rank cost: one step in eight is timed, block by block, in seconds that
// threads have computed. Nothing but the cuts between ranks depends on it, hence no result.
//
// A step is more than its loops over blocks: the time of the rank's thread without its waiting is
// divided among the blocks in proportion to what was measured of each.
#pragma once
#include "comm/comm.h"
#include "state/sparse_grid.h"

#define FIRN_WORK_EVERY 8  // steps of which one is timed

// Seconds per particle of a block.
typedef struct firn_work_block {
    uint64_t key;  // firn_block_key
    double each;
} firn_work_block;

// Zeroed before.
typedef struct firn_work {
    double* seconds;  // owned [capacity]; of the blocks of a timed step
    firn_local capacity;
    firn_work_block* last;  // owned [last_capacity], by key: the last timed step
    firn_local last_count, last_capacity;
    bool is_timed;   // this step
    double begun;    // of the step: seconds of this thread
    double total;    // seconds of the timed steps since firn_work_forget
    int64_t steps;   // of which these are
    int64_t passed;  // steps since then
} firn_work;

void firn_work_destroy(firn_work* work);
// A step begins.
void firn_work_begin(firn_work* work, firn_sparse_grid* grid, firn_comm* comm, int64_t step);
// Its blocks are known. False: out of memory.
bool firn_work_take_blocks(firn_work* work, firn_sparse_grid* grid);
// It has ended, on this rank.
void firn_work_end(firn_work* work, firn_sparse_grid* grid, firn_comm* comm);
// What was measured until now belongs to earlier cuts.
void firn_work_forget(firn_work* work);
// The mean seconds of a timed step; 0: there was none.
double firn_work_of_step(const firn_work* work);
// Seconds that each block of the grid takes in a step, [occupied_count]; blocks that are new since
// the last timed step have the mean of the others per particle. Some step was timed.
void firn_work_of_blocks(const firn_work* work, const firn_sparse_grid* grid, double* out_seconds);
