// SPDX-License-Identifier: MIT
// Neighbour lists on a GPU: a thread per particle searches nine runs of three cells, in the order
// and with the distances of state/pair_search.h. A run of more than FIRN_SPH_RUN_MOST particles,
// 170 times as many as snow at rest has there, ends the step as too many neighbours do.
#include "solver/sph/cuda/fused_rounding.cuh"
// above all others
#include "solver/sph/cuda/sph_device.cuh"
#include "state/pair_list.h"

namespace {

const int THREADS = FIRN_SPH_THREADS;
const unsigned ALL = 0xffffffffu;
// Neighbours that are in shared memory until it is known where the list goes; most particles have
// fewer. Those that have more are searched again.
const int NEAR = 48;

// The nine runs around each cell, a thread each.
__global__ void __launch_bounds__(THREADS) find_runs(const __grid_constant__ firn_sph_device d)
{
    const firn_sph_control* c = d.control;
    if (c->halt != 0) return;
    const int cells = c->cell_count;
    const size_t count = 9 * (size_t)cells, stride = (size_t)gridDim.x * blockDim.x;
    for (size_t k = (size_t)firn_sph_thread(); k < count; k += stride) {
        const int2 run = firn_sph_run(d.cells, cells, d.cells.key[k / 9], (int)(k % 9));
        d.run_begin[k] = (uint32_t)run.x;
        d.run_end[k] = (uint32_t)run.y;
    }
}

// Calls take(entry of the list) for every neighbour of particle i, in their order. False: a run is
// too long.
template <typename Take>
__device__ __forceinline__ bool search(const firn_sph_device& d, int i, Take take)
{
    const size_t runs = (size_t)d.cells.cell[i] * 9;
    bool fits = true;
    const float4 self = d.at[i];
    const float radius = (float)(2 * d.spacing), limit = radius * radius;
#pragma unroll 1
    for (int row = 0; row < 9; row++) {
        const int begin = (int)d.run_begin[runs + row], end = (int)d.run_end[runs + row];
        fits = fits && end - begin <= FIRN_SPH_RUN_MOST;
#pragma unroll 4
        for (int j = begin; j < end; j++) {
            const float4 other = __ldg(&d.at[j]);
            const float x = other.x - self.x, y = other.y - self.y, z = other.z - self.z;
            const float r2 = firn_lanes_fma(x, x, firn_lanes_fma(y, y, z * z));
            if (r2 < limit && j != i) take((uint32_t)(row << FIRN_SPH_RUN_BITS | (j - begin)));
        }
    }
    return fits;
}

__global__ void __launch_bounds__(THREADS) list(const __grid_constant__ firn_sph_device d)
{
    __shared__ uint16_t found[NEAR * THREADS];
    firn_sph_control* c = d.control;
    if (c->halt != 0) return;
    uint16_t* near = found + threadIdx.x;
    const int i = firn_sph_thread(), lane = threadIdx.x & 31, count = c->count;
    int n = 0;
    bool fits = true;
    if (i < count)
        fits = search(d, i, [&](uint32_t entry) {
            if (n < NEAR) near[n * THREADS] = (uint16_t)entry;
            n++;
        });
    if (n >= FIRN_PAIRS_MOST || !fits) atomicMin(&c->crowded, i);
    n = min(n, FIRN_PAIRS_MOST);
    __syncwarp();
    const unsigned rows = __reduce_max_sync(ALL, (unsigned)n);
    const unsigned pairs = __reduce_add_sync(ALL, (unsigned)n);
    unsigned first = 0;
    if (lane == 0 && i < count) {
        first = atomicAdd(&c->rows, rows);
        atomicAdd(&c->pairs, (unsigned long long)pairs);
        d.list_first[i >> 5] = first;
    }
    first = __shfl_sync(ALL, first, 0);
    if (i >= count) return;
    d.neighbours[i] = (uint32_t)n;
    if (first > d.row_capacity || rows > d.row_capacity - first) return;  // the step is tried again
    uint16_t* to = d.list + (size_t)first * 32 + (size_t)lane;
    for (int k = 0; k < n && k < NEAR; k++) to[(size_t)k * 32] = near[k * THREADS];
    if (n <= NEAR) return;
    int k = 0;
    search(d, i, [&](uint32_t entry) {
        if (k >= NEAR && k < n) to[(size_t)k * 32] = (uint16_t)entry;
        k++;
    });
}

}  // namespace

void firn_sph_launch_lists(const firn_sph_device* d, cudaStream_t stream)
{
    find_runs<<<d->blocks, THREADS, 0, stream>>>(*d);
    list<<<d->blocks, THREADS, 0, stream>>>(*d);
}
