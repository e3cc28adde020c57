// SPDX-License-Identifier: MIT
// Step 1, lines 2 and 3 of Algorithm 1: everyone whom a grain may feel.
//
// Lists reach a skin further than anything acts, and hold until some grain has moved by half of it.
// Then the grains are put into the order of their cells and listed again, and bonds, which are bits
// by the place in a list, find their new places. Where grains were listed, and how large, are
// fields of the particles: a run that goes on from a checkpoint makes the same lists at the same
// steps, and so has the same sums and bonds.
#pragma once
#include "solver/grains/grains_state.h"

// Makes the lists that the store was in when they were made, if they are not there (a checkpoint):
// before grains are removed. The same results.
firn_result firn_grains_recall_lists(firn_grains* m, firn_error* error);
// FIRN_BROKEN_MEMORY; FIRN_BROKEN_DIVERGED: more neighbours than there is room for.
firn_result firn_grains_neighbours(firn_grains* m, firn_error* error);
