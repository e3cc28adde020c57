// SPDX-License-Identifier: MIT
#include "solver/mpm/ranks/rank_cuts.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sort_keys.h"
#include "math/morton.h"
#include "solver/mpm/ranks/rank_part.h"

#define IMBALANCE 1.1  // particles of the fullest rank, over the mean, that new cuts are worth

// A block and its particles on one rank.
typedef struct load {
    uint64_t key;  // firn_block_key
    int64_t particles;
} load;

static firn_result no_memory(firn_error* error)
{
    return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for dividing the particles");
}

static int by_key(const void* a, const void* b)
{
    const uint64_t x = ((const load*)a)->key, y = ((const load*)b)->key;
    return (x > y) - (x < y);
}

// Several ranks may have particles of a block.
static int64_t merge(load* loads, int64_t count)
{
    int64_t blocks = 0;
    if (count > 0) qsort(loads, (size_t)count, sizeof *loads, by_key);
    for (int64_t k = 0; k < count; k++) {
        if (blocks > 0 && loads[blocks - 1].key == loads[k].key)
            loads[blocks - 1].particles += loads[k].particles;
        else
            loads[blocks++] = loads[k];
    }
    return blocks;
}

static firn_result cut(firn_cuts* cuts, load* loads, int64_t count)
{
    const int64_t blocks = merge(loads, count);
    int32_t(*block)[3] = firn_alloc((size_t)blocks + 1, sizeof *block);
    double* weight = firn_alloc((size_t)blocks + 1, sizeof *weight);
    firn_result r =
        block != NULL && weight != NULL && blocks < INT32_MAX ? FIRN_OK : FIRN_BROKEN_MEMORY;
    for (int64_t k = 0; k < blocks && r == FIRN_OK; k++) {
        for (int d = 0; d < 3; d++)
            block[k][d] = (int32_t)firn_morton_compact(loads[k].key >> (2 - d)) - FIRN_BLOCK_LIMIT;
        weight[k] = (double)loads[k].particles;
    }
    if (r == FIRN_OK)
        r = firn_cuts_make(cuts, (const int32_t(*)[3])block, weight, (firn_local)blocks);
    firn_free(block);
    firn_free(weight);
    return r;
}

// Rank 0 makes cuts for the blocks of all ranks. `ready`: whether this rank has its own.
static firn_result cut_all(firn_mpm_part* part, const load* own, int64_t count, bool ready,
                           firn_error* error)
{
    const int ranks = firn_comm_count(part->comm);
    const bool first = firn_comm_rank(part->comm) == 0;
    int64_t all = 0;
    for (int r = 0; r < ranks; r++) part->leaving[r] = count;
    firn_comm_tell(part->comm, part->leaving, part->arriving, 1);
    for (int r = 0; r < ranks; r++) {
        part->bytes[r] = (size_t)part->arriving[r] * sizeof(load);
        all += part->arriving[r];
    }
    load* loads = first ? firn_alloc((size_t)all + 1, sizeof *loads) : NULL;
    firn_result r = ready && (!first || loads != NULL) ? FIRN_OK : no_memory(error);
    r = firn_comm_settle(part->comm, r, error);
    if (r == FIRN_OK) {
        firn_comm_gather(part->comm, own, (size_t)count * sizeof *own, loads,
                         first ? part->bytes : NULL);
        if (first && cut(&part->cuts, loads, all) != FIRN_OK) r = no_memory(error);
        r = firn_comm_settle(part->comm, r, error);
    }
    firn_free(loads);
    if (r == FIRN_OK)
        firn_comm_broadcast(part->comm, 0, part->cuts.at, (size_t)ranks * sizeof *part->cuts.at);
    return r == FIRN_OK ? firn_comm_check(part->comm, error) : r;
}

// The blocks of this rank's particles, sorted. Those that no grid can take are left out, and found
// by the step.
static load* list_blocks(firn_mpm* mine, int64_t* out_count)
{
    firn_key_sort sort = {0};
    load* loads = NULL;
    const firn_vec3* x = mine->p.position;
    *out_count = 0;
    if (firn_key_sort_reserve(&sort, mine->p.count + 1, 1) != FIRN_OK) return NULL;
    firn_local inside = 0;
    for (firn_local p = 0; p < mine->p.count; p++) {
        int32_t node[3];
        if (firn_grid_lowest_node(&mine->grid, x[p], node))
            sort.key[0][inside++] = firn_block_key(node[0] >> 2, node[1] >> 2, node[2] >> 2);
    }
    const uint64_t* keys;
    const firn_local* order;
    firn_key_sort_run(&sort, inside, &keys, &order);
    int64_t blocks = 0;
    for (firn_local k = 0; k < inside; k++) blocks += k == 0 || keys[k] != keys[k - 1];
    loads = firn_alloc((size_t)blocks + 1, sizeof *loads);
    for (firn_local k = 0; k < inside && loads != NULL; k++) {
        if (k == 0 || keys[k] != keys[k - 1]) loads[(*out_count)++].key = keys[k];
        loads[*out_count - 1].particles++;
    }
    firn_key_sort_destroy(&sort);
    return loads;
}

firn_result firn_mpm_cut_particles(firn_mpm* mine, firn_error* error)
{
    int64_t count;
    load* own = list_blocks(mine, &count);
    const firn_result r = cut_all(mine->part, own, count, own != NULL, error);
    firn_free(own);
    return r;
}

firn_result firn_mpm_balance(firn_mpm* mine, firn_error* error)
{
    firn_mpm_part* part = mine->part;
    const int ranks = firn_comm_count(part->comm);
    const firn_local occupied = mine->grid.occupied_count;
    double most = mine->base.store.count;
    int64_t all[2] = {mine->base.store.count, occupied};
    firn_comm_max(part->comm, &most, 1);
    firn_comm_add(part->comm, all, 2);
    const bool even = most * ranks <= IMBALANCE * (double)all[0];
    if (even || all[1] == 0) return firn_comm_check(part->comm, error);  // or no step yet
    load* own = firn_alloc((size_t)occupied + 1, sizeof *own);
    for (firn_local b = 0; b < occupied && own != NULL; b++) {
        const int32_t* c = mine->grid.coord[b];
        own[b] =
            (load){firn_block_key(c[0], c[1], c[2]), mine->grid.first[b + 1] - mine->grid.first[b]};
    }
    const firn_result r = cut_all(part, own, occupied, own != NULL, error);
    firn_free(own);
    return r;
}
