// SPDX-License-Identifier: MIT
// A stable sort of 64-bit keys. Stable means that the result is unique: it cannot depend on the
// number of threads.
#pragma once
#include "core/result.h"

typedef struct firn_key_sort {
    uint64_t* key[2];      // owned; two buffers that take turns
    firn_local* order[2];  // owned
    firn_local* counts;    // owned; histograms, one per thread
    firn_local capacity;
    int threads;
} firn_key_sort;

firn_result firn_key_sort_reserve(firn_key_sort* sort, firn_local count, int threads);
void firn_key_sort_destroy(firn_key_sort* sort);
// Sorts key[0][0..count): afterwards *out_keys ascends and new item k is old item (*out_order)[k].
// Both point into `sort`. False when the keys ascend already (the outputs are then key[0], null).
bool firn_key_sort_run(firn_key_sort* sort, firn_local count, const uint64_t** out_keys,
                       const firn_local** out_order);
