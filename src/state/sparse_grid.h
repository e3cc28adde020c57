// SPDX-License-Identifier: MIT
// The sparse grid: blocks of 4x4x4 nodes that exist only where particles are.
//
// A particle whose lowest node (math/bspline.h) lies in block B reaches nodes of B and of its seven
// neighbours towards +x, +y, +z, never others. B is then a *home* block: it owns particles. The
// others exist to hold nodes only. Home blocks come first, in Morton order, then the rest.
//
// clang-format off
//     home block B      +x        A scatter touches B .. B+1 per axis. Blocks whose coordinates have
//     +---------+---------+       the same three parities (one of 8 colours) are at least two apart,
//     | * * * * | * * * . |       so their scatters share no node: blocks of one colour run in
//     | * * * * | * * * . |       parallel, colours one after the other, and every node is summed in
//     +---------+---------+       the same order whatever the number of threads.
//
// In large grids a colour is given to a group of 2x2x2 blocks, taken by one thread in Morton order: what
// neighbours share, particles and nodes alike, is then read and written while it is in the cache. The
// number of blocks decides, never that of threads: results must not depend on them.
// clang-format on
#pragma once
#include "core/result.h"
#include "math/bspline.h"
#include "state/block.h"

#define FIRN_GRID_COLOURS 8
#define FIRN_GRID_LARGE 1024  // home blocks from which on they are grouped

typedef struct firn_sparse_grid {
    firn_real cell, inverse_cell;  // h [m], 1/h
    firn_local home_count;         // blocks that own particles
    firn_local block_count;        // all blocks
    int32_t (*coord)[3];           // owned [block_count]; block coordinates (node / 4)
    firn_local* order;             // owned [particles]; particles by block, cell and number
    firn_local* first;           // owned [home_count + 1]; where each home block begins in `order`
    firn_local (*neighbour)[8];  // owned [home_count]; bit 2: +x, bit 1: +y, bit 0: +z
    firn_local* by_colour;       // owned [home_count]; home blocks, colour by colour
    firn_local* group_first;     // owned [groups + 1]; where each group begins in by_colour
    firn_local colour_first[FIRN_GRID_COLOURS + 1];  // groups of each colour
    firn_local home_capacity, block_capacity;
    uint64_t* table_key;      // owned; open-addressing hash from block to index
    firn_local* table_value;  // owned
    firn_local table_size;    // power of two
} firn_sparse_grid;

// Morton code of a block: blocks that are close in it are close in space.
uint64_t firn_block_key(int32_t bx, int32_t by, int32_t bz);

// Rebuilds the blocks from the ascending keys of the home blocks; `order` and `first` are left to
// the sort of the particles (block_sort.h). No allocation once capacities suffice.
// FIRN_BROKEN_MEMORY: the grid is empty or incomplete, and may be woken again.
firn_result firn_grid_wake(firn_sparse_grid* grid, const uint64_t* keys, firn_local home_count);
// Finds a block, or appends it behind all others: the grid is then not whole until the next wake.
firn_result firn_grid_admit(firn_sparse_grid* grid, int32_t bx, int32_t by, int32_t bz,
                            firn_local* out_block);
void firn_grid_destroy(firn_sparse_grid* grid);
// -1: no such block.
firn_local firn_grid_find(const firn_sparse_grid* grid, int32_t bx, int32_t by, int32_t bz);

static inline firn_local firn_grid_node_count(const firn_sparse_grid* grid)
{
    return grid->block_count * FIRN_BLOCK_NODES;
}

// Position of node n = block*64 + (x*4 + y)*4 + z  [m]
static inline firn_vec3 firn_grid_node_position(const firn_sparse_grid* grid, firn_local n)
{
    const int32_t* c = grid->coord[n / FIRN_BLOCK_NODES];
    const int32_t k = n % FIRN_BLOCK_NODES;
    const int32_t i[3] = {c[0] * 4 + (k >> 4), c[1] * 4 + (k >> 2 & 3), c[2] * 4 + (k & 3)};
    return firn_v3((firn_real)i[0] * grid->cell, (firn_real)i[1] * grid->cell,
                   (firn_real)i[2] * grid->cell);
}
