// SPDX-License-Identifier: MIT
// Counting sort of particles by block and cell: label, count, prefix sum, fill. The particles are
// divided into contiguous chunks, which are placed in order, so the list is the same for any number
// of chunks and threads.
#include "state/block_sort.h"

#include <string.h>

#include "core/memory.h"
#include "core/simd/vec4.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"

#define CELL_BITS 6
#define CELLS (1 << CELL_BITS)
#define UNKNOWN UINT32_MAX  // label of a particle whose block is not in the grid's table
#define PAGE 2048           // particles that are labelled together
#define BLOCKS_GRAIN 1024   // blocks whose counts are worth a part of a loop

typedef int32_t int4 __attribute__((vector_size(16)));
typedef uint32_t uint4 __attribute__((vector_size(16)));  // wraps where a particle is invalid
typedef int64_t long2 __attribute__((vector_size(16)));
#ifdef FIRN_DOUBLE
typedef int64_t vec4_mask __attribute__((vector_size(32)));
#else
typedef int4 vec4_mask;
#endif

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

static bool block_in_range(const int32_t node[3])
{
    const int32_t limit = 4 * (FIRN_BLOCK_LIMIT - 1);
    return node[0] > -limit && node[0] < limit && node[1] > -limit && node[1] < limit &&
           node[2] > -limit && node[2] < limit;
}

static uint32_t cell_of(const int32_t node[3])
{
    return (uint32_t)((node[0] & 3) << 4 | (node[1] & 3) << 2 | (node[2] & 3));
}

typedef struct label_pass {
    const firn_block_sort* s;
    const firn_sparse_grid* grid;
    const firn_vec3* position;
    firn_local count;
    firn_local* bad;  // out: the first invalid particle
    int* unknown;     // out: 1 if there are particles of unknown blocks
} label_pass;

// Labels particles begin .. end, at most a page, x, y and z at once. Most share their block with
// the one before. Returns whether some are invalid; *out_unknown: whether some blocks are unknown.
static bool label_page(const label_pass* pass, recent* seen, firn_local begin, firn_local end,
                       uint8_t* out_unknown)
{
    const firn_vec4 limit = firn_vec4_all((firn_real)(4 * (FIRN_BLOCK_LIMIT - 2)));
    const firn_vec4 inverse = firn_vec4_all(pass->grid->inverse_cell);
    vec4_mask outside = {0};
    int4 last = {INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN};
    uint32_t label = *out_unknown = 0;
    for (firn_local p = begin; p < end; p++) {
        const firn_vec3 x = pass->position[p];
        const firn_vec4 f = (firn_vec4){x.x, x.y, x.z, 0} * inverse;
        outside |= ~((vec4_mask)(f < limit) & (vec4_mask)(-f < limit));
        const int4 towards_0 = __builtin_convertvector(f, int4);
        const int4 above =  // -1 where it is
            __builtin_convertvector(__builtin_convertvector(towards_0, firn_vec4) > f, int4);
        const int4 node = (int4)((uint4)towards_0 + (uint4)above - 1), block = node >> 2;
        const long2 moved = (long2)(block ^ last), cell = (long2)(node & 3);
        if ((moved[0] | moved[1]) != 0) {
            const int32_t at[3] = {node[0], node[1], node[2]};
            const uint32_t found = block_in_range(at) ? find_block(pass->grid, seen, at) : UNKNOWN;
            label = found == UNKNOWN ? UNKNOWN : found << CELL_BITS;
            *out_unknown |= found == UNKNOWN;
            last = block;
        }
        // x << 4 | y << 2 | z of the cell: y is in the high half of the first pair
        pass->s->label[p] =
            label | (uint32_t)((cell[0] << 4 | cell[0] >> 30) & (CELLS - 4)) | (cell[1] & 3);
    }
    return (outside[0] | outside[1] | outside[2]) != 0;
}

static void label_pages(const void* self, firn_local begin, firn_local end)
{
    const label_pass* pass = self;
    recent seen;
    memset(&seen, 0xff, sizeof seen);  // not the key of any block
    for (firn_local page = begin; page < end; page++) {
        const firn_local first = page * PAGE, left = pass->count - first;
        const firn_local last = first + (left < PAGE ? left : PAGE);
        uint8_t* unknown = &pass->s->unknown[page];
        if (label_page(pass, &seen, first, last, unknown))
            for (firn_local p = first; p < last; p++) {
                int32_t node[3];
                if (!firn_grid_lowest_node(pass->grid, pass->position[p], node))
                    firn_atomic_min(pass->bad, p);
            }
        firn_atomic_or(pass->unknown, *unknown);
    }
}

static firn_local pages_of(firn_local count)
{
    return (count + PAGE - 1) / PAGE;
}

// Appends inactive blocks to the grid one by one: all of them in the first step, few later.
static firn_result admit_unknown(const firn_block_sort* s, firn_sparse_grid* grid,
                                 const firn_vec3* position, firn_local count)
{
    for (firn_local p = 0; p < count; p++) {
        if (p % PAGE == 0 && s->unknown[p / PAGE] == 0) {
            p += PAGE - 1;
            continue;
        }
        if (s->label[p] != UNKNOWN) continue;
        int32_t node[3];
        firn_local block;
        firn_grid_lowest_node(grid, position[p], node);
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
    uint8_t* unknown = firn_alloc((size_t)pages_of(count), 1);
    if (label == NULL || order == NULL || unknown == NULL) {
        firn_free(label);
        firn_free(order);
        firn_free(unknown);
        return FIRN_BROKEN_MEMORY;
    }
    firn_free(s->label);
    firn_free(s->unknown);
    s->unknown = unknown;
    firn_free(grid->order);
    s->label = label;
    grid->order = order;
    s->capacity = count;
    return FIRN_OK;
}

// Reserves for the capacity of the grid in blocks. Called again after the grid has grown, so that
// the next step need not allocate.
static firn_result reserve_blocks(firn_block_sort* s, const firn_sparse_grid* grid, int chunks)
{
    const firn_local blocks = grid->block_capacity;
    const size_t room = (size_t)blocks * (size_t)(chunks + 1);
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

// The loops over chunks and blocks: their arguments.
typedef struct block_pass {
    const firn_block_sort* s;
    firn_sparse_grid* grid;
    firn_local blocks, count;
    int chunks;
    const firn_local* old;  // previous numbers of the blocks; null: they have not changed
    int* changed;           // out: 1 if the occupied blocks are not the grid's
} block_pass;

static firn_local chunk_begin(const block_pass* pass, firn_local number)
{
    return (firn_local)((int64_t)pass->count * number / pass->chunks);
}

// Particles of each block in a chunk, then the position of the next one.
static firn_local* places_of(const block_pass* pass, firn_local number)
{
    return pass->s->place + (size_t)number * (size_t)pass->blocks;
}

static void count_chunks(const void* self, firn_local begin, firn_local end)
{
    const block_pass* pass = self;
    for (firn_local t = begin; t < end; t++) {
        firn_local* mine = places_of(pass, t);
        memset(mine, 0, (size_t)pass->blocks * sizeof *mine);
        const uint32_t* label = pass->s->label;
        const firn_local last = chunk_begin(pass, t + 1);
        for (firn_local p = chunk_begin(pass, t); p < last; p++) mine[label[p] >> CELL_BITS]++;
    }
}

// Adds up the chunks' counts, behind those of the last chunk. The blocks that own particles are
// usually still the grid's occupied blocks.
static void add_counts(const void* self, firn_local begin, firn_local end)
{
    const block_pass* pass = self;
    firn_local* total = places_of(pass, pass->chunks);
    int changed = 0;
    for (firn_local b = begin; b < end; b++) {
        total[b] = 0;
        for (int t = 0; t < pass->chunks; t++) total[b] += places_of(pass, t)[b];
        changed |= (total[b] > 0) != (b < pass->grid->occupied_count);
    }
    firn_atomic_or(pass->changed, changed);
}

// Activates the blocks of the grid again. Labels keep the old block numbers: `old` lists them in
// the new order.
static firn_result activate_blocks(firn_block_sort* s, const block_pass* pass)
{
    const firn_local* total = places_of(pass, pass->chunks);
    firn_local* unsorted = s->old + s->old_capacity;
    firn_local occupied = 0;
    for (firn_local b = 0; b < pass->blocks; b++) {
        if (total[b] == 0) continue;
        const int32_t* c = pass->grid->coord[b];
        unsorted[occupied] = b;
        s->block_keys.key[0][occupied++] = firn_block_key(c[0], c[1], c[2]);
    }
    const uint64_t* keys;
    const firn_local* order;
    firn_key_sort_run(&s->block_keys, occupied, &keys, &order);
    for (firn_local h = 0; h < occupied; h++) s->old[h] = unsorted[order != NULL ? order[h] : h];
    return firn_grid_activate(pass->grid, keys, occupied);
}

// Where each block begins in the list. Returns the particles of the fullest one.
static firn_local place_blocks(const block_pass* pass)
{
    const firn_local* total = places_of(pass, pass->chunks);
    firn_sparse_grid* grid = pass->grid;
    firn_local place = 0, most = 0;
    for (firn_local h = 0; h < grid->occupied_count; h++) {
        const firn_local n = total[pass->old != NULL ? pass->old[h] : h];
        grid->first[h] = place;
        place += n;
        most = n > most ? n : most;
    }
    if (grid->occupied_count > 0) grid->first[grid->occupied_count] = place;
    return most;
}

// Turns the chunks' counts into output positions within each block, chunk by chunk.
static void share_out(const void* self, firn_local begin, firn_local end)
{
    const block_pass* pass = self;
    for (firn_local h = begin; h < end; h++) {
        const firn_local b = pass->old != NULL ? pass->old[h] : h;
        firn_local place = pass->grid->first[h];
        for (int t = 0; t < pass->chunks; t++) {
            firn_local* at = &places_of(pass, t)[b];
            const firn_local n = *at;
            *at = place;
            place += n;
        }
    }
}

// Reserves a buffer per worker for the particles of the fullest block.
static firn_result reserve_one_block(firn_block_sort* s, firn_local most)
{
    const int workers = firn_team_size();
    if (most <= s->block_most && workers <= s->workers) return FIRN_OK;
    const firn_local room = most + most / 2;  // snow becomes denser
    firn_local* one_block = firn_alloc((size_t)room * (size_t)workers, sizeof *one_block);
    if (one_block == NULL) return FIRN_BROKEN_MEMORY;
    firn_free(s->one_block);
    s->one_block = one_block;
    s->block_most = room;
    s->workers = workers;
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

static void fill_chunks(const void* self, firn_local begin, firn_local end)
{
    const block_pass* pass = self;
    for (firn_local t = begin; t < end; t++) {
        firn_local* mine = places_of(pass, t);
        const uint32_t* label = pass->s->label;
        firn_local* order = pass->grid->order;
        const firn_local last = chunk_begin(pass, t + 1);
        for (firn_local p = chunk_begin(pass, t); p < last; p++)
            order[mine[label[p] >> CELL_BITS]++] = p;
    }
}

static void sort_blocks(const void* self, firn_local begin, firn_local end)
{
    const block_pass* pass = self;
    const firn_block_sort* s = pass->s;
    firn_local* copy = s->one_block + (size_t)firn_team_worker() * (size_t)s->block_most;
    for (firn_local b = begin; b < end; b++) sort_cells(s, pass->grid, b, copy);
}

firn_result firn_block_sort_run(firn_block_sort* sort, firn_sparse_grid* grid,
                                const firn_vec3* position, firn_local count, int chunks,
                                firn_local* out_bad)
{
    FIRN_TRY(reserve(sort, grid, count));
    int unknown = 0, changed = 0;
    *out_bad = count;
    const label_pass labels = {sort, grid, position, count, out_bad, &unknown};
    firn_share(pages_of(count), 1, label_pages, &labels);
    if (*out_bad < count) return FIRN_OK;
    const firn_local known = grid->block_count;
    if (unknown != 0) FIRN_TRY(admit_unknown(sort, grid, position, count));
    if (grid->block_count == 0) return FIRN_OK;
    FIRN_TRY(reserve_blocks(sort, grid, chunks));
    block_pass pass = {sort, grid, grid->block_count, count, chunks, NULL, &changed};
    firn_share(chunks, 1, count_chunks, &pass);
    firn_share(pass.blocks, BLOCKS_GRAIN, add_counts, &pass);
    if (pass.blocks != known || changed != 0) {
        FIRN_TRY(activate_blocks(sort, &pass));
        pass.old = sort->old;
    }
    FIRN_TRY(reserve_one_block(sort, place_blocks(&pass)));
    firn_share(grid->occupied_count, BLOCKS_GRAIN, share_out, &pass);
    firn_share(chunks, 1, fill_chunks, &pass);
    firn_share(grid->occupied_count, 4, sort_blocks, &pass);
    return reserve_blocks(sort, grid, chunks);
}

void firn_block_sort_destroy(firn_block_sort* sort)
{
    firn_free(sort->label);
    firn_free(sort->unknown);
    firn_free(sort->one_block);
    firn_free(sort->place);
    firn_free(sort->old);
    firn_key_sort_destroy(&sort->block_keys);
    *sort = (firn_block_sort){0};
}
