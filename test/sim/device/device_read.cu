// SPDX-License-Identifier: MIT
// Reads a device's memory as a program beside firn would.
#include "sim/device/device_read.h"

#include <cuda_runtime.h>

extern "C" bool device_read(void* to, const void* from, size_t bytes, void* event)
{
    cudaStream_t stream;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) return false;
    cudaError_t e =
        event != nullptr ? cudaStreamWaitEvent(stream, (cudaEvent_t)event, 0) : cudaSuccess;
    if (e == cudaSuccess && bytes > 0)
        e = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream);
    if (e == cudaSuccess) e = cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    return e == cudaSuccess;
}
