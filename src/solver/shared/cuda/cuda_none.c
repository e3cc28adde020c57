// SPDX-License-Identifier: MIT
// Builds without CUDA: creating a simulation on a device fails, so nothing else is ever called.
#include "solver/shared/cuda_sim.h"

firn_result firn_cuda_sim_create(const firn_cuda_kernels* kernels, const firn_cuda_def* def,
                                 const void* own, firn_device_sim** out_sim, firn_error* error)
{
    (void)kernels;
    (void)def;
    (void)own;
    (void)out_sim;
    return firn_fail(
        error, FIRN_REFUSED_BACKEND,
        "this build of firn has no CUDA: build it where nvcc is found, or use backend cpu");
}
