// SPDX-License-Identifier: MIT
// Loads on colliders on a CUDA device (loads.h): blocks of threads add to several copies of the
// sums, so that few wait for each other; the end of a step adds the copies up and clears them.
// Integers: atomics in any order give the same sums.
#pragma once
#include <cuda_runtime.h>

#include "solver/shared/impulse.h"

#define FIRN_CUDA_LOADS_COPIES 64
#define FIRN_CUDA_LOADS_AT_ONCE 16                     // loads in flight when they are added up
#define FIRN_CUDA_LOADS_WORDS (2 * FIRN_IMPULSE_SUMS)  // of an impulse

// Argument of kernels, by value.
typedef struct firn_cuda_loads {
    firn_impulse* sums;   // [FIRN_CUDA_LOADS_COPIES][count + 1]; zero between steps
    firn_impulse* steps;  // [steps of a batch][count + 1]
    int count;            // colliders; the last sum is `shared`
} firn_cuda_loads;

#ifdef __CUDACC__
// The sums that the calling block of threads adds to, [count + 1].
static __device__ __forceinline__ firn_impulse* firn_cuda_loads_mine(const firn_cuda_loads& l)
{
    return l.sums + (size_t)(blockIdx.x % FIRN_CUDA_LOADS_COPIES) * (size_t)(l.count + 1);
}

// Ends a step of the batch: by all threads of one block, when no other adds any more.
static __device__ __forceinline__ void firn_cuda_loads_end(const firn_cuda_loads& l, int step)
{
    const int words = (l.count + 1) * FIRN_CUDA_LOADS_WORDS;
    unsigned long long* from = (unsigned long long*)l.sums;
    unsigned long long* to = (unsigned long long*)l.steps + (size_t)step * (size_t)words;
    for (int w = (int)threadIdx.x; w < words && l.count > 0; w += (int)blockDim.x) {
        unsigned long long sum = 0, part[FIRN_CUDA_LOADS_AT_ONCE];
        for (int k = 0; k < FIRN_CUDA_LOADS_COPIES; k += FIRN_CUDA_LOADS_AT_ONCE) {
            unsigned long long* first = from + (size_t)k * (size_t)words + (size_t)w;
#pragma unroll
            for (int n = 0; n < FIRN_CUDA_LOADS_AT_ONCE; n++)
                part[n] = __ldcg(first + (size_t)n * (size_t)words);
#pragma unroll
            for (int n = 0; n < FIRN_CUDA_LOADS_AT_ONCE; n++) {
                sum += part[n];
                first[(size_t)n * (size_t)words] = 0;
            }
        }
        to[w] = sum;
    }
}
#endif
