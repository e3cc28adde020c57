// SPDX-License-Identifier: MIT
// The sparse grid: blocks of 4x4x4 nodes that exist only where particles are.
//
// A particle whose lowest node (math/bspline.h) is in block B reaches nodes of B and of its seven
// neighbours towards +x, +y, +z only. B owns the particle and is called *occupied*;
// the neighbours are active because they hold nodes. Occupied blocks come first, in Morton order,
// then the other active blocks.
//
//     occupied B        +x        A scatter writes to B .. B+1 per axis. Blocks whose coordinates
//     +---------+---------+       have the same three parities (one of 8 colours) are at least two
//     | * * * * | * * * . |       apart, so their scatters share no node: blocks of one colour run
//     | * * * * | * * * . |       in parallel, colours one after the other, and every node is
//     +---------+---------+       summed in the same order for any number of threads.
//
// In large grids a group of 2x2x2 blocks shares a colour and is processed by one thread in Morton
// order, so that particles and nodes shared by neighbours are still in the cache. The number of
// blocks decides this, not the number of threads, because results must not depend on threads.
#pragma once
#include "core/result.h"
#include "math/bspline.h"
#include "state/block.h"

#define FIRN_GRID_COLOURS 8
#define FIRN_GRID_LARGE 16384  // occupied blocks from which on they are grouped

typedef struct firn_ready_tiles firn_ready_tiles;  // state/ready_tiles.h

typedef struct firn_sparse_grid {
    firn_real cell, inverse_cell;  // h [m], 1/h
    firn_local occupied_count;     // occupied blocks
    firn_local block_count;        // all active blocks
    int32_t (*coord)[3];           // owned [block_count]; block coordinates (node / 4)
    firn_local* order;             // owned [particles]; particles by block, cell and number
    firn_local* first;             // owned [occupied_count + 1]; where each block begins in `order`
    firn_local (*neighbour)[8];    // owned [occupied_count]; bit 2: +x, bit 1: +y, bit 0: +z
    firn_local* by_colour;         // owned [occupied_count]; occupied blocks by colour
    firn_local* group_first;       // owned [groups + 1]; where each group begins in by_colour
    firn_local colour_first[FIRN_GRID_COLOURS + 1];  // groups of each colour
    firn_local occupied_capacity, block_capacity;
    uint64_t* table_key;            // owned; open-addressing hash from block to index
    firn_local* table_value;        // owned
    firn_local table_size;          // power of two
    int64_t elsewhere;              // occupied blocks of other ranks (solver/shared/halo/halo.h)
    const firn_ready_tiles* ready;  // borrowed; null: none
    double* block_seconds;  // borrowed [occupied_count]; null: loops over blocks are not timed
} firn_sparse_grid;

// Morton code of a block: blocks that are close in it are close in space.
uint64_t firn_block_key(int32_t bx, int32_t by, int32_t bz);

// Activates the blocks of the ascending keys of the occupied blocks and their neighbours. The sort
// of the particles (block_sort.h) fills `order` and `first`. Does not allocate if capacities
// suffice. FIRN_BROKEN_MEMORY: the grid is empty or incomplete; call it again.
firn_result firn_grid_activate(firn_sparse_grid* grid, const uint64_t* keys,
                               firn_local occupied_count);
// Finds a block, or appends it after all others: the grid is then incomplete until the next
// activation.
firn_result firn_grid_admit(firn_sparse_grid* grid, int32_t bx, int32_t by, int32_t bz,
                            firn_local* out_block);
void firn_grid_destroy(firn_sparse_grid* grid);
// Sets the number of occupied blocks that other ranks have: together they decide whether blocks are
// grouped, on all ranks alike.
void firn_grid_regroup(firn_sparse_grid* grid, int64_t elsewhere);
// The colour of an occupied block: its tile is added to a node after those of smaller colours.
int firn_grid_colour(const firn_sparse_grid* grid, const int32_t block[3]);
// -1: no such block.
firn_local firn_grid_find(const firn_sparse_grid* grid, int32_t bx, int32_t by, int32_t bz);

// Get the lowest node of a particle (math/bspline.h). False: not finite, or out of the grid's
// range.
static inline bool firn_grid_lowest_node(const firn_sparse_grid* grid, firn_vec3 x, int32_t node[3])
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
