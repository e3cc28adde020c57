// SPDX-License-Identifier: MIT
// Scatter without atomics: a warp adds the contributions of its particles to the nodes that its
// lanes own.
//
// An occupied block has 4x4x4 cells; its particles reach a tile of 7x7x7 nodes. Warp x of four
// takes the cells of layer x, in the order of the list: y, then z. Its sums are in a *slab* of
// 4x7x7 nodes of its own. Within a cell, lane (i, j, half) holds in registers the sums of two nodes
// of column (x + i, y + j): those whose z modulo 4 is 2 half and 2 half + 1. Where the next cell of
// the same y begins one layer higher, only the layer that is left goes to the slab, and the new one
// takes its registers:
//
// clang-format off
//     z       0 1 2 3 4 5 6     lane's two nodes: z mod 4 = 0, 1 (half 0) or 2, 3 (half 1)
//     cell 0: # # # #           at the step to cell 1 node 0 is written, its register starts node 4
//     cell 1:   # # # #
// clang-format on
//
// The four slabs are then added, in order, into the tile, and tiles into nodes by the owner of the
// node (firn_mpm_gather_tiles): every sum has one order.
#pragma once
#include "state/device_grid.cuh"

#define FIRN_SLAB_NODES (4 * 7 * 7)
#define FIRN_SLAB_WARPS 4

#ifdef __CUDACC__
// The registers of one lane: CHANNELS numbers, or vectors of numbers, for each of its two nodes.
template <int CHANNELS, typename T = float4> struct firn_slab_sums {
    T node[2][CHANNELS];
};

static __device__ __forceinline__ float4 firn_slab_plus(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

static __device__ __forceinline__ float firn_slab_plus(float a, float b)
{
    return a + b;
}

template <int CHANNELS, typename T>
static __device__ __forceinline__ void firn_slab_clear(firn_slab_sums<CHANNELS, T>& sums, int which)
{
#pragma unroll
    for (int c = 0; c < CHANNELS; c++) sums.node[which][c] = T{};
}

// Adds layer z of the column of cells y to the slab, and clears it. All lanes call.
template <int CHANNELS, typename T>
static __device__ __forceinline__ void firn_slab_write(T (*slab)[FIRN_SLAB_NODES], int y, int z,
                                                       firn_slab_sums<CHANNELS, T>& sums)
{
    const int lane = threadIdx.x & 31, half = lane >> 4, i = lane >> 2 & 3, j = lane & 3;
    const bool mine = (z >> 1 & 1) == half;
    const int node = (i * 7 + y + j) * 7 + z;
    if ((z & 1) == 0) {
        if (mine) {
#pragma unroll
            for (int c = 0; c < CHANNELS; c++)
                slab[c][node] = firn_slab_plus(slab[c][node], sums.node[0][c]);
            firn_slab_clear(sums, 0);
        }
    } else if (mine) {
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            slab[c][node] = firn_slab_plus(slab[c][node], sums.node[1][c]);
        firn_slab_clear(sums, 1);
    }
}

// From cell `from` (y * 4 + z; -1: none yet) to cell `to`; 16: the end.
template <int CHANNELS, typename T>
static __device__ __forceinline__ void firn_slab_move(T (*slab)[FIRN_SLAB_NODES], int from, int to,
                                                      firn_slab_sums<CHANNELS, T>& sums)
{
    if (from < 0) return;
    const int y = from >> 2, low = from & 3;
    const int high = (to >> 2) == y ? (to & 3) : low + 4;
    for (int z = low; z < high; z++) firn_slab_write(slab, y, z, sums);
}

// Calls run(cell, count) for each cell that the lanes' particles 0 .. n are in, in order: `mine` is
// the cell of the lane's own. All lanes call, and go through the runs together.
template <typename RUN>
static __device__ __forceinline__ void firn_slab_runs(int mine, int n, RUN run)
{
    const int lane = threadIdx.x & 31;
    const int before = __shfl_up_sync(0xffffffffu, mine, 1);
    unsigned starts = __ballot_sync(0xffffffffu, lane < n && (lane == 0 || mine != before));
    for (int at = 0; at < n;) {
        starts &= starts - 1;
        const int next = starts != 0 ? __ffs(starts) - 1 : n;
        run(__shfl_sync(0xffffffffu, mine, at), next - at);
        at = next;
    }
}

// The tile's node n from the slabs of all warps.
template <int CHANNELS, typename T>
static __device__ __forceinline__ T firn_slab_gather(const T (*slabs)[CHANNELS][FIRN_SLAB_NODES],
                                                     int channel, int n)
{
    const int x = n / 49, rest = n - x * 49;
    T sum = {};
#pragma unroll
    for (int w = 0; w < FIRN_SLAB_WARPS; w++) {
        const int i = x - w;
        if (i < 0 || i > 3) continue;
        sum = firn_slab_plus(sum, slabs[w][channel][i * 49 + rest]);
    }
    return sum;
}

// Where the particles of layer x of occupied block h begin and end in the list.
static __device__ __forceinline__ void firn_slab_range(const firn_device_grid& g, int h, int x,
                                                       int* begin, int* end)
{
    const unsigned* cells = g.cell_start + (size_t)g.coord[h].w * FIRN_BLOCK_NODES;
    *begin = (int)cells[x * 16];
    *end = x == 3 ? g.first[h + 1] : (int)cells[x * 16 + 16];
}
#endif
