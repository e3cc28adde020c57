// SPDX-License-Identifier: MIT
#include "solver/mpm/ranks/rank_share.h"

#include <string.h>

#include "core/memory.h"
#include "core/sort_keys.h"
#include "solver/mpm/ranks/rank_part.h"

static firn_result no_memory(firn_error* error)
{
    return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the particles of all ranks");
}

// Sorts by (origin, place): first by place, then by origin, both stable.
static firn_result order_all(const uint32_t* high, const uint32_t* low, const uint32_t* place,
                             firn_local count, firn_local* out_order)
{
    firn_key_sort sort = {0};
    const uint64_t* keys;
    const firn_local* order;
    FIRN_TRY(firn_key_sort_reserve(&sort, count + 1, 1));
    for (firn_local k = 0; k < count; k++) sort.key[0][k] = place[k];
    firn_key_sort_run(&sort, count, &keys, &order);
    firn_local* by_place = firn_alloc((size_t)count + 1, sizeof *by_place);
    if (by_place == NULL) {
        firn_key_sort_destroy(&sort);
        return FIRN_BROKEN_MEMORY;
    }
    for (firn_local k = 0; k < count; k++) by_place[k] = order != NULL ? order[k] : k;
    for (firn_local k = 0; k < count; k++)
        sort.key[0][k] = (uint64_t)high[by_place[k]] << 32 | low[by_place[k]];
    firn_key_sort_run(&sort, count, &keys, &order);
    for (firn_local k = 0; k < count; k++) out_order[k] = by_place[order != NULL ? order[k] : k];
    firn_free(by_place);
    firn_key_sort_destroy(&sort);
    return FIRN_OK;
}

typedef struct gathered {
    uint32_t* origin;  // [3][count]: high, low, place
    firn_local* order;
} gathered;

static void gather_field(firn_mpm_part* part, const firn_field* field, firn_local mine, void* all)
{
    const bool first = all != NULL;
    for (int r = 0; r < firn_comm_count(part->comm) && first; r++)
        part->bytes[r] = (size_t)part->arriving[r] * field->size;
    firn_comm_gather(part->comm, field->data, (size_t)mine * field->size, all,
                     first ? part->bytes : NULL);
}

firn_result firn_mpm_share_gather(firn_mpm* mine, firn_particles* all, firn_error* error)
{
    firn_mpm_part* part = mine->part;
    const firn_particles* s = &mine->base.store;
    const int ranks = firn_comm_count(part->comm);
    int64_t count = 0;
    for (int r = 0; r < ranks; r++) part->leaving[r] = s->count;
    firn_comm_tell(part->comm, part->leaving, part->arriving, 1);
    for (int r = 0; r < ranks; r++) count += part->arriving[r];
    gathered g = {0};
    bool fits = true;
    if (all != NULL) {
        fits = count < INT32_MAX;
        if (fits && count > all->capacity)
            fits = firn_particles_reserve(all, (firn_local)count) == FIRN_OK;
        if (fits) g.origin = firn_alloc(3 * (size_t)count + 1, sizeof *g.origin);
        if (fits) g.order = firn_alloc((size_t)count + 1, sizeof *g.order);
        fits = fits && g.origin != NULL && g.order != NULL;
    }
    firn_result r = firn_comm_settle(part->comm, fits ? FIRN_OK : no_memory(error), error);
    const int own = s->field_count - 3;  // of the share: (origin, place)
    for (int f = 0; f < own && r == FIRN_OK; f++)
        gather_field(part, &s->fields[f], s->count, all != NULL ? all->fields[f].data : NULL);
    for (int k = 0; k < 3 && r == FIRN_OK; k++)
        gather_field(part, &s->fields[own + k], s->count,
                     all != NULL ? g.origin + (size_t)k * (size_t)count : NULL);
    if (r == FIRN_OK) r = firn_comm_check(part->comm, error);
    if (r == FIRN_OK && all != NULL) {
        all->count = (firn_local)count;
        r = order_all(g.origin, g.origin + count, g.origin + 2 * count, all->count, g.order);
        if (r == FIRN_OK) r = firn_particles_reorder(all, g.order);
        if (r != FIRN_OK) no_memory(error);
    }
    firn_free(g.origin);
    firn_free(g.order);
    return r;
}
