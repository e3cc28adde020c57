// SPDX-License-Identifier: MIT
// What the files of the halo share.
#pragma once
#include <string.h>

#include "core/memory.h"
#include "solver/shared/halo/halo.h"

// A block of this rank that is announced to another rank.
typedef struct firn_halo_told {
    int32_t rank;
    firn_local block;
} firn_halo_told;

// An occupied block of another rank.
typedef struct firn_halo_heard {
    int32_t at[3];
    int32_t rank;
} firn_halo_heard;

// One of the eight parts of a tile: what it adds to a block of nodes.
typedef struct firn_halo_part {
    firn_local values;  // block of nodes in halo->values
    int32_t side;       // 0 to 7, as firn_sparse_grid.neighbour: three or four nodes per axis
    int32_t offset;     // [nodes] in the packed array
} firn_halo_part;

// What is added to a shared block of nodes, in this order.
typedef struct firn_halo_nodes {
    firn_local block;  // in the grid
    int32_t count;
    firn_local values[8];
} firn_halo_nodes;

// Room for `count` items in all; those that exist stay. False: out of memory.
bool firn_halo_room(firn_halo_list* list, int64_t count, size_t size);
bool firn_halo_append(firn_halo_list* list, const void* item, size_t size);

// halo_border.c: to whom this rank announces its blocks, and what others announce. Afterwards the
// grid has the colours of all ranks' blocks.
firn_result firn_halo_find_border(firn_halo* h, firn_sparse_grid* grid, firn_error* error);
// halo_parts.c: what is sent, received and added. False: out of memory.
bool firn_halo_list_parts(firn_halo* h);
// Fails on all ranks where one is out of memory.
firn_result firn_halo_settle(firn_halo* h, bool done, firn_error* error);

// Nodes of a part of a tile.
static inline int32_t firn_halo_part_nodes(int side)
{
    return ((side & 4) != 0 ? 3 : 4) * ((side & 2) != 0 ? 3 : 4) * ((side & 1) != 0 ? 3 : 4);
}
