// SPDX-License-Identifier: MIT
// Asks CUDA about the machine's driver and devices.
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

#include "device/cuda_world.h"

// Exists to be looked up: a device that has no code for it has none for any other kernel.
__global__ void probe()
{
}

// Lowest of the architectures that this file is compiled for; nvcc's list has 750 for 7.5.
static int lowest_capability()
{
    const int list[] = {__CUDA_ARCH_LIST__};
    int lowest = list[0];
    for (int arch : list)
        if (arch < lowest) lowest = arch;
    return lowest / 10;
}

static void look_at_card(int device, firn_cuda_card* out_card)
{
    cudaDeviceProp p;
    if (cudaGetDeviceProperties(&p, device) != cudaSuccess) {
        cudaGetLastError();  // taken note of: the card has no name
        return;
    }
    snprintf(out_card->name, sizeof out_card->name, "%.90s", p.name);
    out_card->bytes = p.totalGlobalMem;
    out_card->major = p.major;
    out_card->minor = p.minor;
}

extern "C" void firn_cuda_world_look(firn_cuda_world* out_world)
{
    memset(out_world, 0, sizeof *out_world);
    out_world->built = true;
    out_world->capability = lowest_capability();
    cudaRuntimeGetVersion(&out_world->runtime);
    if (cudaDriverGetVersion(&out_world->driver) != cudaSuccess) out_world->driver = 0;
    int count = 0;
    const cudaError_t r = cudaGetDeviceCount(&count);
    cudaGetLastError();  // the answer is in r; a later check must not find it again
    if (r != cudaSuccess) {
        // no device at all is an answer, not a problem
        if (r != cudaErrorNoDevice)
            snprintf(out_world->problem, sizeof out_world->problem, "%s", cudaGetErrorString(r));
        return;
    }
    out_world->count = count;
    for (int d = 0; d < count && d < FIRN_CUDA_CARDS_MAX; d++)
        look_at_card(d, &out_world->cards[d]);
}

extern "C" bool firn_cuda_world_try(int device, char* problem, size_t size)
{
    cudaError_t r = cudaSetDevice(device);
    cudaFuncAttributes attributes;
    if (r == cudaSuccess) r = cudaFuncGetAttributes(&attributes, probe);
    cudaGetLastError();
    if (r != cudaSuccess) snprintf(problem, size, "%s", cudaGetErrorString(r));
    return r == cudaSuccess;
}
