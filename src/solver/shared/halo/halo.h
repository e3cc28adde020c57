// SPDX-License-Identifier: MIT
// The grid of a rank and those of the others: sums on nodes that particles of several ranks reach.
//
// A block that has an occupied neighbour on another rank is at the border. Its tile, what its
// particles add to the nodes around, is computed first, by itself, and sent to these neighbours'
// ranks. Nodes that tiles of other ranks reach (they are shared) are then added up
// again, from the tiles of all blocks that reach them, in the order of a single process: by colour,
// then by block. Every rank that needs such a node does so, and all get the same bits.
//
//     tiles    compute the tiles of the border       (view: blocks that scatter to tiles)
//     begin    send them                             ... meanwhile all blocks scatter to the nodes,
//                                                    those of the border by adding their tiles
//     join     receive the others; shared nodes: sum of tiles
//
// clang-format off
//     values   [ tiles of the border: 8 blocks of nodes each | received blocks of nodes ]
// clang-format on
#pragma once
#include "comm/comm.h"
#include "comm/cuts.h"
#include "core/simd/vec4.h"
#include "state/ready_tiles.h"

#define FIRN_HALO_ARRAYS 2  // that are exchanged at once

// A growing array.
typedef struct firn_halo_list {
    void* data;  // owned
    firn_local count, capacity;
} firn_halo_list;

typedef struct firn_halo {
    firn_comm* comm;        // borrowed
    const firn_cuts* cuts;  // borrowed
    const firn_sparse_grid* grid;

    // of the present grid
    firn_sparse_grid view;           // borrows from the grid: the border alone, scattering to tiles
    firn_halo_list border;           // firn_local: blocks at the border
    firn_halo_list tile_of;          // firn_local [occupied]: number in `border`, -1
    firn_halo_list tile_neighbour;   // firn_local [occupied][8]
    firn_halo_list group;            // firn_local: bounds of the view's groups
    firn_halo_list told;             // which block is announced to whom: firn_halo_told, by rank
    firn_halo_list heard;            // blocks of other ranks: firn_halo_heard, by rank
    firn_halo_list slots;            // hash table of `heard`: firn_local, -1: empty
    firn_halo_list out, in;          // firn_halo_part: what is sent and received, by rank
    firn_halo_list shared;           // firn_halo_node_block
    firn_halo_list foreign;          // uint8_t [blocks]: 1: another rank counts this block of nodes
    int64_t *counts, *their_counts;  // owned [ranks][2]
    firn_local *told_first, *heard_first;  // owned [ranks + 1]
    firn_local *out_first, *in_first;      // owned [ranks + 1]: where parts of a rank begin
    firn_message *to, *from;               // owned [ranks]
    int to_count, from_count;
    firn_halo_list values[FIRN_HALO_ARRAYS];  // firn_vec4, see above
    firn_halo_list sent, received;            // firn_vec4: packed parts
    firn_halo_list sorted, packed, reached;   // scratch
    int arrays;                               // that are under way
} firn_halo;

// FIRN_BROKEN_MEMORY.
firn_result firn_halo_create(firn_comm* comm, const firn_cuts* cuts, firn_halo* out_halo);
void firn_halo_destroy(firn_halo* halo);
// After the grid was activated, on all ranks together: finds the border, informs the others. Gives
// the grid the colours of all ranks' blocks. FIRN_BROKEN_MEMORY on all ranks if one lacks it.
firn_result firn_halo_make(firn_halo* halo, firn_sparse_grid* grid, firn_error* error);

// The array of tiles that blocks of halo->view scatter to; zeroed by this.
firn_vec4* firn_halo_tiles(firn_halo* halo, int array);
// The tiles that were computed, for a scatter to `arrays` arrays of nodes: for grid.ready.
firn_ready_tiles firn_halo_ready(const firn_halo* halo, int arrays, firn_vec4* const nodes[]);
// Sends the tiles of `arrays` arrays. On all ranks together, as is the next.
void firn_halo_begin(firn_halo* halo, int arrays);
// Adds up the shared nodes of as many arrays.
void firn_halo_join(firn_halo* halo, firn_vec4* const nodes[]);

// Blocks of nodes that are shared.
static inline firn_local firn_halo_shared_count(const firn_halo* halo)
{
    return halo->shared.count;
}
firn_local firn_halo_shared(const firn_halo* halo, firn_local k);
// [blocks] 1: another rank counts this block of nodes in sums over all nodes.
static inline const uint8_t* firn_halo_foreign(const firn_halo* halo)
{
    return halo->foreign.data;
}
