// SPDX-License-Identifier: MIT
// Sums over threads and blocks of threads that have one order, so that their bits are the same in
// every run.
#pragma once
#include <cuda_runtime.h>

#ifdef __CUDACC__
// Sums over the threads of a block, in an order of their own: `value` of thread 0 is the sum.
template <int COUNT, int THREADS>
static __device__ __forceinline__ void firn_cuda_block_sum(double (&value)[COUNT])
{
    __shared__ double warp_sum[COUNT][THREADS / 32];
#pragma unroll
    for (int k = 0; k < COUNT; k++) {
        for (int d = 16; d > 0; d >>= 1) value[k] += __shfl_down_sync(0xffffffffu, value[k], d);
        if ((threadIdx.x & 31) == 0) warp_sum[k][threadIdx.x >> 5] = value[k];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 0; k < COUNT; k++) {
            value[k] = 0;
            for (int w = 0; w < THREADS / 32; w++) value[k] += warp_sum[k][w];
        }
    }
    __syncthreads();
}

// True in the block that is the last to come here; it sees what the others wrote before.
static __device__ __forceinline__ bool firn_cuda_is_last_block(unsigned* ticket)
{
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (last) __threadfence();
    return last;
}

// Sums over all threads of a grid, in an order of their own: `value` of thread 0 of one block, the
// last to come here, is the sum, and true is returned in that block. `partial`: [gridDim.x].
template <int COUNT, int THREADS>
static __device__ __forceinline__ bool firn_cuda_grid_sum(double (&value)[COUNT],
                                                          double (*partial)[COUNT],
                                                          unsigned* ticket)
{
    firn_cuda_block_sum<COUNT, THREADS>(value);
    if (threadIdx.x == 0)
        for (int k = 0; k < COUNT; k++) partial[blockIdx.x][k] = value[k];
    if (!firn_cuda_is_last_block(ticket)) return false;
    for (int k = 0; k < COUNT; k++) value[k] = 0;
    for (int b = threadIdx.x; b < gridDim.x; b += THREADS)
        for (int k = 0; k < COUNT; k++) value[k] += partial[b][k];
    firn_cuda_block_sum<COUNT, THREADS>(value);
    return true;
}
#endif
