// SPDX-License-Identifier: MIT
// Reading the particles of all ranks in the order of one process, without having all of them: each
// rank knows which row of the whole each of its particles is, and gives rank 0 those it asks for.
//
// The rows are found by a sample sort (Blelloch et al., A comparison of sorting algorithms for the
// connection machine CM-2, 1991) of the particles' places, (origin, place):
//
//     own places, sorted ─► split at common values ─► each rank sorts one range of all places
//     row of each        ◄─────────────────────────── number of smaller ranges + index
#pragma once
#include "solver/mpm/ranks/rank_fill.h"
#include "state/particle_rows.h"

typedef struct firn_mpm_rows firn_mpm_rows;

// All of these on all ranks. Makes *out_rows, if it is null. FIRN_BROKEN_DIVERGED: a value of some
// particle is not finite.
firn_result firn_mpm_rows_find(firn_mpm* mine, firn_mpm_rows** rows, firn_error* error);
void firn_mpm_rows_destroy(firn_mpm_rows* rows);  // null is fine
// Rank 0 gets rows of a field, at most FIRN_MPM_ROWS_MOST; `out` is null elsewhere.
firn_result firn_mpm_rows_give(firn_mpm* mine, firn_mpm_rows* rows,
                               const firn_mpm_rows_order* order, void* out, firn_error* error);
#define FIRN_MPM_ROWS_MOST (1 << 17)
