// SPDX-License-Identifier: MIT
// The sparse grid and the sorted list of particles on a GPU: what state/sparse_grid.h and
// state/block_sort.h are on the host. Blocks of 4x4x4 nodes, found through a hash table of their
// coordinates; a block that owns particles is a *home* and reaches itself and its seven neighbours
// towards +x, +y, +z.
//
// clang-format off
//   positions --bin--> label (table slot, cell), rank in the cell, first particle of each slot
//             --select--> homes, in the order of their first particles   (no race decides a number)
//             --touch, select--> the other blocks, in the order in which homes reach them
//             --scan--> where each home and each cell begins in the list
//             --scatter, settle--> the list: by home, cell, number of the particle
// clang-format on
//
// Everything is numbered by what the particles are, never by which thread came first: sums over
// blocks, cells and particles have one order, and two runs have the same bits. No launch depends on
// a count that only the device knows: kernels loop to counts they read, and what does not fit sets
// `room`, after which nothing is changed until the host has made more.
#pragma once
#include <cuda_runtime.h>

#include "firn/types.h"
#include "state/block.h"

#define FIRN_DEVICE_TILE_SIDE 7  // nodes along a home's reach: its own 4 and 3 of the next block
#define FIRN_DEVICE_TILE 343
#define FIRN_DEVICE_NONE 0xffffffffu  // the label of a particle that is in no block

typedef unsigned long long firn_device_key;

// Counts that kernels read and write; one on the device.
typedef struct firn_device_grid_counts {
    int home_count, block_count;
    int used;    // slots of the table
    int picked;  // by the last selection
    int alive;   // particles in the list
    int room;    // 1: the table or an array is too small for this step
    int lost;    // first particle that the grid cannot hold; INT_MAX: none
} firn_device_grid_counts;

// Arrays are the device's; whoever fills the struct owns them.
typedef struct firn_device_grid {
    float cell, inverse_cell;  // h [m], 1/h
    int home_capacity, block_capacity, particle_capacity;
    unsigned table_mask;  // slots - 1
    firn_device_grid_counts* counts;
    firn_device_key* table_key;  // [slots]
    int* table_first;            // [slots] lowest particle (homes) or reach (others)
    int* table_value;            // [slots] block; -1: not numbered
    unsigned* cell_start;        // [slots][64] particles of a cell, then where they begin
    int4* coord;                 // [block_capacity] block coordinates, slot
    int* total;                  // [home_capacity + 1] particles of a home
    int* first;                  // [home_capacity + 1] where it begins in `order`
    int* neighbour;              // [home_capacity][8]
    int* inverse;                // [block_capacity][8] the home that reaches it so; -1: none
    int* touch;                  // [home_capacity][8] slots
    int* pick;                   // [block_capacity] selected
    int* pick_sorted;            // [home_capacity]
    firn_device_key* morton[2];  // [home_capacity]
    unsigned* label;             // [particles] slot * 64 + cell
    unsigned* rank;              // [particles] in the cell, as threads came
    int* loose;                  // [particles] by home and cell
    int* order;                  // [particles] by home, cell and number
    void* scratch;               // of CUB
    size_t scratch_bytes;
} firn_device_grid;

// Fills the counts and the table as if there had never been a block.
void firn_device_grid_reset(const firn_device_grid* grid, cudaStream_t stream);

// Launches everything of the drawing above. `halt`: where not 0 nothing happens. `count`:
// particles, on the device; `morton`: number homes along the Morton curve instead.
struct firn_device_sort_args {
    firn_device_grid grid;
    const float4* at;  // x_p in the first three
    const int* halt;
    const int* count;
    const uint8_t* gone;  // [particles] not 0: removed, in no list; null: none is
    bool morton;
};
cudaError_t firn_device_sort(const firn_device_sort_args* args, cudaStream_t stream);
// Bytes of scratch that CUB wants for these capacities.
cudaError_t firn_device_sort_scratch(int particles, int homes, size_t* out_bytes);

#ifdef __CUDACC__
static __device__ __forceinline__ bool firn_device_idle(const firn_device_grid& g, const int* halt)
{
    return *halt != 0 || g.counts->room != 0;
}

// The node at place (X, Y, Z) of the tile of the home with these neighbours.
static __device__ __forceinline__ int firn_device_tile_node(const int* neighbour, int X, int Y,
                                                            int Z)
{
    const int n = (X >> 2) << 2 | (Y >> 2) << 1 | (Z >> 2);
    return neighbour[n] * FIRN_BLOCK_NODES + (((X & 3) << 2 | (Y & 3)) << 2 | (Z & 3));
}
#endif
