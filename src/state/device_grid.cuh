// SPDX-License-Identifier: MIT
// The sparse grid and the sorted list of particles on a GPU: the counterpart of state/sparse_grid.h
// and state/block_sort.h. Blocks of 4x4x4 nodes are found through a hash table of their
// coordinates. A block that owns particles is *occupied* and activates itself and its seven
// neighbours towards +x, +y, +z.
//
//   positions --bin--> label (table slot, cell), rank in the cell, first particle of each slot
//             --select--> occupied blocks, in the order of their first particles
//             --activate, select--> the other active blocks, in the order in which they are reached
//             --scan--> where each occupied block and each cell begins in the list
//             --scatter, settle--> the list: by block, cell, particle number
//
// Numbers depend on particles only, never on thread order: sums over blocks, cells and particles
// have a fixed order, and runs are bitwise reproducible. No launch depends on a count that only the
// device knows: kernels loop up to counts that they read. What does not fit sets `room`; then
// nothing is changed until the host has grown the arrays.
#pragma once
#include <cuda_runtime.h>

#include "firn/types.h"
#include "state/block.h"

#define FIRN_DEVICE_TILE_SIDE 7  // nodes along an axis of a tile: 4 of a block and 3 of the next
#define FIRN_DEVICE_TILE 343
#define FIRN_DEVICE_NONE 0xffffffffu  // label of a particle that is in no block

typedef unsigned long long firn_device_key;

// Counts that kernels read and write; one instance, in device memory.
typedef struct firn_device_grid_counts {
    int occupied_count, block_count;
    int used;    // slots of the table
    int picked;  // items of the last selection
    int alive;   // particles in the list
    int room;    // 1: the table or an array is too small for this step
    int lost;    // first particle outside of the grid's range; INT_MAX: none
} firn_device_grid_counts;

// Arrays in device memory, owned by whoever fills the struct.
typedef struct firn_device_grid {
    float cell, inverse_cell;  // h [m], 1/h
    int occupied_capacity, block_capacity, particle_capacity;
    unsigned table_mask;  // slots - 1
    firn_device_grid_counts* counts;
    firn_device_key* table_key;  // [slots]
    int* table_first;            // [slots] lowest particle (occupied) or reference (others)
    int* table_value;            // [slots] block number; -1: none yet
    unsigned* cell_start;        // [slots][64] particle count of a cell, then where it begins
    int4* coord;                 // [block_capacity] block coordinates, slot
    int* total;                  // [occupied_capacity + 1] particles of an occupied block
    int* first;                  // [occupied_capacity + 1] where it begins in `order`
    int* neighbour;              // [occupied_capacity][8]
    int* inverse;                // [block_capacity][8] occupied block that reaches it; -1: none
    int* reached;                // [occupied_capacity][8] slots of the blocks that it reaches
    int* pick;                   // [block_capacity] selected
    int* pick_sorted;            // [occupied_capacity]
    firn_device_key* morton[2];  // [occupied_capacity]
    unsigned* label;             // [particles] slot * 64 + cell
    unsigned* rank;              // [particles] in the cell, in order of thread arrival
    int* loose;                  // [particles] by block and cell
    int* order;                  // [particles] by block, cell and number
    void* scratch;               // for CUB
    size_t scratch_bytes;
} firn_device_grid;

// Resets the counts and the table to an empty grid.
void firn_device_grid_reset(const firn_device_grid* grid, cudaStream_t stream);

// Launches all kernels of the drawing above. `halt`: if not 0, kernels do nothing. `count`: number
// of particles, in device memory; `morton`: number occupied blocks along the Morton curve instead.
struct firn_device_sort_args {
    firn_device_grid grid;
    const float4* at;  // x_p in the first three
    const int* halt;
    const int* count;
    const uint8_t* gone;  // [particles] not 0: removed, not in the list; null: none
    bool morton;
};
cudaError_t firn_device_sort(const firn_device_sort_args* args, cudaStream_t stream);
// Bytes of scratch that CUB needs for these capacities.
cudaError_t firn_device_sort_scratch(int particles, int occupied, size_t* out_bytes);

#ifdef __CUDACC__
static __device__ __forceinline__ bool firn_device_idle(const firn_device_grid& g, const int* halt)
{
    return *halt != 0 || g.counts->room != 0;
}

// The node at (X, Y, Z) of the tile of the occupied block with these neighbours.
static __device__ __forceinline__ int firn_device_tile_node(const int* neighbour, int X, int Y,
                                                            int Z)
{
    const int n = (X >> 2) << 2 | (Y >> 2) << 1 | (Z >> 2);
    return neighbour[n] * FIRN_BLOCK_NODES + (((X & 3) << 2 | (Y & 3)) << 2 | (Z & 3));
}
#endif
