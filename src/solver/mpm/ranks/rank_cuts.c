// SPDX-License-Identifier: MIT
#include "solver/mpm/ranks/rank_cuts.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sort_keys.h"
#include "core/timer.h"
#include "math/morton.h"
#include "solver/mpm/ranks/rank_part.h"

#define IMBALANCE 1.1  // time of the slowest rank, over the mean, that new cuts are worth

// A block and what it costs on one rank.
typedef struct load {
    uint64_t key;  // firn_block_key
    double weight;
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
            loads[blocks - 1].weight += loads[k].weight;
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
        weight[k] = loads[k].weight;
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
        loads[*out_count - 1].weight += 1;
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

// What the ranks have measured since the last division.
typedef struct state_of_work {
    double slowest, mean;  // [s] of a step
    double division;       // [s] that the last division took
} state_of_work;

static state_of_work compare_ranks(firn_mpm* mine)
{
    firn_mpm_part* part = mine->part;
    const double own = firn_work_of_step(&part->work);
    part->comm->stats.step_seconds = own;
    double most[2] = {own, part->division_seconds};
    int64_t nanoseconds = (int64_t)(1e9 * own);
    firn_comm_max(part->comm, most, 2);
    firn_comm_add(part->comm, &nanoseconds, 1);
    return (state_of_work){.slowest = most[0],
                           .mean = 1e-9 * (double)nanoseconds / firn_comm_count(part->comm),
                           .division = most[1]};
}

static firn_result divide_by_work(firn_mpm* mine, firn_error* error)
{
    const firn_local occupied = mine->grid.occupied_count;
    load* own = firn_alloc((size_t)occupied + 1, sizeof *own);
    double* seconds = firn_alloc((size_t)occupied + 1, sizeof *seconds);
    const bool ready = own != NULL && seconds != NULL;
    if (ready) firn_work_of_blocks(&mine->part->work, &mine->grid, seconds);
    for (firn_local b = 0; b < occupied && ready; b++) {
        const int32_t* c = mine->grid.coord[b];
        own[b] = (load){firn_block_key(c[0], c[1], c[2]), seconds[b]};
    }
    const firn_result r = cut_all(mine->part, own, occupied, ready, error);
    firn_free(own);
    firn_free(seconds);
    return r;
}

firn_result firn_mpm_balance(firn_mpm* mine, firn_error* error)
{
    firn_mpm_part* part = mine->part;
    if (part->work.steps == 0) return FIRN_OK;  // on all ranks: they time the same steps
    const double begun = firn_seconds();
    const state_of_work now = compare_ranks(mine);
    const double gain = (now.slowest - now.mean) * (double)part->work.passed;
    const bool pays = now.slowest > IMBALANCE * now.mean && gain > now.division;
    firn_result r = firn_comm_check(part->comm, error);
    if (pays && r == FIRN_OK) r = divide_by_work(mine, error);
    firn_work_forget(&part->work);
    if (!pays || r != FIRN_OK) return r;
    part->is_divided = true;
    part->division_seconds = firn_seconds() - begun;
    part->comm->stats.divisions++;
    part->comm->stats.seconds_dividing += part->division_seconds;
    if (firn_comm_rank(part->comm) == 0)
        firn_log_write(&mine->base.log, FIRN_LOG_INFO, "mpm.balance",
                       "blocks are divided among the %d ranks again: the slowest computed %.3g s "
                       "per step, %.2f times the mean",
                       firn_comm_count(part->comm), now.slowest, now.slowest / now.mean);
    return FIRN_OK;
}

void firn_mpm_balance_moved(firn_mpm* mine, double seconds)
{
    firn_mpm_part* part = mine->part;
    if (!part->is_divided) return;
    part->is_divided = false;
    part->division_seconds += seconds;
    part->comm->stats.seconds_dividing += seconds;
}
