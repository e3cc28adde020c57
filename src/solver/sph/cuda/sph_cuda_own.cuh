// SPDX-License-Identifier: MIT
// An sph simulation on a CUDA device, as the host's side of it sees it.
#pragma once
#include "solver/sph/cuda/sph_device.cuh"

// The arrays of the state (sph_device.cuh).
enum {
    FIRN_SPH_AT,
    FIRN_SPH_MOTION,
    FIRN_SPH_STRAIN0,
    FIRN_SPH_STRAIN1,
    FIRN_SPH_STRAIN2,
    FIRN_SPH_PULL,
    FIRN_SPH_TAG,
    FIRN_SPH_VARIED
};

struct firn_sph_cuda : firn_cuda_sim {
    firn_sph_cuda_def own;
    firn_sph_device d;              // points into the simulation's memory
    firn_sph_cuda_samples samples;  // borrowed from own.self
    // room in the arrays of `work`
    unsigned rows;
    int contacts, wall;
};

static inline firn_sph_cuda* firn_sph_cuda_of(firn_cuda_sim* sim)
{
    return static_cast<firn_sph_cuda*>(sim);
}

// sph_cuda_state.cu
extern const firn_cuda_field firn_sph_cuda_fields[];
// sph_cuda_grow.cu: takes the arrays of `work` with the room that the simulation says. `known`:
// keys of the blocks of space with samples, ascending.
firn_result firn_sph_cuda_take_work(firn_sph_cuda* c, const uint64_t* known, int known_count,
                                    firn_error* error);
firn_result firn_sph_cuda_grow(firn_cuda_sim* sim, firn_error* error);
// sph_cuda_batch.cu
firn_result firn_sph_cuda_launch(firn_cuda_sim* sim, const firn_device_batch* batch,
                                 firn_error* error);
