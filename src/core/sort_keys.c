// SPDX-License-Identifier: MIT
// Least-significant-digit radix sort over the digits that differ between keys. Each part of a loop
// owns contiguous chunks of the input, as many as there are threads. Output positions are assigned
// digit by digit, chunk by chunk, so every write has one owner and the sort is stable:
//
//     chunk 0 | chunk 1 | chunk 2       outputs of digit 0: [c0][c1][c2], of digit 1: [c0][c1]...
#include "core/sort_keys.h"

#include "core/memory.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"

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

#define GRAIN 4096  // keys worth a part of a loop

typedef struct scan_pass {
    const uint64_t* key;
    uint64_t* bits;
    int* disorder;
} scan_pass;

static void scan_keys(const void* self, firn_local begin, firn_local end)
{
    const scan_pass* pass = self;
    const uint64_t* key = pass->key;
    uint64_t bits = 0;
    int disorder = 0;
    for (firn_local k = begin > 0 ? begin : 1; k < end; k++) {
        bits |= key[k] ^ key[0];
        disorder |= key[k] < key[k - 1];
    }
    firn_atomic_or64(pass->bits, bits);
    firn_atomic_or(pass->disorder, disorder);
}

// Bits in which any key differs from the first. *out_ascending: the keys are already sorted.
static uint64_t differing_bits(const uint64_t* key, firn_local count, bool* out_ascending)
{
    uint64_t bits = 0;
    int disorder = 0;
    firn_share(count, GRAIN, scan_keys, &(scan_pass){key, &bits, &disorder});
    *out_ascending = disorder == 0;
    return bits;
}

// A digit of all keys: from one buffer to the other.
typedef struct digit_pass {
    const uint64_t* key;
    const firn_local* order;
    uint64_t* key_out;
    firn_local* order_out;
    firn_local count;
    int shift, chunks;
    firn_local* counts;  // [chunks][DIGITS]; then the position of the next key
} digit_pass;

static firn_local chunk_begin(const digit_pass* pass, firn_local chunk)
{
    return (firn_local)((int64_t)pass->count * chunk / pass->chunks);
}

static void count_digits(const void* self, firn_local begin, firn_local end)
{
    const digit_pass* pass = self;
    const uint64_t* key = pass->key;
    const int shift = pass->shift;
    for (firn_local t = begin; t < end; t++) {
        firn_local* mine = pass->counts + (size_t)t * DIGITS;
        for (int d = 0; d < DIGITS; d++) mine[d] = 0;
        const firn_local last = chunk_begin(pass, t + 1);
        for (firn_local k = chunk_begin(pass, t); k < last; k++)
            mine[(key[k] >> shift) & (DIGITS - 1)]++;
    }
}

// Positions of the keys of all digits: each block of digits adds up its counts, and then numbers
// its keys behind those of the blocks before it.
#define BLOCKS 16
#define BLOCK_DIGITS (DIGITS / BLOCKS)

typedef struct place_pass {
    const digit_pass* digits;
    firn_local* first;  // [BLOCKS]: number of keys, then the first position
} place_pass;

static void sum_blocks(const void* self, firn_local begin, firn_local end)
{
    const place_pass* pass = self;
    for (firn_local b = begin; b < end; b++) {
        firn_local sum = 0;
        for (int t = 0; t < pass->digits->chunks; t++) {
            const firn_local* counts =
                pass->digits->counts + (size_t)t * DIGITS + (size_t)b * BLOCK_DIGITS;
            for (int d = 0; d < BLOCK_DIGITS; d++) sum += counts[d];
        }
        pass->first[b] = sum;
    }
}

static void place_blocks(const void* self, firn_local begin, firn_local end)
{
    const place_pass* pass = self;
    for (firn_local b = begin; b < end; b++) {
        firn_local place = pass->first[b];
        for (firn_local d = b * BLOCK_DIGITS; d < (b + 1) * BLOCK_DIGITS; d++)
            for (int t = 0; t < pass->digits->chunks; t++) {
                firn_local* at = &pass->digits->counts[(size_t)t * DIGITS + (size_t)d];
                const firn_local n = *at;
                *at = place;
                place += n;
            }
    }
}

static void place_digits(const digit_pass* digits)
{
    firn_local first[BLOCKS], place = 0;
    const place_pass pass = {digits, first};
    const firn_local grain = 1 + 31 / digits->chunks;  // 4096 counts, 1 to 3 ns each
    firn_share(BLOCKS, grain, sum_blocks, &pass);
    for (int b = 0; b < BLOCKS; b++) {
        const firn_local n = first[b];
        first[b] = place;
        place += n;
    }
    firn_share(BLOCKS, grain, place_blocks, &pass);
}

static void move_keys(const void* self, firn_local begin, firn_local end)
{
    const digit_pass* pass = self;
    const uint64_t* key = pass->key;
    const firn_local* order = pass->order;
    uint64_t* key_out = pass->key_out;
    firn_local* order_out = pass->order_out;
    const int shift = pass->shift;
    for (firn_local t = begin; t < end; t++) {
        firn_local* mine = pass->counts + (size_t)t * DIGITS;
        const firn_local last = chunk_begin(pass, t + 1);
        for (firn_local k = chunk_begin(pass, t); k < last; k++) {
            const firn_local place = mine[(key[k] >> shift) & (DIGITS - 1)]++;
            key_out[place] = key[k];
            order_out[place] = order[k];
        }
    }
}

// Chunks for `count` keys: a few keys are not worth the histograms of many.
static int chunks_for(const firn_key_sort* sort, firn_local count)
{
    const firn_local most = count / GRAIN + 1;
    return most < sort->threads ? (int)most : sort->threads;
}

static void number_keys(const void* self, firn_local begin, firn_local end)
{
    firn_local* const* order = self;
    for (firn_local k = begin; k < end; k++) (*order)[k] = k;
}

bool firn_key_sort_run(firn_key_sort* sort, firn_local count, const uint64_t** out_keys,
                       const firn_local** out_order)
{
    *out_keys = sort->key[0];
    *out_order = NULL;
    if (count < 2) return false;
    bool ascending;
    const uint64_t bits = differing_bits(sort->key[0], count, &ascending);
    if (ascending) return false;
    firn_share(count, 4 * GRAIN, number_keys, &sort->order[0]);
    int from = 0;
    for (uint64_t left = bits; left != 0;) {
        const int shift = __builtin_ctzll(left);  // a digit begins where keys differ
        left &= ~((uint64_t)(DIGITS - 1) << shift);
        const digit_pass pass = {sort->key[from],
                                 sort->order[from],
                                 sort->key[1 - from],
                                 sort->order[1 - from],
                                 count,
                                 shift,
                                 chunks_for(sort, count),
                                 sort->counts};
        firn_share(pass.chunks, 1, count_digits, &pass);
        place_digits(&pass);
        firn_share(pass.chunks, 1, move_keys, &pass);
        from = 1 - from;
    }
    *out_keys = sort->key[from];
    *out_order = sort->order[from];
    return true;
}
