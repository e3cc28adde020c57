// SPDX-License-Identifier: MIT
// Stable sorts of keys with the numbers of what they belong to, and running sums, by CUB; in a file
// of its own, since CUB's headers have names that ours have too.
#pragma once
#include <cuda_runtime.h>
#include <stdint.h>

// [count] each, not overlapping; the lowest `bits` of the keys count.
typedef struct firn_cuda_sort_args {
    const uint32_t* number;
    uint32_t* number_sorted;
    int count;
    int bits;
} firn_cuda_sort_args;

// Sorts by the keys, on `stream`, which may capture. Where `scratch` is null nothing is sorted:
// *bytes becomes the size that it must have.
cudaError_t firn_cuda_sort_64(const firn_cuda_sort_args* a, const uint64_t* key,
                              uint64_t* key_sorted, void* scratch, size_t* bytes,
                              cudaStream_t stream);
// Each becomes the sum of those before it. Scratch as above.
cudaError_t firn_cuda_scan(uint32_t* number, int count, void* scratch, size_t* bytes,
                           cudaStream_t stream);
