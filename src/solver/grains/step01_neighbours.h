// SPDX-License-Identifier: MIT
// Step 1, lines 2 and 3 of Algorithm 1: neighbour lists.
//
// Lists include a skin beyond the range of all forces, and are valid until two grains may have
// approached each other by all of it (firn_grains_still). Then the grains are sorted by cell and
// the lists are rebuilt; bonds, which are bits by the index in a list, are mapped to the new
// indices. The positions and radii at the last rebuild are fields of the particles: a resumed run
// rebuilds the same lists at the same steps, and so has the same sums and bonds.
#pragma once
#include "solver/grains/grains_state.h"

// What a search reads: one array per number, in the order of the store, readable FIRN_GRAINS_SLICE
// beyond the end.
typedef struct firn_grains_search_args {
    const firn_real *x, *y, *z;  // where grains are listed [m]
    const firn_real* r;          // [m]
    const firn_real* gap;        // [m] that bonds, or water, reach
    firn_real skin;              // [m]
} firn_grains_search_args;

// Bonds of a grain whose list is replaced.
typedef struct firn_grains_carry_args {
    const int32_t* old;           // its list before
    uint64_t bonds;               // bit k: with grain old[k]
    const firn_local* new_index;  // of each grain before; -1: it has been removed
    const int32_t* now;           // its new list, readable FIRN_GRAINS_SLICE beyond its end
    int count;
} firn_grains_carry_args;

// Restores the lists after a checkpoint, if they are missing, from the positions at their last
// rebuild, before grains are removed. The results are the same.
firn_result firn_grains_recall_lists(firn_grains* m, firn_error* error);
// Lists the grains where they are now; bonds are mapped to the new lists. `kept`: index of each
// grain in the lists before, which had `before` grains; below 0: it is new, and begins with bonds
// to those of the same number. Null: all are where they were.
firn_result firn_grains_list_anew(firn_grains* m, const firn_local* kept, firn_local before,
                                  firn_error* error);
// FIRN_BROKEN_MEMORY; FIRN_BROKEN_DIVERGED: more neighbours than there is room for.
firn_result firn_grains_neighbours(firn_grains* m, firn_error* error);
