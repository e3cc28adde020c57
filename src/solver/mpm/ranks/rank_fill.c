// SPDX-License-Identifier: MIT
#include "solver/mpm/ranks/rank_fill.h"

#include <string.h>

#include "core/memory.h"
#include "solver/mpm/ranks/rank_cuts.h"
#include "solver/mpm/ranks/rank_part.h"

#define ROUNDS 16    // in which particles come to their owners
#define LEAST 65536  // particles that a rank sends in one of them, at least

// The first row of rank r.
static firn_local first_row(const firn_mpm_part* part, int r, firn_local count)
{
    return (firn_local)((int64_t)count * r / firn_comm_count(part->comm));
}

firn_result firn_mpm_fill_begin(firn_mpm* mine, firn_local count, firn_error* error)
{
    firn_mpm_part* part = mine->part;
    firn_particles* s = &mine->base.store;
    const int me = firn_comm_rank(part->comm);
    const firn_local first = first_row(part, me, count),
                     own = first_row(part, me + 1, count) - first;
    firn_result r = FIRN_OK;
    s->count = 0;
    if (own > s->capacity && firn_particles_reserve(s, own) != FIRN_OK)
        r = firn_fail(error, FIRN_BROKEN_MEMORY, "rank %d: out of memory for %d particles", me,
                      (int)own);
    FIRN_TRY(firn_comm_settle(part->comm, r, error));
    s->count = own;
    part->filled = count;
    firn_mpm_refresh_pointers(mine);
    for (firn_local k = 0; k < own; k++) {
        mine->p.origin_high[k] = mine->p.origin_low[k] = 0;
        mine->p.place[k] = (uint32_t)(first + k);
    }
    return FIRN_OK;
}

// The rows that rank r gets of those that are put.
static firn_local overlap(const firn_mpm_part* part, int r, const firn_mpm_rows_order* order,
                          firn_local* out_first)
{
    const int64_t first = first_row(part, r, part->filled);
    const int64_t end = first_row(part, r + 1, part->filled);
    const int64_t from = first > order->first ? first : order->first;
    const int64_t to = end < order->first + order->rows ? end : order->first + order->rows;
    *out_first = (firn_local)from;
    return to > from ? (firn_local)(to - from) : 0;
}

firn_result firn_mpm_fill_put(firn_mpm* mine, const firn_mpm_rows_order* order, const void* data,
                              firn_error* error)
{
    firn_mpm_part* part = mine->part;
    const int me = firn_comm_rank(part->comm);
    const firn_field* field = &mine->base.store.fields[order->field];
    firn_local first;
    const firn_local own = overlap(part, me, order, &first);
    char* here = (char*)field->data +
                 (size_t)(own > 0 ? first - first_row(part, me, part->filled) : 0) * field->size;
    int to = 0, from = 0;
    if (me != 0 && own > 0) part->from[from++] = (firn_message){0, here, (size_t)own * field->size};
    if (me == 0) {
        char* rows = (char*)data;  // messages are not const; what is sent is only read
        for (int r = 1; r < firn_comm_count(part->comm); r++) {
            firn_local begin;
            const firn_local count = overlap(part, r, order, &begin);
            if (count == 0) continue;
            part->to[to++] = (firn_message){r, rows + (size_t)(begin - order->first) * field->size,
                                            (size_t)count * field->size};
        }
        if (own > 0)
            memcpy(here, rows + (size_t)(first - order->first) * field->size,
                   (size_t)own * field->size);
    }
    firn_comm_exchange_begin(part->comm, part->to, to, part->from, from);
    firn_comm_exchange_end(part->comm);
    return firn_comm_check(part->comm, error);
}

firn_result firn_mpm_fill_divide(firn_mpm* mine, firn_error* error)
{
    firn_mpm_part* part = mine->part;
    firn_mpm_refresh_pointers(mine);
    FIRN_TRY(firn_mpm_cut_particles(mine, error));
    // nearly all particles move: some at a time, so that they need not be there twice
    const firn_local count = mine->base.store.count;
    const int64_t most = count / ROUNDS > LEAST ? count / ROUNDS : LEAST;
    firn_result r = FIRN_OK;
    for (bool moved = true; moved && r == FIRN_OK;)
        r = firn_mpm_part_migrate(mine, most, &moved, error);
    firn_free(part->out);
    firn_free(part->in);
    part->out = part->in = NULL;
    part->out_capacity = part->in_capacity = 0;
    part->comm->stats.migrated = 0;
    return r;
}
