// SPDX-License-Identifier: MIT
// Long sums on a GPU in the order of the CPU: over chunks of 1024 particles, each added one after
// the other in double, then over the chunks in order. Eight chunks share a block of threads: all of
// it loads tiles of 32 entries of each chunk into shared memory, then a thread per chunk and sum
// adds them.
#pragma once
#include "solver/sph/cuda/sph_device.cuh"

#ifdef __CUDACC__
#define FIRN_SPH_SUM_CHUNKS 8     // of a block of threads
#define FIRN_SPH_SUM_THREADS 256  // 32 per chunk
#define FIRN_SPH_SUM_TILE 32

static inline int firn_sph_sum_blocks(const firn_sph_device* d)
{
    const int each = FIRN_SPH_SUM_CHUNKS * FIRN_SPH_SUM_CHUNK;
    return d->capacity / each + 1;
}

// Sums over each chunk of the calling block: out[chunk][k] of SUMS products. `load(i, value)` gives
// the VALUES reals of an entry, `product(k, value)` the k-th product of them in double. The sums
// are in shared memory, `sums[chunk][k]`, for all threads.
template <int VALUES, int SUMS, typename Load, typename Product>
static __device__ __forceinline__ void firn_sph_chunk_sums(
    int count, double (&sums)[FIRN_SPH_SUM_CHUNKS][SUMS], Load load, Product product)
{
    __shared__ float tile[VALUES][FIRN_SPH_SUM_CHUNKS][FIRN_SPH_SUM_TILE + 1];
    const int chunk = threadIdx.x / FIRN_SPH_SUM_TILE, entry = threadIdx.x % FIRN_SPH_SUM_TILE;
    const int first = (int)(blockIdx.x * FIRN_SPH_SUM_CHUNKS + chunk) * FIRN_SPH_SUM_CHUNK;
    const int own = threadIdx.x / SUMS, k = threadIdx.x % SUMS;
    double sum = 0;
    for (int at = 0; at < FIRN_SPH_SUM_CHUNK; at += FIRN_SPH_SUM_TILE) {
        float value[VALUES] = {};
        const int i = first + at + entry;
        if (i < count) load(i, value);
        for (int n = 0; n < VALUES; n++) tile[n][chunk][entry] = value[n];
        __syncthreads();
        if (own < FIRN_SPH_SUM_CHUNKS)
            for (int e = 0; e < FIRN_SPH_SUM_TILE; e++) {
                float of[VALUES];
                for (int n = 0; n < VALUES; n++) of[n] = tile[n][own][e];
                sum += product(k, of);
            }
        __syncthreads();
    }
    if (own < FIRN_SPH_SUM_CHUNKS) sums[own][k] = sum;
    __syncthreads();
}

// partial[SUMS * chunk + k] of all chunks, in order: `out` of thread 0. By one block of at least
// SUMS threads.
template <int SUMS>
static __device__ __forceinline__ void firn_sph_add_chunks(const double* partial, int chunks,
                                                           double (&out)[SUMS])
{
    const int TILE = 256;
    __shared__ double tile[TILE * SUMS];
    __shared__ double total[SUMS];
    double sum = 0;
    for (int at = 0; at < chunks; at += TILE) {
        const int n = min(TILE, chunks - at) * SUMS;
        for (int e = threadIdx.x; e < n; e += blockDim.x) tile[e] = partial[(size_t)at * SUMS + e];
        __syncthreads();
        if (threadIdx.x < SUMS)
            for (int e = threadIdx.x; e < n; e += SUMS) sum += tile[e];
        __syncthreads();
    }
    if (threadIdx.x < SUMS) total[threadIdx.x] = sum;
    __syncthreads();
    for (int k = 0; k < SUMS; k++) out[k] = total[k];
}
#endif
