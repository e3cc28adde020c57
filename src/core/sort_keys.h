// SPDX-License-Identifier: MIT
// Stable sort of 64-bit keys. The result is unique, so it does not depend on the number of threads.
#pragma once
#include "core/result.h"

typedef struct firn_key_sort {
    uint64_t* key[2];      // owned; double buffer
    firn_local* order[2];  // owned
    firn_local* counts;    // owned; histograms, one per thread
    firn_local capacity;
    int threads;
} firn_key_sort;

firn_result firn_key_sort_reserve(firn_key_sort* sort, firn_local count, int threads);
void firn_key_sort_destroy(firn_key_sort* sort);
// Sorts key[0][0..count): afterwards *out_keys ascends and new item k is old item (*out_order)[k].
// Both point into `sort`. False: the keys were already sorted (the outputs are key[0] and null).
bool firn_key_sort_run(firn_key_sort* sort, firn_local count, const uint64_t** out_keys,
                       const firn_local** out_order);
