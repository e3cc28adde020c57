// SPDX-License-Identifier: MIT
#include "solver/mpm/ranks/rank_rows.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sort_keys.h"
#include "solver/mpm/ranks/rank_part.h"
#include "solver/mpm/support/mpm_density.h"
#include "state/field_values.h"

#define SAMPLES 64                        // of each rank's places
#define ELEMENT_MOST (sizeof(firn_mat3))  // [bytes] of the largest field

// Where a particle is in the order of one process.
typedef struct place {
    uint32_t high, low, place;
} place;

typedef struct sample {
    place at;
    int64_t weight;  // particles that it stands for
} sample;

struct firn_mpm_rows {
    firn_local count, capacity;
    firn_local* order;  // owned [capacity]: this rank's particles in the order of one process
    uint32_t* row;      // owned [capacity]: of each of these
    char* sent;         // owned: rows of a field as they are sent, the number of each first
    size_t sent_capacity;
    char* got;  // owned, on rank 0: as they arrive
    size_t got_capacity;
};

static int compare(const place* a, const place* b)
{
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static int compare_samples(const void* a, const void* b)
{
    return compare(&((const sample*)a)->at, &((const sample*)b)->at);
}

static firn_result no_memory(const firn_mpm* mine, firn_error* error)
{
    return firn_fail(error, FIRN_BROKEN_MEMORY,
                     "rank %d: out of memory for the order of its %d particles",
                     firn_comm_rank(mine->part->comm), (int)mine->base.store.count);
}

static place place_of(const firn_mpm* mine, firn_local p)
{
    return (place){mine->p.origin_high[p], mine->p.origin_low[p], mine->p.place[p]};
}

// Sorts particles list[0 .. count) by their places.
static firn_result sort_particles(const firn_mpm* mine, firn_local* list, firn_local count)
{
    firn_key_sort sort = {0};
    const uint64_t* keys;
    const firn_local* order;
    firn_local* by_place = firn_alloc((size_t)count + 1, sizeof *by_place);
    if (by_place == NULL || firn_key_sort_reserve(&sort, count + 1, 1) != FIRN_OK) {
        firn_free(by_place);
        return FIRN_BROKEN_MEMORY;
    }
    for (firn_local k = 0; k < count; k++) sort.key[0][k] = mine->p.place[list[k]];
    firn_key_sort_run(&sort, count, &keys, &order);
    for (firn_local k = 0; k < count; k++) by_place[k] = list[order != NULL ? order[k] : k];
    for (firn_local k = 0; k < count; k++)  // both sorts are stable
        sort.key[0][k] =
            (uint64_t)mine->p.origin_high[by_place[k]] << 32 | mine->p.origin_low[by_place[k]];
    firn_key_sort_run(&sort, count, &keys, &order);
    for (firn_local k = 0; k < count; k++) list[k] = by_place[order != NULL ? order[k] : k];
    firn_free(by_place);
    firn_key_sort_destroy(&sort);
    return FIRN_OK;
}

// This rank's particles by their places. Those that came last are behind the others, and sorted by
// themselves.
static firn_result order_particles(const firn_mpm* mine, firn_local* out_order)
{
    const firn_local count = mine->base.store.count;
    firn_local ordered = count > 0 ? 1 : 0;
    while (ordered < count) {
        const place before = place_of(mine, ordered - 1), here = place_of(mine, ordered);
        if (compare(&before, &here) > 0) break;
        ordered++;
    }
    firn_local* late = firn_alloc((size_t)(count - ordered) + 1, sizeof *late);
    if (late == NULL) return FIRN_BROKEN_MEMORY;
    for (firn_local k = ordered; k < count; k++) late[k - ordered] = k;
    const firn_result r = sort_particles(mine, late, count - ordered);
    firn_local a = 0, b = 0;
    for (firn_local k = 0; k < count && r == FIRN_OK; k++) {
        bool takes = b < count - ordered;
        if (takes && a < ordered) {
            const place first = place_of(mine, a), second = place_of(mine, late[b]);
            takes = compare(&second, &first) < 0;
        }
        out_order[k] = takes ? late[b++] : a++;
    }
    firn_free(late);
    return r;
}

// This rank's places in their order.
static firn_result list_places(const firn_mpm* mine, firn_mpm_rows* rows, place** out_places)
{
    const firn_local count = mine->base.store.count;
    rows->count = count;
    if (count > rows->capacity || rows->order == NULL) {
        firn_free(rows->order);
        firn_free(rows->row);
        rows->capacity = count + count / 8;
        rows->order = firn_alloc((size_t)rows->capacity + 1, sizeof *rows->order);
        rows->row = firn_alloc((size_t)rows->capacity + 1, sizeof *rows->row);
        if (rows->order == NULL || rows->row == NULL) return FIRN_BROKEN_MEMORY;
    }
    FIRN_TRY(order_particles(mine, rows->order));
    place* sorted = firn_alloc((size_t)count + 1, sizeof *sorted);
    for (firn_local k = 0; k < count && sorted != NULL; k++)
        sorted[k] = place_of(mine, rows->order[k]);
    *out_places = sorted;
    return sorted != NULL ? FIRN_OK : FIRN_BROKEN_MEMORY;
}

// The values that divide all places into as many ranges as ranks: splits[r] begins that of rank r.
static firn_result split(firn_mpm_part* part, const place* places, firn_local count, place* splits,
                         firn_error* error)
{
    const int ranks = firn_comm_count(part->comm);
    const bool first = firn_comm_rank(part->comm) == 0;
    sample own[SAMPLES];
    const firn_local samples = count < SAMPLES ? count : SAMPLES;
    memset(own, 0, sizeof own);
    for (firn_local k = 0; k < samples; k++)
        own[k] = (sample){places[(int64_t)count * k / samples], count / samples};
    sample* all = first ? firn_alloc((size_t)ranks * SAMPLES, sizeof *all) : NULL;
    FIRN_TRY(firn_comm_settle(
        part->comm,
        first && all == NULL ? firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory") : FIRN_OK,
        error));
    for (int r = 0; r < ranks; r++) part->bytes[r] = sizeof own;
    firn_comm_gather(part->comm, own, sizeof own, all, first ? part->bytes : NULL);
    if (first) {
        int64_t weight = 0, below = 0;
        qsort(all, (size_t)ranks * SAMPLES, sizeof *all, compare_samples);
        for (int k = 0; k < ranks * SAMPLES; k++) weight += all[k].weight;
        int next = 1;
        splits[0] = (place){0};
        for (int k = 0; k < ranks * SAMPLES && next < ranks; k++) {
            while (next < ranks && below * ranks >= weight * next) splits[next++] = all[k].at;
            below += all[k].weight;
        }
        while (next < ranks) splits[next++] = (place){UINT32_MAX, UINT32_MAX, UINT32_MAX};
    }
    firn_free(all);
    firn_comm_broadcast(part->comm, 0, splits, (size_t)ranks * sizeof *splits);
    return firn_comm_check(part->comm, error);
}

// The first of sorted places that is not below `limit`.
static firn_local find(const place* places, firn_local count, const place* limit)
{
    firn_local low = 0, high = count;
    while (low < high) {
        const firn_local middle = low + (high - low) / 2;
        if (compare(&places[middle], limit) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Sends counts[r] elements to each rank r, one after the other, and receives theirs.
static void exchange(firn_mpm_part* part, void* out, const int64_t* out_counts, void* in,
                     const int64_t* in_counts, size_t size)
{
    const int me = firn_comm_rank(part->comm);
    int to = 0, from = 0;
    char *sent = out, *got = in;
    for (int r = 0; r < firn_comm_count(part->comm); r++) {
        const size_t leaves = (size_t)out_counts[r] * size, arrives = (size_t)in_counts[r] * size;
        if (r == me && leaves > 0) memcpy(got, sent, leaves);
        if (r != me && leaves > 0) part->to[to++] = (firn_message){r, sent, leaves};
        if (r != me && arrives > 0) part->from[from++] = (firn_message){r, got, arrives};
        sent += leaves;
        got += arrives;
    }
    firn_comm_exchange_begin(part->comm, part->to, to, part->from, from);
    firn_comm_exchange_end(part->comm);
}

// A sorted run of places that came from one rank.
typedef struct run {
    const place* at;
    int64_t next, end;
} run;

// Restores the heap below its top, whose run has moved on or ended.
static void sink(run* heap, int count)
{
    for (int top = 0;;) {
        int least = top;
        for (int child = 2 * top + 1; child <= 2 * top + 2 && child < count; child++)
            if (compare(&heap[child].at[heap[child].next], &heap[least].at[heap[least].next]) < 0)
                least = child;
        if (least == top) return;
        const run other = heap[top];
        heap[top] = heap[least];
        heap[least] = other;
        top = least;
    }
}

// Merges the runs of all ranks: number[k] is `before` and the index of place k in the order of all.
static void number_places(const place* got, const int64_t* counts, int ranks, run* heap,
                          int64_t before, uint32_t* number)
{
    int live = 0;
    int64_t begin = 0;
    for (int r = 0; r < ranks; begin += counts[r++]) {
        if (counts[r] == 0) continue;
        int at = live++;
        const run own = {got, begin, begin + counts[r]};
        for (; at > 0; at = (at - 1) / 2) {
            const run* parent = &heap[(at - 1) / 2];
            if (compare(&got[parent->next], &got[own.next]) <= 0) break;
            heap[at] = *parent;
        }
        heap[at] = own;
    }
    for (uint32_t k = (uint32_t)before; live > 0; k++) {
        number[heap[0].next++] = k;
        if (heap[0].next == heap[0].end) heap[0] = heap[--live];
        sink(heap, live);
    }
}

// The number of places before this rank's range.
static int64_t count_before(firn_mpm_part* part, int64_t range)
{
    const int ranks = firn_comm_count(part->comm);
    int64_t *own = part->sizes, *all = part->sizes + ranks, before = 0;
    for (int r = 0; r < ranks; r++) own[r] = range;
    firn_comm_tell(part->comm, own, all, 1);
    for (int r = 0; r < firn_comm_rank(part->comm); r++) before += all[r];
    return before;
}

// Finds the row of each of this rank's sorted places, which it frees.
static firn_result find_rows(firn_mpm* mine, firn_mpm_rows* rows, place** places, place* splits,
                             firn_error* error)
{
    firn_mpm_part* part = mine->part;
    const int ranks = firn_comm_count(part->comm);
    FIRN_TRY(split(part, *places, rows->count, splits, error));
    for (int r = 0; r < ranks; r++)
        part->leaving[r] = r + 1 < ranks ? find(*places, rows->count, &splits[r + 1]) : rows->count;
    for (int r = ranks - 1; r > 0; r--) part->leaving[r] -= part->leaving[r - 1];
    firn_comm_tell(part->comm, part->leaving, part->arriving, 1);
    int64_t range = 0;
    for (int r = 0; r < ranks; r++) range += part->arriving[r];
    place* got = firn_alloc((size_t)range + 1, sizeof *got);
    uint32_t* number = firn_alloc((size_t)range + 1, sizeof *number);
    run* heap = firn_alloc((size_t)ranks, sizeof *heap);
    const bool fits = got != NULL && number != NULL && heap != NULL;
    firn_result r = firn_comm_settle(part->comm, fits ? FIRN_OK : no_memory(mine, error), error);
    if (r == FIRN_OK) {
        exchange(part, *places, part->leaving, got, part->arriving, sizeof *got);
        firn_free(*places);
        *places = NULL;
        number_places(got, part->arriving, ranks, heap, count_before(part, range), number);
        exchange(part, number, part->arriving, rows->row, part->leaving, sizeof *number);
        r = firn_comm_check(part->comm, error);
    }
    firn_free(got);
    firn_free(number);
    firn_free(heap);
    return r;
}

// Whether all values are finite, and room for what is sent later.
static firn_result begin(firn_mpm* mine, firn_mpm_rows* rows, place** out_places, firn_error* error)
{
    const firn_value_limits limits = {.finite_only = true};
    firn_invalid_value invalid;
    const size_t each = sizeof(uint32_t) + ELEMENT_MOST;
    const firn_local count = mine->base.store.count;
    const firn_local most = count < FIRN_MPM_ROWS_MOST ? count : FIRN_MPM_ROWS_MOST;
    if (firn_particles_find_invalid(&mine->base.store, &limits, &invalid))
        return firn_fail(error, FIRN_BROKEN_DIVERGED, "rank %d: '%s' of a particle is not finite",
                         firn_comm_rank(mine->part->comm), invalid.field->name);
    if (list_places(mine, rows, out_places) != FIRN_OK ||
        !firn_mpm_part_grow((void**)&rows->sent, &rows->sent_capacity, (size_t)most * each) ||
        (firn_comm_rank(mine->part->comm) == 0 &&
         !firn_mpm_part_grow((void**)&rows->got, &rows->got_capacity, FIRN_MPM_ROWS_MOST * each)))
        return no_memory(mine, error);
    return FIRN_OK;
}

firn_result firn_mpm_rows_find(firn_mpm* mine, firn_mpm_rows** rows, firn_error* error)
{
    firn_mpm_part* part = mine->part;
    place *places = NULL, *splits = firn_alloc((size_t)firn_comm_count(part->comm), sizeof *splits);
    firn_mpm_refresh_pointers(mine);
    if (*rows == NULL) *rows = firn_alloc(1, sizeof **rows);
    firn_result r = *rows != NULL && splits != NULL ? begin(mine, *rows, &places, error)
                                                    : no_memory(mine, error);
    r = firn_comm_settle(part->comm, r, error);
    if (r == FIRN_OK) r = find_rows(mine, *rows, &places, splits, error);
    firn_free(places);
    firn_free(splits);
    return r;
}

void firn_mpm_rows_destroy(firn_mpm_rows* rows)
{
    if (rows == NULL) return;
    firn_free(rows->order);
    firn_free(rows->row);
    firn_free(rows->sent);
    firn_free(rows->got);
    firn_free(rows);
}

static size_t size_of(const firn_mpm* mine, int64_t field)
{
    return field == FIRN_ROWS_DENSITY ? sizeof(firn_real) : mine->base.store.fields[field].size;
}

// This rank's rows among those of the order, packed; returns how many.
static firn_local pack(const firn_mpm* mine, const firn_mpm_rows* rows,
                       const firn_mpm_rows_order* order)
{
    firn_local begin = 0, count = rows->count;
    while (count > 0) {  // the first that is not before the order
        const firn_local half = count / 2;
        const bool before = rows->row[begin + half] < order->first;
        begin += before ? half + 1 : 0;
        count = before ? count - half - 1 : half;
    }
    firn_local end = begin;
    while (end < rows->count && rows->row[end] < order->first + order->rows) end++;
    const size_t own = (size_t)(end - begin), size = size_of(mine, order->field);
    uint32_t* number = (uint32_t*)(void*)rows->sent;
    char* value = rows->sent + own * sizeof *number;
    for (size_t k = 0; k < own; k++)
        number[k] = rows->row[(size_t)begin + k] - (uint32_t)order->first;
    if (order->field == FIRN_ROWS_DENSITY) {
        firn_mpm_density_of(mine, rows->order + begin, (firn_local)own, (firn_real*)(void*)value);
        return (firn_local)own;
    }
    const char* data = mine->base.store.fields[order->field].data;
    for (size_t k = 0; k < own; k++)
        memcpy(value + k * size, data + (size_t)rows->order[(size_t)begin + k] * size, size);
    return (firn_local)own;
}

firn_result firn_mpm_rows_give(firn_mpm* mine, firn_mpm_rows* rows,
                               const firn_mpm_rows_order* order, void* out, firn_error* error)
{
    firn_mpm_part* part = mine->part;
    const int ranks = firn_comm_count(part->comm);
    const size_t size = size_of(mine, order->field), each = sizeof(uint32_t) + size;
    const firn_local own = pack(mine, rows, order);
    const bool first = out != NULL;
    for (int r = 0; r < ranks; r++) part->leaving[r] = own;
    firn_comm_tell(part->comm, part->leaving, part->arriving, 1);
    for (int r = 0; r < ranks; r++) part->bytes[r] = (size_t)part->arriving[r] * each;
    firn_comm_gather(part->comm, rows->sent, (size_t)own * each, first ? rows->got : NULL,
                     first ? part->bytes : NULL);
    FIRN_TRY(firn_comm_check(part->comm, error));
    const char* from = rows->got;
    for (int r = 0; r < ranks && first; r++) {
        const size_t count = (size_t)part->arriving[r];
        const uint32_t* number = (const uint32_t*)(const void*)from;
        const char* value = from + count * sizeof *number;
        for (size_t k = 0; k < count; k++)
            memcpy((char*)out + number[k] * size, value + k * size, size);
        from += count * each;
    }
    return FIRN_OK;
}
