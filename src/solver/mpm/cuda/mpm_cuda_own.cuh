// SPDX-License-Identifier: MIT
// An mpm simulation on a CUDA device, as the host's side of it sees it.
#pragma once
#include "solver/mpm/cuda/mpm_device.cuh"

// The arrays of the state (mpm_device.cuh).
enum {
    FIRN_MPM_AT,
    FIRN_MPM_MOTION,
    FIRN_MPM_STRAIN0,
    FIRN_MPM_STRAIN1,
    FIRN_MPM_STRAIN2,
    FIRN_MPM_AFFINE0,
    FIRN_MPM_AFFINE1,
    FIRN_MPM_AFFINE2,
    FIRN_MPM_VARIED,
    FIRN_MPM_GRIP,
    FIRN_MPM_CLAY,
    FIRN_MPM_CREEP,
    FIRN_MPM_HEALED,
    FIRN_MPM_ID,
    FIRN_MPM_EMITTER,
    FIRN_MPM_BROKEN,
    FIRN_MPM_GONE
};

struct firn_mpm_cuda : firn_cuda_sim {
    firn_mpm_cuda_def own;
    firn_mpm_device d;  // points into the simulation's memory
    firn_mpm_launch l;
    float4* scratch;  // [particles] for reordering them
};

static inline firn_mpm_cuda* firn_mpm_cuda_of(firn_cuda_sim* sim)
{
    return static_cast<firn_mpm_cuda*>(sim);
}

// mpm_cuda_state.cu
extern const firn_cuda_field firn_mpm_cuda_fields[];
firn_result firn_mpm_cuda_uploaded(firn_cuda_sim* sim, int64_t step, double* carried,
                                   firn_local* out_bad, firn_error* error);
firn_result firn_mpm_cuda_rolled_back(firn_cuda_sim* sim, firn_error* error);
firn_result firn_mpm_cuda_meet_time(firn_cuda_sim* sim, double time, double* carried,
                                    firn_error* error);
// rigid/rigid_upload.cu
void firn_mpm_cuda_take_rigid(firn_mpm_cuda* c, firn_cuda_taking& t);
firn_result firn_mpm_cuda_take_lumps(firn_cuda_sim* sim, const firn_lumps* lumps,
                                     firn_error* error);
// mpm_cuda_batch.cu
firn_result firn_mpm_cuda_launch(firn_cuda_sim* sim, const firn_device_batch* batch,
                                 firn_error* error);
