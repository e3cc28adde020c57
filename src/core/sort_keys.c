// SPDX-License-Identifier: MIT
// Least-significant-digit radix sort over the digits that differ between keys. Each thread owns a
// contiguous chunk of the input. Output positions are assigned digit by digit, chunk by chunk, so
// every write has one owner and the sort is stable:
//
//     chunk 0 | chunk 1 | chunk 2       outputs of digit 0: [c0][c1][c2], of digit 1: [c0][c1]...
#include "core/sort_keys.h"

#include <omp.h>

#include "core/memory.h"

#define DIGIT_BITS 11
#define DIGITS (1 << DIGIT_BITS)

firn_result firn_key_sort_reserve(firn_key_sort* sort, firn_local count, int threads)
{
    if (threads > sort->threads) {
        firn_local* counts = firn_alloc((size_t)threads * DIGITS, sizeof *counts);
        if (counts == NULL) return FIRN_BROKEN_MEMORY;
        firn_free(sort->counts);
        sort->counts = counts;
        sort->threads = threads;
    }
    if (count <= sort->capacity) return FIRN_OK;
    for (int i = 0; i < 2; i++) {
        uint64_t* key = firn_alloc((size_t)count, sizeof *key);
        firn_local* order = firn_alloc((size_t)count, sizeof *order);
        if (key == NULL || order == NULL) {
            firn_free(key);
            firn_free(order);
            return FIRN_BROKEN_MEMORY;
        }
        firn_free(sort->key[i]);
        firn_free(sort->order[i]);
        sort->key[i] = key;
        sort->order[i] = order;
    }
    sort->capacity = count;
    return FIRN_OK;
}

void firn_key_sort_destroy(firn_key_sort* sort)
{
    for (int i = 0; i < 2; i++) {
        firn_free(sort->key[i]);
        firn_free(sort->order[i]);
    }
    firn_free(sort->counts);
    *sort = (firn_key_sort){0};
}

// Bits in which any key differs from the first. *out_ascending: the keys are already sorted.
static uint64_t differing_bits(const uint64_t* key, firn_local count, int threads,
                               bool* out_ascending)
{
    uint64_t bits = 0;
    int disorder = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(| : bits, disorder)
    for (firn_local k = 1; k < count; k++) {
        bits |= key[k] ^ key[0];
        disorder |= key[k] < key[k - 1];
    }
    *out_ascending = disorder == 0;
    return bits;
}

static void sort_digit(const uint64_t* key, const firn_local* order, uint64_t* key_out,
                       firn_local* order_out, firn_local count, int shift, firn_local* counts,
                       int threads)
{
#pragma omp parallel num_threads(threads)
    {
        const int me = omp_get_thread_num(), all = omp_get_num_threads();
        const firn_local begin = (firn_local)((int64_t)count * me / all);
        const firn_local end = (firn_local)((int64_t)count * (me + 1) / all);
        firn_local* mine = counts + (size_t)me * DIGITS;
        for (int d = 0; d < DIGITS; d++) mine[d] = 0;
        for (firn_local k = begin; k < end; k++) mine[(key[k] >> shift) & (DIGITS - 1)]++;
#pragma omp barrier
#pragma omp single
        {
            firn_local place = 0;
            for (int d = 0; d < DIGITS; d++) {
                for (int t = 0; t < all; t++) {
                    const firn_local n = counts[(size_t)t * DIGITS + (size_t)d];
                    counts[(size_t)t * DIGITS + (size_t)d] = place;
                    place += n;
                }
            }
        }
        for (firn_local k = begin; k < end; k++) {
            const firn_local place = mine[(key[k] >> shift) & (DIGITS - 1)]++;
            key_out[place] = key[k];
            order_out[place] = order[k];
        }
    }
}

bool firn_key_sort_run(firn_key_sort* sort, firn_local count, const uint64_t** out_keys,
                       const firn_local** out_order)
{
    *out_keys = sort->key[0];
    *out_order = NULL;
    if (count < 2) return false;
    bool ascending;
    const uint64_t bits = differing_bits(sort->key[0], count, sort->threads, &ascending);
    if (ascending) return false;
    firn_local* order = sort->order[0];
#pragma omp parallel for schedule(static) num_threads(sort->threads)
    for (firn_local k = 0; k < count; k++) order[k] = k;
    int from = 0;
    for (int shift = 0; shift < 64; shift += DIGIT_BITS) {
        if (((bits >> shift) & (DIGITS - 1)) == 0) continue;
        sort_digit(sort->key[from], sort->order[from], sort->key[1 - from], sort->order[1 - from],
                   count, shift, sort->counts, sort->threads);
        from = 1 - from;
    }
    *out_keys = sort->key[from];
    *out_order = sort->order[from];
    return true;
}
