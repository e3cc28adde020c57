// SPDX-License-Identifier: MIT
// A simulation of grains on a CUDA device, as the host's side of it sees it.
#pragma once
#include "solver/grains/cuda/grains_device.cuh"

// The arrays of the state (grains_device.cuh).
enum {
    FIRN_GRAINS_MOVES,
    FIRN_GRAINS_TURNS,
    FIRN_GRAINS_RESTS,
    FIRN_GRAINS_LISTED_AT,
    FIRN_GRAINS_HEAT,
    FIRN_GRAINS_TIES
};

struct firn_grains_cuda : firn_cuda_sim {
    firn_grains_device d;                    // points into the simulation's memory
    firn_grains_climate* climate;            // on the device
    firn_grains_body_climate* body_climate;  // on the device
    firn_grains_world* world;                // on the device
    bool culls, heats;
};

static inline firn_grains_cuda* firn_grains_cuda_of(firn_cuda_sim* sim)
{
    return static_cast<firn_grains_cuda*>(sim);
}

// grains_cuda_state.cu
extern const firn_cuda_field firn_grains_cuda_fields[];
void firn_grains_cuda_find_state(firn_cuda_sim* sim);
firn_result firn_grains_cuda_uploaded(firn_cuda_sim* sim, int64_t step, double* carried,
                                      firn_local* out_bad, firn_error* error);
firn_result firn_grains_cuda_rolled_back(firn_cuda_sim* sim, firn_error* error);
// grains_cuda_batch.cu
firn_result firn_grains_cuda_launch(firn_cuda_sim* sim, const firn_device_batch* batch,
                                    firn_error* error);
firn_result firn_grains_cuda_change(firn_cuda_sim* sim, const void* settings, firn_error* error);
