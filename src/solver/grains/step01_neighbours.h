// SPDX-License-Identifier: MIT
// Step 1, lines 2 and 3 of Algorithm 1: everyone whom a grain may feel.
//
// Lists reach a skin further than anything acts, and hold until some grain has moved by half of it.
// Then the grains are put into the order of their cells and listed again. Where they were listed is
// a field of the particles: a run that goes on from a checkpoint makes the same lists at the same
// steps, and so has the same sums.
#pragma once
#include "solver/grains/grains_state.h"

// FIRN_BROKEN_MEMORY; FIRN_BROKEN_DIVERGED: more neighbours than there is room for.
firn_result firn_grains_neighbours(firn_grains* m, firn_error* error);
