// SPDX-License-Identifier: MIT
// Arrays of a device's memory that go together: taken one by one, given back as one.
#pragma once
#include <cuda_runtime.h>

#define FIRN_CUDA_ARRAYS 96
typedef struct firn_cuda_memory {
    void* array[FIRN_CUDA_ARRAYS];
    int count;
    size_t bytes;
} firn_cuda_memory;

// `bytes` counts on after the first failure: what all of it needs.
typedef struct firn_cuda_taking {
    firn_cuda_memory* memory;
    cudaError_t status;
    size_t bytes;
} firn_cuda_taking;

// [count] of T, and a few more, so that reading a little beyond the end is no fault.
template <typename T>
static inline void firn_cuda_take(firn_cuda_taking& t, T** array, size_t count)
{
    const size_t bytes = (count + 4) * sizeof(T);
    t.bytes += bytes;
    *array = nullptr;
    if (t.status != cudaSuccess) return;
    void* block = nullptr;
    t.status =
        t.memory->count < FIRN_CUDA_ARRAYS ? cudaMalloc(&block, bytes) : cudaErrorInvalidValue;
    if (t.status != cudaSuccess) return;
    t.memory->array[t.memory->count++] = block;
    t.memory->bytes += bytes;
    *array = (T*)block;
}

static inline void firn_cuda_give_back(firn_cuda_memory* memory)
{
    for (int k = 0; k < memory->count; k++) cudaFree(memory->array[k]);
    *memory = firn_cuda_memory{};
}
