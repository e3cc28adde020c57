// SPDX-License-Identifier: MIT
// The sparse grid: waking blocks from sorted particle keys.
#include "state/sparse_grid.h"

#include "core/memory.h"

#define COORD_BITS 18
#define EMPTY UINT64_MAX

// Spreads 18 bits so that two zero bits follow each.
static uint64_t spread(uint64_t x)
{
    x &= 0x3ffff;
    x = (x | x << 32) & 0x1f00000000ffffull;
    x = (x | x << 16) & 0x1f0000ff0000ffull;
    x = (x | x << 8) & 0x100f00f00f00f00full;
    x = (x | x << 4) & 0x10c30c30c30c30c3ull;
    x = (x | x << 2) & 0x1249249249249249ull;
    return x;
}

static uint64_t compact(uint64_t x)
{
    x &= 0x1249249249249249ull;
    x = (x | x >> 2) & 0x10c30c30c30c30c3ull;
    x = (x | x >> 4) & 0x100f00f00f00f00full;
    x = (x | x >> 8) & 0x1f0000ff0000ffull;
    x = (x | x >> 16) & 0x1f00000000ffffull;
    x = (x | x >> 32) & 0x3ffff;
    return x;
}

static uint64_t block_key(int32_t bx, int32_t by, int32_t bz)
{
    return spread((uint32_t)(bx + FIRN_BLOCK_LIMIT)) << 2 |
           spread((uint32_t)(by + FIRN_BLOCK_LIMIT)) << 1 |
           spread((uint32_t)(bz + FIRN_BLOCK_LIMIT));
}

uint64_t firn_grid_key(const firn_sparse_grid* grid, firn_vec3 x)
{
    const firn_real limit = (firn_real)(4 * (FIRN_BLOCK_LIMIT - 2));
    const firn_real fx = x.x * grid->inverse_cell, fy = x.y * grid->inverse_cell;
    const firn_real fz = x.z * grid->inverse_cell;
    if (!(firn_abs(fx) < limit && firn_abs(fy) < limit && firn_abs(fz) < limit)) return EMPTY;
    int32_t i, j, k;
    firn_real t;
    firn_weights_axis(fx, &i, &t);
    firn_weights_axis(fy, &j, &t);
    firn_weights_axis(fz, &k, &t);
    const uint64_t cell = (uint64_t)((i & 3) << 4 | (j & 3) << 2 | (k & 3));
    return block_key(i >> 2, j >> 2, k >> 2) << 6 | cell;
}

static size_t slot_of(const firn_sparse_grid* grid, uint64_t key)
{
    uint64_t z = key * 0x9e3779b97f4a7c15ull;
    z ^= z >> 29;
    size_t slot = (size_t)z & (size_t)(grid->table_size - 1);
    while (grid->table_key[slot] != EMPTY && grid->table_key[slot] != key)
        slot = (slot + 1) & (size_t)(grid->table_size - 1);
    return slot;
}

firn_local firn_grid_find(const firn_sparse_grid* grid, int32_t bx, int32_t by, int32_t bz)
{
    if (grid->table_size == 0) return -1;
    const size_t slot = slot_of(grid, block_key(bx, by, bz));
    return grid->table_key[slot] == EMPTY ? -1 : grid->table_value[slot];
}

static firn_result reserve_home(firn_sparse_grid* grid, firn_local home_count)
{
    if (home_count <= grid->home_capacity) return FIRN_OK;
    const firn_local capacity = home_count + home_count / 2 + 16;
    firn_local* first = firn_alloc((size_t)capacity + 1, sizeof *first);
    firn_local(*neighbour)[8] = firn_alloc((size_t)capacity, sizeof *neighbour);
    firn_local* by_colour = firn_alloc((size_t)capacity, sizeof *by_colour);
    if (first == NULL || neighbour == NULL || by_colour == NULL) {
        firn_free(first);
        firn_free(neighbour);
        firn_free(by_colour);
        return FIRN_BROKEN_MEMORY;
    }
    firn_free(grid->first);
    firn_free(grid->neighbour);
    firn_free(grid->by_colour);
    grid->first = first;
    grid->neighbour = neighbour;
    grid->by_colour = by_colour;
    grid->home_capacity = capacity;
    return FIRN_OK;
}

// Room for every block that `home_count` homes could wake (at most 8 each), half-full table.
static firn_result reserve_blocks(firn_sparse_grid* grid, firn_local home_count)
{
    const int64_t most = (int64_t)home_count * 8;
    if (most <= grid->block_capacity) return FIRN_OK;
    const int64_t capacity = most + most / 2 + 64;
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
    firn_free(grid->coord);
    firn_free(grid->table_key);
    firn_free(grid->table_value);
    grid->coord = coord;
    grid->table_key = table_key;
    grid->table_value = table_value;
    grid->table_size = (firn_local)table;
    grid->block_capacity = (firn_local)capacity;
    return FIRN_OK;
}

static firn_local wake(firn_sparse_grid* grid, int32_t bx, int32_t by, int32_t bz)
{
    const uint64_t key = block_key(bx, by, bz);
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

static void list_colours(firn_sparse_grid* grid)
{
    firn_local count[FIRN_GRID_COLOURS + 1] = {0};
    for (int pass = 0; pass < 2; pass++) {
        for (firn_local b = 0; b < grid->home_count; b++) {
            const int32_t* c = grid->coord[b];
            const int colour = (c[0] & 1) << 2 | (c[1] & 1) << 1 | (c[2] & 1);
            if (pass == 0) {
                count[colour + 1]++;
            } else {
                grid->by_colour[count[colour]++] = b;
            }
        }
        if (pass == 0) {
            for (int k = 0; k < FIRN_GRID_COLOURS; k++) count[k + 1] += count[k];
            for (int k = 0; k <= FIRN_GRID_COLOURS; k++) grid->colour_first[k] = count[k];
        }
    }
}

firn_result firn_grid_wake(firn_sparse_grid* grid, const uint64_t* keys, firn_local count)
{
    firn_local home_count = 0;
    for (firn_local k = 0; k < count; k++) home_count += k == 0 || keys[k] >> 6 != keys[k - 1] >> 6;
    FIRN_TRY(reserve_home(grid, home_count));
    FIRN_TRY(reserve_blocks(grid, home_count));
    for (firn_local s = 0; s < grid->table_size; s++) grid->table_key[s] = EMPTY;
    grid->block_count = 0;
    grid->home_count = home_count;
    for (firn_local k = 0; k < count; k++) {
        if (k > 0 && keys[k] >> 6 == keys[k - 1] >> 6) continue;
        const uint64_t m = keys[k] >> 6;
        grid->first[grid->block_count] = k;
        wake(grid, (int32_t)compact(m >> 2) - FIRN_BLOCK_LIMIT,
             (int32_t)compact(m >> 1) - FIRN_BLOCK_LIMIT, (int32_t)compact(m) - FIRN_BLOCK_LIMIT);
    }
    if (home_count > 0) grid->first[home_count] = count;
    for (firn_local b = 0; b < home_count; b++) {
        const int32_t c[3] = {grid->coord[b][0], grid->coord[b][1], grid->coord[b][2]};
        for (int n = 0; n < 8; n++)
            grid->neighbour[b][n] =
                wake(grid, c[0] + (n >> 2), c[1] + (n >> 1 & 1), c[2] + (n & 1));
    }
    list_colours(grid);
    return FIRN_OK;
}

void firn_grid_destroy(firn_sparse_grid* grid)
{
    firn_free(grid->coord);
    firn_free(grid->first);
    firn_free(grid->neighbour);
    firn_free(grid->by_colour);
    firn_free(grid->table_key);
    firn_free(grid->table_value);
    *grid = (firn_sparse_grid){0};
}
