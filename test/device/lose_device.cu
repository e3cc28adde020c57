// SPDX-License-Identifier: MIT
#include "device/lose_device.h"

#include <cuda_runtime.h>

__global__ static void stop_in_the_middle(void)
{
    __trap();
}

extern "C" bool device_lose(void)
{
    stop_in_the_middle<<<1, 1>>>();
    return cudaDeviceSynchronize() != cudaSuccess && cudaFree(nullptr) != cudaSuccess;
}
