// SPDX-License-Identifier: MIT
// Loops over the blocks of the grid, shared by a team of threads (core/threads/team.h).
//
//   gathers    every occupied block writes its own particles: all blocks at once
//   scatters   blocks of one colour share no node: the blocks of a colour at once, colour by colour
#pragma once
#include <string.h>

#include "core/simd/vec4.h"
#include "core/threads/team.h"
#include "core/timer.h"
#include "state/ready_tiles.h"

#define FIRN_MPM_NODES_GRAIN 4096  // nodes worth a part of a loop
#define FIRN_MPM_BLOCKS_GRAIN (FIRN_MPM_NODES_GRAIN / FIRN_BLOCK_NODES)

typedef void firn_mpm_block_loop(const void* args, firn_local b);

typedef struct firn_mpm_block_pass {
    const firn_sparse_grid* grid;
    firn_mpm_block_loop* block;
    const void* args;
    firn_local first_group;  // of a scatter's colour
} firn_mpm_block_pass;

static inline void firn_mpm_run_block(const firn_mpm_block_pass* pass, firn_local b)
{
    double* seconds = pass->grid->block_seconds;
    const double begun = seconds != NULL ? firn_thread_seconds() : 0;
    pass->block(pass->args, b);
    if (seconds != NULL) seconds[b] += firn_thread_seconds() - begun;
}

static inline void firn_mpm_run_blocks(const void* self, firn_local begin, firn_local end)
{
    const firn_mpm_block_pass* pass = self;
    for (firn_local b = begin; b < end; b++) firn_mpm_run_block(pass, b);
}

static inline void firn_mpm_run_groups(const void* self, firn_local begin, firn_local end)
{
    const firn_mpm_block_pass* pass = self;
    const firn_local* first = pass->grid->group_first + pass->first_group;
    for (firn_local n = first[begin]; n < first[end]; n++)
        if (!firn_ready_tiles_add(pass->grid, pass->grid->by_colour[n]))
            firn_mpm_run_block(pass, pass->grid->by_colour[n]);
}

static inline void firn_mpm_gather_blocks(const firn_sparse_grid* grid, firn_mpm_block_loop* block,
                                          const void* args)
{
    const firn_mpm_block_pass pass = {grid, block, args, 0};
    firn_share(grid->occupied_count, 1, firn_mpm_run_blocks, &pass);
}

static inline void firn_mpm_scatter_blocks(const firn_sparse_grid* grid, firn_mpm_block_loop* block,
                                           const void* args)
{
    for (int colour = 0; colour < FIRN_GRID_COLOURS; colour++) {
        const firn_local first = grid->colour_first[colour];
        const firn_mpm_block_pass pass = {grid, block, args, first};
        firn_share(grid->colour_first[colour + 1] - first, 1, firn_mpm_run_groups, &pass);
    }
}

static inline void firn_mpm_clear_block(const void* nodes, firn_local begin, firn_local end)
{
    firn_vec4* const* array = nodes;
    memset(*array + (size_t)begin * FIRN_BLOCK_NODES, 0,
           (size_t)(end - begin) * FIRN_BLOCK_NODES * sizeof(firn_vec4));
}

static inline void firn_mpm_clear_nodes(const firn_sparse_grid* grid, firn_vec4* nodes)
{
    firn_share(grid->block_count, FIRN_MPM_BLOCKS_GRAIN, firn_mpm_clear_block, &nodes);
}
