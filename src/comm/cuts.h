// SPDX-License-Identifier: MIT
// Which rank owns a block of the grid: a binary tree of cuts through space, known to every rank.
//
// Recursive bisection by weight (Berger and Bokhari, A partitioning strategy for nonuniform
// problems on multiprocessors, 1987): the blocks of a set of ranks are divided across the longest
// axis of their box, in proportion to the ranks on either side. Blocks on the plane of the cut are
// divided by their other coordinates, so that weights fit to a single block.
#pragma once
#include "core/result.h"

// Blocks whose key is less belong to the ranks below. The key has the coordinate along `axis` in
// its highest bits, then those along the next two.
typedef struct firn_cut {
    uint64_t key;
    int32_t axis;
} firn_cut;

typedef struct firn_cuts {
    int ranks;
    firn_cut* at;  // owned [ranks]; at[m] divides a set of ranks into those below m and the others
} firn_cuts;

// Zeroed before. FIRN_BROKEN_MEMORY.
firn_result firn_cuts_create(int ranks, firn_cuts* out_cuts);
void firn_cuts_destroy(firn_cuts* cuts);
// Divides the space again, for blocks [count] with weights. FIRN_BROKEN_MEMORY: cuts are as before.
firn_result firn_cuts_make(firn_cuts* cuts, const int32_t (*block)[3], const double* weight,
                           firn_local count);

uint64_t firn_cut_key(int axis, const int32_t block[3]);

static inline int firn_cuts_owner(const firn_cuts* cuts, const int32_t block[3])
{
    int low = 0, high = cuts->ranks;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        const firn_cut* cut = &cuts->at[middle];
        if (firn_cut_key(cut->axis, block) < cut->key)
            high = middle;
        else
            low = middle;
    }
    return low;
}
