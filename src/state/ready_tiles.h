// SPDX-License-Identifier: MIT
// Tiles of some blocks that are there already: a scatter adds them instead of computing them again
// (solver/shared/halo/halo.h). A tile is the nodes of 8 neighbours, one block after the other.
#pragma once
#include "core/simd/vec4.h"
#include "state/sparse_grid.h"

struct firn_ready_tiles {
    const firn_local* number;    // [occupied_count] of a block's tile; -1: none
    int arrays;                  // at most 2
    const firn_vec4* values[2];  // of each array
    firn_vec4* nodes[2];         // that they are added to
};

// Adds the tile of block b, as firn_tile_add does. False: it is not ready.
static inline bool firn_ready_tiles_add(const firn_sparse_grid* grid, firn_local b)
{
    const firn_ready_tiles* ready = grid->ready;
    if (ready == NULL || ready->number[b] < 0) return false;
    for (int a = 0; a < ready->arrays; a++)
        for (size_t side = 0; side < 8; side++) {
            const size_t tile = 8 * (size_t)ready->number[b] + side;
            const firn_vec4* from = ready->values[a] + tile * FIRN_BLOCK_NODES;
            firn_vec4* to = ready->nodes[a] + (size_t)grid->neighbour[b][side] * FIRN_BLOCK_NODES;
            for (int n = 0; n < FIRN_BLOCK_NODES; n++) to[n] += from[n];
        }
    return true;
}
