// SPDX-License-Identifier: MIT
// Arrays of the host that go to a device together, into one block of its memory. One function of
// the caller lists them; it runs twice: with a block that only counts, then with memory.
#pragma once
#include <cuda_runtime.h>

#define FIRN_CUDA_BLOCK_ALIGNMENT \
    256  // [bytes] as cudaMalloc's: whatever is read first is at a
         // full cache line

// Filled from front to back. Without memory it only counts.
typedef struct firn_cuda_block {
    char* base;  // null: count
    size_t used;
    cudaStream_t stream;
    cudaError_t status;  // of the first copy that failed
} firn_cuda_block;

// Room for [count] of T, which a kernel fills on the block's stream. Null while it only counts.
template <typename T> static inline T* firn_cuda_room(firn_cuda_block* b, size_t count)
{
    const size_t at = (b->used + FIRN_CUDA_BLOCK_ALIGNMENT - 1) / FIRN_CUDA_BLOCK_ALIGNMENT *
                      FIRN_CUDA_BLOCK_ALIGNMENT;
    b->used = at + count * sizeof(T);
    return b->base != nullptr ? reinterpret_cast<T*>(b->base + at) : nullptr;
}

// Copies [count] of T at `from` to the device and returns the address there. The source may change
// after the call: CUDA reads pageable memory before it returns.
template <typename T>
static inline T* firn_cuda_bring(firn_cuda_block* b, const T* from, size_t count)
{
    const size_t at = (b->used + FIRN_CUDA_BLOCK_ALIGNMENT - 1) / FIRN_CUDA_BLOCK_ALIGNMENT *
                      FIRN_CUDA_BLOCK_ALIGNMENT;
    b->used = at + count * sizeof(T);
    if (b->base == nullptr || count == 0) return nullptr;
    if (b->status == cudaSuccess)
        b->status = cudaMemcpyAsync(b->base + at, from, count * sizeof(T), cudaMemcpyHostToDevice,
                                    b->stream);
    return reinterpret_cast<T*>(b->base + at);
}
