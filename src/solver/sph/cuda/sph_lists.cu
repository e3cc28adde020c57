// SPDX-License-Identifier: MIT
// Neighbour lists on a GPU: a thread per particle searches nine runs of three cells, in the order
// and with the distances of state/pair_search.h.
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

// The nine runs around each cell.
__global__ void __launch_bounds__(THREADS) find_runs(const __grid_constant__ firn_sph_device d)
{
    const firn_sph_control* c = d.control;
    if (c->halt != 0) return;
    const int cells = c->cell_count, stride = (int)(gridDim.x * blockDim.x);
    for (int cell = firn_sph_thread(); cell < cells; cell += stride) {
        const uint64_t key = d.cells.key[cell];
        for (int row = 0; row < 9; row++)
            d.runs[(size_t)cell * 9 + row] = firn_sph_run(d.cells, cells, key, row);
    }
}

// Calls take(j) for every neighbour j of particle i, in their order.
template <typename Take>
__device__ __forceinline__ void search(const firn_sph_device& d, int i, Take take)
{
    const int2* runs = d.runs + (size_t)d.cells.cell[i] * 9;
    const float4 self = d.at[i];
    const float radius = (float)(2 * d.spacing), limit = radius * radius;
#pragma unroll 1
    for (int row = 0; row < 9; row++) {
        const int2 run = runs[row];
#pragma unroll 4
        for (int j = run.x; j < run.y; j++) {
            const float4 other = __ldg(&d.at[j]);
            const float x = other.x - self.x, y = other.y - self.y, z = other.z - self.z;
            const float r2 = firn_lanes_fma(x, x, firn_lanes_fma(y, y, z * z));
            if (r2 < limit && j != i) take(j);
        }
    }
}

__global__ void __launch_bounds__(THREADS) list(const __grid_constant__ firn_sph_device d)
{
    __shared__ uint32_t found[NEAR * THREADS];
    firn_sph_control* c = d.control;
    if (c->halt != 0) return;
    uint32_t* near = found + threadIdx.x;
    const int i = firn_sph_thread(), lane = threadIdx.x & 31, count = c->count;
    int n = 0;
    if (i < count)
        search(d, i, [&](int j) {
            if (n < NEAR) near[n * THREADS] = (uint32_t)j;
            n++;
        });
    if (n >= FIRN_PAIRS_MOST) atomicMin(&c->crowded, i);
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
    uint32_t* to = d.list + (size_t)first * 32 + (size_t)lane;
    for (int k = 0; k < n && k < NEAR; k++) to[(size_t)k * 32] = near[k * THREADS];
    if (n <= NEAR) return;
    int k = 0;
    search(d, i, [&](int j) {
        if (k >= NEAR && k < n) to[(size_t)k * 32] = (uint32_t)j;
        k++;
    });
}

}  // namespace

void firn_sph_launch_lists(const firn_sph_device* d, cudaStream_t stream)
{
    find_runs<<<d->blocks, THREADS, 0, stream>>>(*d);
    list<<<d->blocks, THREADS, 0, stream>>>(*d);
}
