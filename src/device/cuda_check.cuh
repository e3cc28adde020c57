// SPDX-License-Identifier: MIT
// Failures of CUDA's calls as results of ours: out of memory is FIRN_BROKEN_MEMORY and says how
// much was asked for and how much is free, everything else is FIRN_BROKEN_DEVICE and says what
// was being done.
#pragma once
#include <cuda_runtime.h>

#include "core/result.h"

// `asked` bytes; 0: unknown.
static inline firn_result firn_cuda_no_memory(size_t asked, const char* doing, firn_error* error)
{
    const double MiB = 1024.0 * 1024.0;
    size_t free_bytes = 0, all = 0;
    if (cudaMemGetInfo(&free_bytes, &all) != cudaSuccess) (void)cudaGetLastError();
    if (asked == 0)
        return firn_fail(error, FIRN_BROKEN_MEMORY,
                         "cuda: %s: the device's memory is full, %.1f MiB of %.1f are free; make "
                         "the scene smaller or take a device with more memory",
                         doing, (double)free_bytes / MiB, (double)all / MiB);
    return firn_fail(error, FIRN_BROKEN_MEMORY,
                     "cuda: %s: %.1f MiB are needed, but only %.1f MiB of the device's %.1f are "
                     "free; make the scene smaller or take a device with more memory",
                     doing, (double)asked / MiB, (double)free_bytes / MiB, (double)all / MiB);
}

// The result of a call that failed. The error that CUDA remembers is cleared where it can be, so
// that no later call is blamed for it.
static inline firn_result firn_cuda_fail(cudaError_t status, const char* doing, firn_error* error)
{
    (void)cudaGetLastError();
    if (status == cudaErrorMemoryAllocation) return firn_cuda_no_memory(0, doing, error);
    return firn_fail(
        error, FIRN_BROKEN_DEVICE,
        "cuda: %s: %s (%s); what the device held is lost, files that were written are good: "
        "resume from a checkpoint, or use backend cpu",
        doing, cudaGetErrorString(status), cudaGetErrorName(status));
}

// FIRN_CUDA_TRY(cudaMemcpy(…), error, "bringing particles to the device"); kernels:
// FIRN_CUDA_TRY(cudaGetLastError(), error, "starting step 3")
#define FIRN_CUDA_TRY(call, error, doing)                              \
    do {                                                               \
        const cudaError_t firn_cuda_status = (call);                   \
        if (firn_cuda_status != cudaSuccess)                           \
            return firn_cuda_fail(firn_cuda_status, (doing), (error)); \
    } while (0)

// `bytes` of the device's memory, owned by the caller (cudaFree); null for none.
static inline firn_result firn_cuda_alloc(void** out_memory, size_t bytes, const char* doing,
                                          firn_error* error)
{
    *out_memory = NULL;
    if (bytes == 0) return FIRN_OK;
    const cudaError_t status = cudaMalloc(out_memory, bytes);
    if (status == cudaSuccess) return FIRN_OK;
    *out_memory = NULL;
    (void)cudaGetLastError();
    return status == cudaErrorMemoryAllocation ? firn_cuda_no_memory(bytes, doing, error)
                                               : firn_cuda_fail(status, doing, error);
}
