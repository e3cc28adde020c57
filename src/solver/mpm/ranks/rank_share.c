// SPDX-License-Identifier: MIT
#include "solver/mpm/ranks/rank_share.h"

#include <string.h>

#include "core/memory.h"
#include "core/sort_keys.h"
#include "math/morton.h"
#include "solver/mpm/ranks/rank_part.h"

#define IMBALANCE 1.1  // particles of the fullest rank, over the mean, that new cuts are worth

// A block and its particles.
typedef struct load {
    int32_t at[3];
    int32_t particles;
} load;

static firn_result no_memory(firn_error* error)
{
    return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for dividing the particles");
}

// ---- cuts ---------------------------------------------------------------------------------------

static firn_result cut(firn_cuts* cuts, const load* loads, firn_local count)
{
    int32_t(*block)[3] = firn_alloc((size_t)count + 1, sizeof *block);
    double* weight = firn_alloc((size_t)count + 1, sizeof *weight);
    firn_result r = block != NULL && weight != NULL ? FIRN_OK : FIRN_BROKEN_MEMORY;
    for (firn_local k = 0; k < count && r == FIRN_OK; k++) {
        memcpy(block[k], loads[k].at, sizeof block[k]);
        weight[k] = loads[k].particles;
    }
    if (r == FIRN_OK) r = firn_cuts_make(cuts, (const int32_t(*)[3])block, weight, count);
    firn_free(block);
    firn_free(weight);
    return r;
}

// Fills `loads` with the particles of each block, by sorted keys of their blocks, and returns the
// number of blocks; null: only counts.
static firn_local count_blocks(const uint64_t* keys, firn_local count, load* loads)
{
    firn_local blocks = 0;
    for (firn_local k = 0; k < count; k++) {
        if (k == 0 || keys[k] != keys[k - 1]) {
            blocks++;
            for (int d = 0; d < 3 && loads != NULL; d++)
                loads[blocks - 1].at[d] =
                    (int32_t)firn_morton_compact(keys[k] >> (2 - d)) - FIRN_BLOCK_LIMIT;
        }
        if (loads != NULL) loads[blocks - 1].particles++;
    }
    return blocks;
}

// Cuts for particles. Those that no grid can take are left out, and found by the step.
static firn_result cut_particles(firn_mpm* mine, const firn_vec3* x, firn_local count)
{
    firn_key_sort sort = {0};
    if (firn_key_sort_reserve(&sort, count + 1, 1) != FIRN_OK) return FIRN_BROKEN_MEMORY;
    firn_local inside = 0;
    for (firn_local p = 0; p < count; p++) {
        int32_t node[3];
        if (firn_grid_lowest_node(&mine->grid, x[p], node))
            sort.key[0][inside++] = firn_block_key(node[0] >> 2, node[1] >> 2, node[2] >> 2);
    }
    const uint64_t* keys;
    const firn_local* order;
    firn_key_sort_run(&sort, inside, &keys, &order);
    const firn_local blocks = count_blocks(keys, inside, NULL);
    load* loads = firn_alloc((size_t)blocks + 1, sizeof *loads);
    firn_result r = FIRN_BROKEN_MEMORY;
    if (loads != NULL) {
        count_blocks(keys, inside, loads);
        r = cut(&mine->part->cuts, loads, blocks);
    }
    firn_free(loads);
    firn_key_sort_destroy(&sort);
    return r;
}

firn_result firn_mpm_share_balance(firn_mpm* mine, firn_error* error)
{
    firn_mpm_part* part = mine->part;
    const int ranks = firn_comm_count(part->comm);
    const bool first = firn_comm_rank(part->comm) == 0;
    const firn_local occupied = mine->grid.occupied_count;
    double most = mine->base.store.count;
    int64_t all = mine->base.store.count;
    firn_comm_max(part->comm, &most, 1);
    firn_comm_add(part->comm, &all, 1);
    if (most * ranks <= IMBALANCE * (double)all) return firn_comm_check(part->comm, error);
    for (int r = 0; r < ranks; r++) part->leaving[r] = occupied;
    firn_comm_tell(part->comm, part->leaving, part->arriving, 1);
    int64_t blocks = 0;
    for (int r = 0; r < ranks; r++) {
        part->bytes[r] = (size_t)part->arriving[r] * sizeof(load);
        blocks += part->arriving[r];
    }
    if (blocks == 0) return firn_comm_check(part->comm, error);  // no step yet
    load* own = firn_alloc((size_t)occupied + 1, sizeof *own);
    load* loads = first ? firn_alloc((size_t)blocks, sizeof *loads) : NULL;
    firn_result r = own != NULL && (!first || loads != NULL) ? FIRN_OK : no_memory(error);
    r = firn_comm_settle(part->comm, r, error);
    if (r == FIRN_OK) {
        for (firn_local b = 0; b < occupied; b++) {
            memcpy(own[b].at, mine->grid.coord[b], sizeof own[b].at);
            own[b].particles = mine->grid.first[b + 1] - mine->grid.first[b];
        }
        firn_comm_gather(part->comm, own, (size_t)occupied * sizeof *own, loads,
                         first ? part->bytes : NULL);
        if (first && cut(&part->cuts, loads, (firn_local)blocks) != FIRN_OK) r = no_memory(error);
        r = firn_comm_settle(part->comm, r, error);
    }
    firn_free(own);
    firn_free(loads);
    firn_comm_broadcast(part->comm, 0, part->cuts.at, (size_t)ranks * sizeof *part->cuts.at);
    return r;
}

// ---- particles ----------------------------------------------------------------------------------

// Whose each particle is, on rank 0, and how many each rank gets.
static firn_result find_owners(firn_mpm* mine, const firn_particles* all, int32_t** out_owner)
{
    firn_mpm_part* part = mine->part;
    const firn_vec3* x = firn_particles_find(all, "position")->data;
    FIRN_TRY(cut_particles(mine, x, all->count));
    int32_t* owner = firn_alloc((size_t)all->count + 1, sizeof *owner);
    if (owner == NULL) return FIRN_BROKEN_MEMORY;
    for (int r = 0; r < firn_comm_count(part->comm); r++) part->leaving[r] = 0;
    for (firn_local p = 0; p < all->count; p++) {
        int32_t node[3] = {0, 0, 0};
        firn_grid_lowest_node(&mine->grid, x[p], node);
        owner[p] = firn_cuts_owner(&part->cuts,
                                   (const int32_t[3]){node[0] >> 2, node[1] >> 2, node[2] >> 2});
        part->leaving[owner[p]]++;
    }
    *out_owner = owner;
    return FIRN_OK;
}

// The particles of a rank, as firn_mpm_part_append takes them. A share has three fields more.
static void pack(const firn_particles* all, const int32_t* owner, int rank, char* to)
{
    for (firn_local p = 0; p < all->count; p++) {
        if (owner[p] != rank) continue;
        for (int f = 0; f < all->field_count; f++) {
            const size_t size = all->fields[f].size;
            memcpy(to, (const char*)all->fields[f].data + (size_t)p * size, size);
            to += size;
        }
        const uint32_t order[3] = {0, 0, (uint32_t)p};  // origin, place
        memcpy(to, order, sizeof order);
        to += sizeof order;
    }
}

static firn_result scatter(firn_mpm* mine, const firn_particles* all, const int32_t* owner,
                           firn_error* error)
{
    firn_mpm_part* part = mine->part;
    const int ranks = firn_comm_count(part->comm), me = firn_comm_rank(part->comm);
    const size_t each = firn_particles_bytes_each(&mine->base.store);
    int64_t most = part->leaving[me];
    for (int r = 0; r < ranks && me == 0; r++)
        most = part->leaving[r] > most ? part->leaving[r] : most;
    char* packed = firn_alloc((size_t)most * each + 1, 1);
    const firn_local own = (firn_local)part->leaving[me];
    const bool fits = packed != NULL && (own <= mine->base.store.capacity ||
                                         firn_particles_reserve(&mine->base.store, own) == FIRN_OK);
    firn_result r = firn_comm_settle(part->comm, fits ? FIRN_OK : no_memory(error), error);
    for (int to = ranks - 1; to >= 0 && r == FIRN_OK; to--) {
        const size_t bytes = (size_t)part->leaving[to] * each;
        if (me == 0) pack(all, owner, to, packed);
        const firn_message out = {to, packed, bytes}, in = {0, packed, bytes};
        const bool sends = to > 0 && bytes > 0;
        firn_comm_exchange_begin(part->comm, &out, sends && me == 0, &in, sends && me == to);
        firn_comm_exchange_end(part->comm);
        if (me == to) firn_mpm_part_append(mine, packed, own);
    }
    firn_free(packed);
    return r == FIRN_OK ? firn_comm_check(part->comm, error) : r;
}

firn_result firn_mpm_share_scatter(firn_mpm* mine, const firn_particles* all, firn_error* error)
{
    firn_mpm_part* part = mine->part;
    const size_t ranks = (size_t)firn_comm_count(part->comm);
    int32_t* owner = NULL;
    firn_result r = FIRN_OK;
    mine->base.store.count = 0;
    if (all != NULL && find_owners(mine, all, &owner) != FIRN_OK) r = no_memory(error);
    r = firn_comm_settle(part->comm, r, error);
    if (r == FIRN_OK) {
        firn_comm_broadcast(part->comm, 0, part->cuts.at, ranks * sizeof *part->cuts.at);
        firn_comm_broadcast(part->comm, 0, part->leaving, ranks * sizeof *part->leaving);
        r = scatter(mine, all, owner, error);
    }
    firn_free(owner);
    return r;
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
