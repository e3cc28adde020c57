// SPDX-License-Identifier: MIT
// The sparse grid: activates and finds blocks.
#include "state/sparse_grid.h"

#include <string.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "math/morton.h"

#define EMPTY UINT64_MAX

uint64_t firn_block_key(int32_t bx, int32_t by, int32_t bz)
{
    return firn_morton_code((uint32_t)(bx + FIRN_BLOCK_LIMIT), (uint32_t)(by + FIRN_BLOCK_LIMIT),
                            (uint32_t)(bz + FIRN_BLOCK_LIMIT));
}

static size_t first_slot(const firn_sparse_grid* grid, uint64_t key)
{
    uint64_t z = key * 0x9e3779b97f4a7c15ull;
    z ^= z >> 29;
    return (size_t)z & (size_t)(grid->table_size - 1);
}

static size_t next_slot(const firn_sparse_grid* grid, size_t slot)
{
    return (slot + 1) & (size_t)(grid->table_size - 1);
}

static size_t slot_of(const firn_sparse_grid* grid, uint64_t key)
{
    size_t slot = first_slot(grid, key);
    while (grid->table_key[slot] != EMPTY && grid->table_key[slot] != key)
        slot = next_slot(grid, slot);
    return slot;
}

firn_local firn_grid_find(const firn_sparse_grid* grid, int32_t bx, int32_t by, int32_t bz)
{
    if (grid->table_size == 0) return -1;
    const size_t slot = slot_of(grid, firn_block_key(bx, by, bz));
    return grid->table_key[slot] == EMPTY ? -1 : grid->table_value[slot];
}

static firn_result reserve_occupied(firn_sparse_grid* grid, firn_local occupied_count)
{
    if (occupied_count <= grid->occupied_capacity && grid->occupied_capacity > 0) return FIRN_OK;
    const firn_local capacity = occupied_count + occupied_count / 2 + 16;
    firn_local* first = firn_alloc((size_t)capacity + 1, sizeof *first);
    firn_local(*neighbour)[8] = firn_alloc((size_t)capacity, sizeof *neighbour);
    firn_local* by_colour = firn_alloc((size_t)capacity, sizeof *by_colour);
    firn_local* group_first = firn_alloc((size_t)capacity + 1, sizeof *group_first);
    if (first == NULL || neighbour == NULL || by_colour == NULL || group_first == NULL) {
        firn_free(first);
        firn_free(neighbour);
        firn_free(by_colour);
        firn_free(group_first);
        return FIRN_BROKEN_MEMORY;
    }
    firn_free(grid->first);
    firn_free(grid->neighbour);
    firn_free(grid->by_colour);
    firn_free(grid->group_first);
    grid->first = first;
    grid->neighbour = neighbour;
    grid->by_colour = by_colour;
    grid->group_first = group_first;
    grid->occupied_capacity = capacity;
    return FIRN_OK;
}

static void clear_slots(const void* self, firn_local begin, firn_local end)
{
    const firn_sparse_grid* grid = self;
    for (firn_local s = begin; s < end; s++) grid->table_key[s] = EMPTY;
}

static void clear_table(firn_sparse_grid* grid)
{
    firn_share(grid->table_size, 8192, clear_slots, grid);
}

static void enter_blocks(firn_sparse_grid* grid)
{
    clear_table(grid);
    for (firn_local b = 0; b < grid->block_count; b++) {
        const int32_t* c = grid->coord[b];
        const uint64_t key = firn_block_key(c[0], c[1], c[2]);
        const size_t slot = slot_of(grid, key);
        grid->table_key[slot] = key;
        grid->table_value[slot] = b;
    }
}

// Reserves for `count` blocks, in a table that is at most half full; keeps existing blocks.
static firn_result reserve_blocks(firn_sparse_grid* grid, int64_t count)
{
    if (count <= grid->block_capacity) return FIRN_OK;
    const int64_t capacity = count + count / 4 + 64;
    int64_t table = 64;
    while (table < capacity * 2) table *= 2;
    if (capacity > INT32_MAX / FIRN_BLOCK_NODES || table > INT32_MAX) return FIRN_BROKEN_MEMORY;
    int32_t(*coord)[3] = firn_alloc((size_t)capacity, sizeof *coord);
    uint64_t* table_key = firn_alloc((size_t)table, sizeof *table_key);
    firn_local* table_value = firn_alloc((size_t)table, sizeof *table_value);
    if (coord == NULL || table_key == NULL || table_value == NULL) {
        firn_free(coord);
        firn_free(table_key);
        firn_free(table_value);
        return FIRN_BROKEN_MEMORY;
    }
    if (grid->block_count > 0)
        memcpy(coord, grid->coord, (size_t)grid->block_count * sizeof *coord);
    firn_free(grid->coord);
    firn_free(grid->table_key);
    firn_free(grid->table_value);
    grid->coord = coord;
    grid->table_key = table_key;
    grid->table_value = table_value;
    grid->table_size = (firn_local)table;
    grid->block_capacity = (firn_local)capacity;
    enter_blocks(grid);
    return FIRN_OK;
}

static firn_local activate(firn_sparse_grid* grid, int32_t bx, int32_t by, int32_t bz)
{
    const uint64_t key = firn_block_key(bx, by, bz);
    const size_t slot = slot_of(grid, key);
    if (grid->table_key[slot] == EMPTY) {
        const firn_local b = grid->block_count++;
        grid->table_key[slot] = key;
        grid->table_value[slot] = b;
        grid->coord[b][0] = bx;
        grid->coord[b][1] = by;
        grid->coord[b][2] = bz;
    }
    return grid->table_value[slot];
}

// Are blocks grouped?
static bool is_large(const firn_sparse_grid* grid)
{
    return grid->occupied_count + grid->elsewhere >= FIRN_GRID_LARGE;
}

// Coordinates of the group of an occupied block, and its colour.
typedef struct group {
    int32_t at[3];
    int colour;
} group;

static group group_of(const firn_sparse_grid* grid, const int32_t c[3])
{
    const int halve = is_large(grid);
    const group g = {{c[0] >> halve, c[1] >> halve, c[2] >> halve}, 0};
    return (group){{g.at[0], g.at[1], g.at[2]},
                   (g.at[0] & 1) << 2 | (g.at[1] & 1) << 1 | (g.at[2] & 1)};
}

// Sorts the occupied blocks by colour; Morton order keeps the blocks of a group together.
static void list_colours(firn_sparse_grid* grid)
{
    firn_local place[FIRN_GRID_COLOURS + 1] = {0};
    for (firn_local b = 0; b < grid->occupied_count; b++)
        place[group_of(grid, grid->coord[b]).colour + 1]++;
    for (int k = 0; k < FIRN_GRID_COLOURS; k++) place[k + 1] += place[k];
    for (firn_local b = 0; b < grid->occupied_count; b++)
        grid->by_colour[place[group_of(grid, grid->coord[b]).colour]++] = b;
    firn_local groups = 0;
    int colour = 0;
    group last = {{0, 0, 0}, -1};
    for (firn_local k = 0; k < grid->occupied_count; k++) {
        const group g = group_of(grid, grid->coord[grid->by_colour[k]]);
        if (g.colour == last.colour && memcmp(g.at, last.at, sizeof g.at) == 0) continue;
        while (colour <= g.colour) grid->colour_first[colour++] = groups;
        grid->group_first[groups++] = k;
        last = g;
    }
    while (colour <= FIRN_GRID_COLOURS) grid->colour_first[colour++] = groups;
    grid->group_first[groups] = grid->occupied_count;
}

int firn_grid_colour(const firn_sparse_grid* grid, const int32_t block[3])
{
    return group_of(grid, block).colour;
}

void firn_grid_regroup(firn_sparse_grid* grid, int64_t elsewhere)
{
    const bool was_large = is_large(grid);
    grid->elsewhere = elsewhere;
    if (is_large(grid) != was_large) list_colours(grid);
}

typedef struct occupied_job {
    firn_sparse_grid* grid;
    const uint64_t* keys;  // all different
} occupied_job;

// Enters occupied blocks. Which slots they get depends on who comes first, their numbers do not.
static void enter_range(const void* self, firn_local begin, firn_local end)
{
    const occupied_job* job = self;
    firn_sparse_grid* grid = job->grid;
    for (firn_local b = begin; b < end; b++) {
        const uint64_t key = job->keys[b];
        for (int d = 0; d < 3; d++)
            grid->coord[b][d] = (int32_t)firn_morton_compact(key >> (2 - d)) - FIRN_BLOCK_LIMIT;
        size_t slot = first_slot(grid, key);
        uint64_t empty = EMPTY;
        while (!__atomic_compare_exchange_n(&grid->table_key[slot], &empty, key, false,
                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            slot = next_slot(grid, slot);
            empty = EMPTY;
        }
        grid->table_value[slot] = b;
    }
}

// Finds the neighbours that are occupied; -1: not active yet.
static void find_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sparse_grid* grid = self;
    for (firn_local b = begin; b < end; b++) {
        const int32_t* c = grid->coord[b];
        grid->neighbour[b][0] = b;
        for (int n = 1; n < 8; n++)
            grid->neighbour[b][n] =
                firn_grid_find(grid, c[0] + (n >> 2), c[1] + (n >> 1 & 1), c[2] + (n & 1));
    }
}

// The other neighbours get their numbers one after the other: results depend on their order.
static firn_result add_neighbours(firn_sparse_grid* grid)
{
    for (firn_local b = 0; b < grid->occupied_count; b++) {
        for (int n = 1; n < 8; n++) {
            if (grid->neighbour[b][n] >= 0) continue;
            FIRN_TRY(reserve_blocks(grid, (int64_t)grid->block_count + 1));
            const int32_t* c = grid->coord[b];
            grid->neighbour[b][n] =
                activate(grid, c[0] + (n >> 2), c[1] + (n >> 1 & 1), c[2] + (n & 1));
        }
    }
    return FIRN_OK;
}

firn_result firn_grid_admit(firn_sparse_grid* grid, int32_t bx, int32_t by, int32_t bz,
                            firn_local* out_block)
{
    FIRN_TRY(reserve_blocks(grid, grid->block_count + 1));
    *out_block = activate(grid, bx, by, bz);
    return FIRN_OK;
}

firn_result firn_grid_activate(firn_sparse_grid* grid, const uint64_t* keys,
                               firn_local occupied_count)
{
    FIRN_TRY(reserve_occupied(grid, occupied_count));
    grid->block_count = grid->occupied_count = 0;
    FIRN_TRY(reserve_blocks(grid, (int64_t)occupied_count + 1));
    clear_table(grid);
    grid->block_count = grid->occupied_count = occupied_count;
    firn_share(occupied_count, 128, enter_range, &(occupied_job){grid, keys});
    firn_share(occupied_count, 32, find_range, grid);
    FIRN_TRY(add_neighbours(grid));
    list_colours(grid);
    return FIRN_OK;
}

void firn_grid_destroy(firn_sparse_grid* grid)
{
    firn_free(grid->coord);
    firn_free(grid->first);
    firn_free(grid->neighbour);
    firn_free(grid->by_colour);
    firn_free(grid->group_first);
    firn_free(grid->order);
    firn_free(grid->table_key);
    firn_free(grid->table_value);
    *grid = (firn_sparse_grid){0};
}
