// SPDX-License-Identifier: MIT
// Recursive bisection of blocks by weight.
#include "comm/cuts.h"

#include <string.h>

#include "core/memory.h"
#include "core/sort_keys.h"

#define BITS 18           // of a coordinate, as in state/block.h
#define ORIGIN (1 << 17)  // added to it

uint64_t firn_cut_key(int axis, const int32_t block[3])
{
    uint64_t key = 0;
    for (int d = 0; d < 3; d++)
        key = key << BITS | (uint64_t)((block[(axis + d) % 3] + ORIGIN) & ((1 << BITS) - 1));
    return key;
}

firn_result firn_cuts_create(int ranks, firn_cuts* out_cuts)
{
    firn_cut* at = firn_alloc((size_t)ranks, sizeof *at);
    if (at == NULL) return FIRN_BROKEN_MEMORY;
    *out_cuts = (firn_cuts){ranks, at};
    return FIRN_OK;
}

void firn_cuts_destroy(firn_cuts* cuts)
{
    firn_free(cuts->at);
    *cuts = (firn_cuts){0};
}

typedef struct bisection {
    firn_cuts* cuts;
    const int32_t (*block)[3];
    const double* weight;
    firn_local *list, *sorted;  // [count]; numbers of blocks
    firn_key_sort keys;
} bisection;

static int longest_axis(const bisection* b, const firn_local* list, firn_local count)
{
    int32_t low[3], high[3];
    for (int d = 0; d < 3; d++) low[d] = high[d] = count > 0 ? b->block[list[0]][d] : 0;
    for (firn_local k = 1; k < count; k++)
        for (int d = 0; d < 3; d++) {
            const int32_t c = b->block[list[k]][d];
            low[d] = c < low[d] ? c : low[d];
            high[d] = c > high[d] ? c : high[d];
        }
    int axis = 0;
    for (int d = 1; d < 3; d++)
        if (high[d] - low[d] > high[axis] - low[axis]) axis = d;
    return axis;
}

static void sort_along(bisection* b, int axis, firn_local* list, firn_local count)
{
    for (firn_local k = 0; k < count; k++)
        b->keys.key[0][k] = firn_cut_key(axis, b->block[list[k]]);
    const uint64_t* keys;
    const firn_local* order;
    firn_key_sort_run(&b->keys, count, &keys, &order);
    if (order == NULL) return;
    for (firn_local k = 0; k < count; k++) b->sorted[k] = list[order[k]];
    memcpy(list, b->sorted, (size_t)count * sizeof *list);
}

// Divides blocks list[0 .. count) among the ranks low .. high - 1.
static void divide(bisection* b, int low, int high, firn_local* list, firn_local count)
{
    if (high - low < 2) return;
    const int middle = low + (high - low) / 2, axis = longest_axis(b, list, count);
    sort_along(b, axis, list, count);
    double all = 0, below = 0;
    for (firn_local k = 0; k < count; k++) all += b->weight[list[k]];
    const double wanted = all * (middle - low) / (high - low);
    firn_local n = 0;  // blocks below the cut
    while (n < count && below + 0.5 * b->weight[list[n]] < wanted) below += b->weight[list[n++]];
    b->cuts->at[middle] =
        (firn_cut){n < count ? firn_cut_key(axis, b->block[list[n]]) : UINT64_MAX, axis};
    divide(b, low, middle, list, n);
    divide(b, middle, high, list + n, count - n);
}

firn_result firn_cuts_make(firn_cuts* cuts, const int32_t (*block)[3], const double* weight,
                           firn_local count)
{
    bisection b = {.cuts = cuts,
                   .block = block,
                   .weight = weight,
                   .list = firn_alloc((size_t)count + 1, sizeof *b.list),
                   .sorted = firn_alloc((size_t)count + 1, sizeof *b.sorted)};
    firn_result r = b.list != NULL && b.sorted != NULL ? FIRN_OK : FIRN_BROKEN_MEMORY;
    if (r == FIRN_OK) r = firn_key_sort_reserve(&b.keys, count + 1, 1);
    if (r == FIRN_OK) {
        for (firn_local k = 0; k < count; k++) b.list[k] = k;
        divide(&b, 0, cuts->ranks, b.list, count);
    }
    firn_free(b.list);
    firn_free(b.sorted);
    firn_key_sort_destroy(&b.keys);
    return r;
}
