// SPDX-License-Identifier: MIT
// Counting sort of particles by block and cell: label, count, prefix sum, fill. Each thread owns a
// contiguous chunk of the particles, and chunks are placed in order, so the list is the same for
// any number of threads.
#include "state/block_sort.h"

#include <omp.h>
#include <string.h>

#include "core/memory.h"

#define CELL_BITS 6
#define CELLS (1 << CELL_BITS)
#define UNKNOWN UINT32_MAX  // label of a particle whose block is not in the grid's table

// Get the particle's lowest node (math/bspline.h). False: not finite, or out of range.
static inline bool lowest_node(const firn_sparse_grid* grid, firn_vec3 x, int32_t node[3])
{
    const firn_real limit = (firn_real)(4 * (FIRN_BLOCK_LIMIT - 2));
    const firn_real f[3] = {x.x * grid->inverse_cell, x.y * grid->inverse_cell,
                            x.z * grid->inverse_cell};
    if (!(firn_abs(f[0]) < limit && firn_abs(f[1]) < limit && firn_abs(f[2]) < limit)) return false;
    for (int d = 0; d < 3; d++) {
        const int32_t towards_0 = (int32_t)f[d];
        node[d] = towards_0 - ((firn_real)towards_0 > f[d]) - 1;
    }
    return true;
}

// Cache of recent blocks, by the low bits of their coordinates; avoids lookups in the hash table.
typedef struct recent {
    uint64_t name[64];
    uint32_t block[64];
} recent;

static uint32_t find_block(const firn_sparse_grid* grid, recent* seen, const int32_t node[3])
{
    const int32_t b[3] = {node[0] >> 2, node[1] >> 2, node[2] >> 2};
    const uint64_t name = (uint64_t)(b[0] + FIRN_BLOCK_LIMIT) |
                          (uint64_t)(b[1] + FIRN_BLOCK_LIMIT) << 18 |
                          (uint64_t)(b[2] + FIRN_BLOCK_LIMIT) << 36;
    const int slot = (b[0] & 3) << 4 | (b[1] & 3) << 2 | (b[2] & 3);
    if (seen->name[slot] != name) {
        const firn_local found = firn_grid_find(grid, b[0], b[1], b[2]);
        seen->name[slot] = name;
        seen->block[slot] = found < 0 ? UNKNOWN : (uint32_t)found;
    }
    return seen->block[slot];
}

static uint32_t cell_of(const int32_t node[3])
{
    return (uint32_t)((node[0] & 3) << 4 | (node[1] & 3) << 2 | (node[2] & 3));
}

typedef struct chunk {
    firn_local begin, end;
} chunk;

static chunk chunk_of(firn_local count, int me, int all)
{
    return (chunk){(firn_local)((int64_t)count * me / all),
                   (firn_local)((int64_t)count * (me + 1) / all)};
}

// Labels all particles of known blocks. Returns the first invalid particle, and whether there are
// particles of unknown blocks.
static firn_local label_all(const firn_block_sort* s, const firn_sparse_grid* grid,
                            const firn_vec3* position, firn_local count, int threads,
                            int* out_unknown)
{
    firn_local bad = count;
    int unknown = 0;
#pragma omp parallel num_threads(threads) reduction(min : bad) reduction(| : unknown)
    {
        const chunk mine = chunk_of(count, omp_get_thread_num(), omp_get_num_threads());
        recent seen;
        memset(&seen, 0xff, sizeof seen);  // not the key of any block
        for (firn_local p = mine.begin; p < mine.end; p++) {
            int32_t node[3];
            if (!lowest_node(grid, position[p], node)) {
                bad = p < bad ? p : bad;
                continue;
            }
            const uint32_t block = find_block(grid, &seen, node);
            s->label[p] = block == UNKNOWN ? UNKNOWN : block << CELL_BITS | cell_of(node);
            unknown |= block == UNKNOWN;
        }
    }
    *out_unknown = unknown;
    return bad;
}

// Appends inactive blocks to the grid one by one: all of them in the first step, few later.
static firn_result admit_unknown(const firn_block_sort* s, firn_sparse_grid* grid,
                                 const firn_vec3* position, firn_local count)
{
    for (firn_local p = 0; p < count; p++) {
        if (s->label[p] != UNKNOWN) continue;
        int32_t node[3];
        firn_local block;
        lowest_node(grid, position[p], node);
        FIRN_TRY(firn_grid_admit(grid, node[0] >> 2, node[1] >> 2, node[2] >> 2, &block));
        s->label[p] = (uint32_t)block << CELL_BITS | cell_of(node);
    }
    return FIRN_OK;
}

static firn_result reserve(firn_block_sort* s, firn_sparse_grid* grid, firn_local count)
{
    if (count <= s->capacity) return FIRN_OK;
    uint32_t* label = firn_alloc((size_t)count, sizeof *label);
    firn_local* order = firn_alloc((size_t)count, sizeof *order);
    if (label == NULL || order == NULL) {
        firn_free(label);
        firn_free(order);
        return FIRN_BROKEN_MEMORY;
    }
    firn_free(s->label);
    firn_free(grid->order);
    s->label = label;
    grid->order = order;
    s->capacity = count;
    return FIRN_OK;
}

// Reserves for the capacity of the grid in blocks. Called again after the grid has grown, so that
// the next step need not allocate.
static firn_result reserve_blocks(firn_block_sort* s, const firn_sparse_grid* grid, int threads)
{
    const firn_local blocks = grid->block_capacity;
    const size_t room = (size_t)blocks * (size_t)threads;
    if (room > s->place_capacity) {
        firn_local* place = firn_alloc(room, sizeof *place);
        if (place == NULL) return FIRN_BROKEN_MEMORY;
        firn_free(s->place);
        s->place = place;
        s->place_capacity = room;
    }
    FIRN_TRY(firn_key_sort_reserve(&s->block_keys, blocks, 1));
    if (blocks > s->old_capacity) {
        firn_local* old = firn_alloc(2 * (size_t)blocks, sizeof *old);
        if (old == NULL) return FIRN_BROKEN_MEMORY;
        firn_free(s->old);
        s->old = old;
        s->old_capacity = blocks;
    }
    return FIRN_OK;
}

static void count_blocks(const firn_block_sort* s, firn_local blocks, firn_local count, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < threads; t++) {
        firn_local* mine = s->place + (size_t)t * (size_t)blocks;
        memset(mine, 0, (size_t)blocks * sizeof *mine);
        const chunk part = chunk_of(count, t, threads);
        for (firn_local p = part.begin; p < part.end; p++) mine[s->label[p] >> CELL_BITS]++;
    }
}

static firn_local particles_in(const firn_block_sort* s, firn_local blocks, int threads,
                               firn_local b)
{
    firn_local n = 0;
    for (int t = 0; t < threads; t++) n += s->place[(size_t)t * (size_t)blocks + (size_t)b];
    return n;
}

// True if the blocks that own particles are still the grid's occupied blocks, which is the usual
// case.
static bool blocks_unchanged(const firn_block_sort* s, const firn_sparse_grid* grid, int threads)
{
    for (firn_local b = 0; b < grid->block_count; b++)
        if ((particles_in(s, grid->block_count, threads, b) > 0) != (b < grid->occupied_count))
            return false;
    return true;
}

// Activates the blocks of the grid again. Labels keep the old block numbers: `old` lists them in
// the new order.
static firn_result activate_blocks(firn_block_sort* s, firn_sparse_grid* grid, int threads)
{
    const firn_local blocks = grid->block_count;
    firn_local* unsorted = s->old + s->old_capacity;
    firn_local occupied = 0;
    for (firn_local b = 0; b < blocks; b++) {
        if (particles_in(s, blocks, threads, b) == 0) continue;
        const int32_t* c = grid->coord[b];
        unsorted[occupied] = b;
        s->block_keys.key[0][occupied++] = firn_block_key(c[0], c[1], c[2]);
    }
    const uint64_t* keys;
    const firn_local* order;
    firn_key_sort_run(&s->block_keys, occupied, &keys, &order);
    for (firn_local h = 0; h < occupied; h++) s->old[h] = unsorted[order != NULL ? order[h] : h];
    return firn_grid_activate(grid, keys, occupied);
}

// Turns counts into output positions, block by block and thread by thread. `old` null: block
// numbers have not changed.
static void share_out(const firn_block_sort* s, firn_sparse_grid* grid, firn_local blocks,
                      int threads, const firn_local* old)
{
    firn_local place = 0;
    for (firn_local h = 0; h < grid->occupied_count; h++) {
        grid->first[h] = place;
        for (int t = 0; t < threads; t++) {
            firn_local* at = &s->place[(size_t)t * (size_t)blocks + (size_t)(old ? old[h] : h)];
            const firn_local n = *at;
            *at = place;
            place += n;
        }
    }
    if (grid->occupied_count > 0) grid->first[grid->occupied_count] = place;
}

// Reserves a buffer per thread for the particles of the fullest block.
static firn_result reserve_one_block(firn_block_sort* s, const firn_sparse_grid* grid, int threads)
{
    firn_local most = 0;
    for (firn_local b = 0; b < grid->occupied_count; b++) {
        const firn_local n = grid->first[b + 1] - grid->first[b];
        most = n > most ? n : most;
    }
    if (most <= s->block_most && threads <= s->threads) return FIRN_OK;
    const firn_local room = most + most / 2;  // snow becomes denser
    firn_local* one_block = firn_alloc((size_t)room * (size_t)threads, sizeof *one_block);
    if (one_block == NULL) return FIRN_BROKEN_MEMORY;
    firn_free(s->one_block);
    s->one_block = one_block;
    s->block_most = room;
    s->threads = threads;
    return FIRN_OK;
}

// Sorts the block's part of `order`, which ascends by particle number, by cell and then number.
static void sort_cells(const firn_block_sort* s, firn_sparse_grid* grid, firn_local b,
                       firn_local* copy)
{
    const firn_local begin = grid->first[b], count = grid->first[b + 1] - begin;
    firn_local place[CELLS] = {0};
    for (firn_local k = 0; k < count; k++) {
        copy[k] = grid->order[begin + k];
        place[s->label[copy[k]] & (CELLS - 1)]++;
    }
    firn_local next = begin;
    for (int c = 0; c < CELLS; c++) {
        const firn_local n = place[c];
        place[c] = next;
        next += n;
    }
    for (firn_local k = 0; k < count; k++)
        grid->order[place[s->label[copy[k]] & (CELLS - 1)]++] = copy[k];
}

static void fill(const firn_block_sort* s, firn_sparse_grid* grid, firn_local blocks,
                 firn_local count, int threads)
{
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (int t = 0; t < threads; t++) {
            firn_local* mine = s->place + (size_t)t * (size_t)blocks;
            const chunk part = chunk_of(count, t, threads);
            for (firn_local p = part.begin; p < part.end; p++)
                grid->order[mine[s->label[p] >> CELL_BITS]++] = p;
        }
        firn_local* copy = s->one_block + (size_t)omp_get_thread_num() * (size_t)s->block_most;
#pragma omp for schedule(dynamic, 16)
        for (firn_local b = 0; b < grid->occupied_count; b++) sort_cells(s, grid, b, copy);
    }
}

firn_result firn_block_sort_run(firn_block_sort* sort, firn_sparse_grid* grid,
                                const firn_vec3* position, firn_local count, int threads,
                                firn_local* out_bad)
{
    FIRN_TRY(reserve(sort, grid, count));
    int unknown;
    *out_bad = label_all(sort, grid, position, count, threads, &unknown);
    if (*out_bad < count) return FIRN_OK;
    const firn_local known = grid->block_count;
    if (unknown != 0) FIRN_TRY(admit_unknown(sort, grid, position, count));
    const firn_local blocks = grid->block_count;
    if (blocks == 0) return FIRN_OK;
    FIRN_TRY(reserve_blocks(sort, grid, threads));
    count_blocks(sort, blocks, count, threads);
    const bool moved = blocks != known || !blocks_unchanged(sort, grid, threads);
    if (moved) FIRN_TRY(activate_blocks(sort, grid, threads));
    share_out(sort, grid, blocks, threads, moved ? sort->old : NULL);
    FIRN_TRY(reserve_one_block(sort, grid, threads));
    fill(sort, grid, blocks, count, threads);
    return reserve_blocks(sort, grid, threads);
}

void firn_block_sort_destroy(firn_block_sort* sort)
{
    firn_free(sort->label);
    firn_free(sort->one_block);
    firn_free(sort->place);
    firn_free(sort->old);
    firn_key_sort_destroy(&sort->block_keys);
    *sort = (firn_block_sort){0};
}
