// SPDX-License-Identifier: MIT
// How a scene would be divided among ranks, without them.
#include <string.h>

#include "comm/comm.h"
#include "core/memory.h"
#include "core/sort_keys.h"
#include "math/morton.h"
#include "scene/run/seed.h"
#include "sim/defs.h"
#include "sim/entry.h"
#include "sim/scene/scene_api.h"
#include "sim/sim.h"
#include "solver/shared/halo/halo_forecast.h"
#include "state/sparse_grid.h"

// The occupied blocks of seeds.
typedef struct cut_blocks {
    uint64_t* key;  // owned, ascending
    int32_t (*at)[3];
    double* particles;  // owned
    firn_local count;
} cut_blocks;

static void destroy_blocks(cut_blocks* b)
{
    firn_free(b->key);
    firn_free(b->at);
    firn_free(b->particles);
}

static firn_result find_blocks(const firn_seeds* seeds, double cell, cut_blocks* out)
{
    firn_key_sort sort = {0};
    const firn_sparse_grid grid = {.cell = (firn_real)cell, .inverse_cell = (firn_real)(1 / cell)};
    FIRN_TRY(firn_key_sort_reserve(&sort, seeds->count + 1, firn_team_size()));
    firn_local inside = 0, blocks = 0;
    for (firn_local p = 0; p < seeds->count; p++) {
        int32_t node[3];
        if (firn_grid_lowest_node(&grid, seeds->position[p], node))
            sort.key[0][inside++] = firn_block_key(node[0] >> 2, node[1] >> 2, node[2] >> 2);
    }
    const uint64_t* keys;
    const firn_local* order;
    firn_key_sort_run(&sort, inside, &keys, &order);
    for (firn_local k = 0; k < inside; k++) blocks += k == 0 || keys[k] != keys[k - 1];
    *out = (cut_blocks){firn_alloc((size_t)blocks + 1, sizeof *out->key),
                        firn_alloc((size_t)blocks + 1, sizeof *out->at),
                        firn_alloc((size_t)blocks + 1, sizeof *out->particles), 0};
    const bool fits = out->key != NULL && out->at != NULL && out->particles != NULL;
    for (firn_local k = 0; k < inside && fits; k++) {
        if (k == 0 || keys[k] != keys[k - 1]) {
            const firn_local b = out->count++;
            out->key[b] = keys[k];
            for (int d = 0; d < 3; d++)
                out->at[b][d] = (int32_t)firn_morton_compact(keys[k] >> (2 - d)) - FIRN_BLOCK_LIMIT;
        }
        out->particles[out->count - 1]++;
    }
    firn_key_sort_destroy(&sort);
    return fits ? FIRN_OK : FIRN_BROKEN_MEMORY;
}

static firn_result measure(const cut_blocks* b, int ranks, firn_rank_share* out)
{
    firn_cuts cuts = {0};
    firn_halo_forecast forecast = {0};
    firn_result r = firn_cuts_create(ranks, &cuts);
    if (r == FIRN_OK) r = firn_cuts_make(&cuts, (const int32_t(*)[3])b->at, b->particles, b->count);
    if (r == FIRN_OK) r = firn_halo_forecast_make(&cuts, b->key, b->count, &forecast);
    for (int k = 0; k < ranks && r == FIRN_OK; k++)
        out[k] = (firn_rank_share){.halo_bytes = forecast.bytes[k],
                                   .neighbours = forecast.neighbours[k]};
    for (firn_local k = 0; k < b->count && r == FIRN_OK; k++) {
        firn_rank_share* own = &out[firn_cuts_owner(&cuts, b->at[k])];
        own->particles += (int64_t)b->particles[k];
        own->blocks++;
    }
    firn_halo_forecast_destroy(&forecast);
    firn_cuts_destroy(&cuts);
    return r;
}

static firn_result cut(const firn_scene_data* scene, int ranks, firn_rank_share* out_shares,
                       firn_error* error)
{
    const firn_solver* solver = firn_solvers[scene->solver];
    if (solver->serve == NULL)
        return firn_fail(error, FIRN_REFUSED_BACKEND, "solver '%s' cannot compute on several ranks",
                         solver->name);
    firn_seeds seeds = {0};
    const double cell = solver->estimate(scene).cell;
    FIRN_TRY(firn_sim_seed(scene, cell, NULL, &seeds, error));
    cut_blocks blocks = {0};
    firn_result r = find_blocks(&seeds, cell, &blocks);
    firn_seeds_destroy(&seeds);
    if (r == FIRN_OK) r = measure(&blocks, ranks, out_shares);
    destroy_blocks(&blocks);
    if (r != FIRN_OK) firn_fail(error, r, "out of memory for dividing the scene");
    return r;
}

firn_result firn_scene_divide_sized(const firn_scene* scene, int ranks, firn_rank_share* out_shares,
                                    uint32_t size, firn_error* out_error)
{
    out_error = firn_call(out_error);
    if (scene == NULL || out_shares == NULL) return firn_call_null(__func__);
    if (ranks < 1 || ranks > FIRN_RANKS_MAX)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT, "%d ranks, must be between 1 and %d",
                         ranks, FIRN_RANKS_MAX);
    const firn_entry entry = firn_scene_enter((firn_scene*)scene, 0);
    firn_rank_share* shares = firn_alloc((size_t)ranks, sizeof *shares);
    firn_result r = shares != NULL ? cut(&scene->data, ranks, shares, out_error)
                                   : firn_fail(out_error, FIRN_BROKEN_MEMORY, "out of memory");
    for (int k = 0; k < ranks && r == FIRN_OK; k++)
        firn_give((char*)out_shares + (size_t)k * size, size, &shares[k], sizeof *shares);
    firn_free(shares);
    firn_leave(entry);
    return r;
}
