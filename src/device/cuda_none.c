// SPDX-License-Identifier: MIT
// Stands in for cuda_device.cu in builds without CUDA: there is nothing to ask.
#include <stdio.h>

#include "device/cuda_world.h"

void firn_cuda_world_look(firn_cuda_world* out_world)
{
    *out_world = (firn_cuda_world){0};
}

bool firn_cuda_world_try(int device, char* problem, size_t size)
{
    snprintf(problem, size, "device %d: this build has no CUDA", device);
    return false;
}
