// SPDX-License-Identifier: MIT
// Particles come to the ranks: first each gets as many as the others, wherever they are; then all
// find cuts for them together, and they go to the owners of their blocks.
//
//     seeds, a checkpoint's rows, rank 0's arrays ─► rows of all: 0 0 0 1 1 1 2 2 2
//     divide                                      ─► owners of blocks
#pragma once
#include "solver/mpm/mpm_state.h"

// Rows of a field on their way from rank 0; the first of all fields has number 0.
typedef struct firn_mpm_rows_order {
    int64_t field, first, rows;
} firn_mpm_rows_order;

// All of these on all ranks. Makes room for this rank's part of `count` rows.
firn_result firn_mpm_fill_begin(firn_mpm* mine, firn_local count, firn_error* error);
// Rank 0 has the data, null elsewhere.
firn_result firn_mpm_fill_put(firn_mpm* mine, const firn_mpm_rows_order* order, const void* data,
                              firn_error* error);
// Makes new cuts and moves the particles to their owners.
firn_result firn_mpm_fill_divide(firn_mpm* mine, firn_error* error);
