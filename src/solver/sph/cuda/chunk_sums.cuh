// SPDX-License-Identifier: MIT
// Long sums on a GPU in the order of the CPU: over chunks of 1024 particles, each added one after
// the other in double, then over the chunks in order. A chain of additions is slow, so that nothing
// else must wait for it: of a block of threads, eight warps load a tile of each of eight chunks
// into shared memory, while a ninth adds the tile before.
//
//     warps 0 .. 7   load tile 0 | load tile 1 | load tile 2 | ...
//     warp 8                     | add tile 0  | add tile 1  | ...
#pragma once
#include "solver/sph/cuda/sph_device.cuh"

#ifdef __CUDACC__
#define FIRN_SPH_SUM_CHUNKS 8                                 // of a block of threads
#define FIRN_SPH_SUM_THREADS (32 * FIRN_SPH_SUM_CHUNKS + 32)  // 32 per chunk load, 32 add
#define FIRN_SPH_SUM_EACH 2                                   // entries that a thread loads at once
#define FIRN_SPH_SUM_TILE (32 * FIRN_SPH_SUM_EACH)            // of a chunk

static inline int firn_sph_sum_blocks(const firn_sph_device* d)
{
    const int each = FIRN_SPH_SUM_CHUNKS * FIRN_SPH_SUM_CHUNK;
    return d->capacity / each + 1;
}

// Sums over each chunk of the calling block. `load(i, value)` gives the VALUES reals of an entry.
// `add(lane, of, sum)` adds an entry, whose reals are of(0), of(1), ..., to the SUMS sums of one of
// LANES threads. The sums are in shared memory, for all threads.
template <int VALUES, int LANES, int SUMS, typename Load, typename Add>
static __device__ __forceinline__ void firn_sph_chunk_sums(
    int count, double (&sums)[FIRN_SPH_SUM_CHUNKS][LANES][SUMS], Load load, Add add)
{
    __shared__ float tile[2][VALUES][FIRN_SPH_SUM_CHUNKS][FIRN_SPH_SUM_TILE + 1];
    const int warp = (int)threadIdx.x / 32, thread = (int)threadIdx.x % 32;
    const int first = ((int)blockIdx.x * FIRN_SPH_SUM_CHUNKS + warp) * FIRN_SPH_SUM_CHUNK;
    const int own = thread / LANES, lane = thread % LANES;
    const int tiles = FIRN_SPH_SUM_CHUNK / FIRN_SPH_SUM_TILE;
    static_assert(FIRN_SPH_SUM_CHUNKS * LANES <= 32, "one warp adds");
    double sum[SUMS] = {};
    for (int t = 0; t <= tiles; t++) {
        if (t < tiles && warp < FIRN_SPH_SUM_CHUNKS) {
            float value[FIRN_SPH_SUM_EACH][VALUES] = {};
#pragma unroll
            for (int e = 0; e < FIRN_SPH_SUM_EACH; e++) {
                const int i = first + t * FIRN_SPH_SUM_TILE + 32 * e + thread;
                if (i < count) load(i, value[e]);
            }
#pragma unroll
            for (int e = 0; e < FIRN_SPH_SUM_EACH; e++)
#pragma unroll
                for (int n = 0; n < VALUES; n++)
                    tile[t & 1][n][warp][32 * e + thread] = value[e][n];
        }
        if (t > 0 && warp == FIRN_SPH_SUM_CHUNKS && own < FIRN_SPH_SUM_CHUNKS) {
#pragma unroll 8
            for (int e = 0; e < FIRN_SPH_SUM_TILE; e++)
                add(
                    lane, [&](int n) { return (double)tile[(t + 1) & 1][n][own][e]; }, sum);
        }
        __syncthreads();
    }
    if (warp == FIRN_SPH_SUM_CHUNKS && own < FIRN_SPH_SUM_CHUNKS)
        for (int k = 0; k < SUMS; k++) sums[own][lane][k] = sum[k];
    __syncthreads();
}

// partial[SUMS * chunk + k] of all chunks, in order: `out` of thread 0. By one block of more than
// 32 threads: its first warp adds a tile while the others load the next.
template <int SUMS>
static __device__ __forceinline__ void firn_sph_add_chunks(const double* partial, int chunks,
                                                           double (&out)[SUMS])
{
    const int TILE = SUMS > 8 ? 64 : 256;
    __shared__ double tile[2][TILE * SUMS];
    __shared__ double total[SUMS];
    const int tiles = (chunks + TILE - 1) / TILE, loader = (int)threadIdx.x - 32;
    double sum = 0;
    for (int t = 0; t <= tiles; t++) {
        if (t < tiles && loader >= 0) {
            const int n = min(TILE, chunks - t * TILE) * SUMS;
            for (int e = loader; e < n; e += (int)blockDim.x - 32)
                tile[t & 1][e] = partial[(size_t)t * TILE * SUMS + e];
        }
        if (t > 0 && (int)threadIdx.x < SUMS) {
            const int n = min(TILE, chunks - (t - 1) * TILE);
            const double* from = tile[(t + 1) & 1] + threadIdx.x;
#pragma unroll 8
            for (int e = 0; e < n; e++) sum += from[e * SUMS];
        }
        __syncthreads();
    }
    if (threadIdx.x < SUMS) total[threadIdx.x] = sum;
    __syncthreads();
    for (int k = 0; k < SUMS; k++) out[k] = total[k];
}
#endif
