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
    FIRN_SPH_VARIED,
    FIRN_SPH_EMITTER,
    FIRN_SPH_WARMTH
};

struct firn_sph_cuda : firn_cuda_sim {
    firn_sph_cuda_def own;
    firn_sph_device d;              // points into the simulation's memory
    firn_sph_cuda_samples samples;  // borrowed from own.self
    float4* vectors;                // of step 6; before it, other arrays share their memory
    size_t vector_bytes;
    // room in the arrays of `work`
    unsigned rows;
    int cells, contacts, wall, holds;
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
// sph_cuda_deforming.cu: takes the meshes of deforming colliders; brings them, and what colliders
// were sampled for; writes the records of their samples.
void firn_sph_cuda_take_meshes(firn_sph_cuda* c, firn_cuda_taking& t);
firn_result firn_sph_cuda_bring_sampled(firn_sph_cuda* c, firn_error* error);
void firn_sph_cuda_deforming_records(const firn_sph_cuda* c, float4* own);
// For which scales colliders are sampled now, [colliders]; 0: not yet.
void firn_sph_cuda_scales(const firn_sph_cuda* c, double* out_scales);
// rigid_upload.cu: memory of dynamic colliders, and of holds; begins the step of the host's engine
// and uploads the colliders.
void firn_sph_cuda_take_rigid(firn_sph_cuda* c, firn_cuda_taking& t);
void firn_sph_cuda_take_holds(firn_sph_cuda* c, firn_cuda_taking& t);
firn_result firn_sph_cuda_begin_bodies(firn_sph_cuda* c, firn_error* error);
// sph_cuda_batch.cu
firn_result firn_sph_cuda_launch(firn_cuda_sim* sim, const firn_device_batch* batch,
                                 firn_error* error);
