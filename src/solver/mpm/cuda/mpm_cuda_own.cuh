// SPDX-License-Identifier: MIT
// What the host owns of a simulation on a GPU.
#pragma once
#include "device/cuda_memory.cuh"
#include "solver/mpm/cuda/mpm_device.cuh"

#define FIRN_MPM_CUDA_STAGED (1 << 20)  // particles on their way to or from the host at once

// The arrays of particles that make up the state.
typedef struct firn_mpm_store {
    float4 *at, *motion, *strain0, *strain1, *strain2, *affine0, *affine1, *affine2, *varied;
    uint32_t* id;
    uint8_t* gone;
} firn_mpm_store;

// Which graph: of a step like any other, of one that moves particles in store, of the first.
enum { FIRN_GRAPH_PLAIN, FIRN_GRAPH_REORDER, FIRN_GRAPH_FIRST, FIRN_GRAPH_COUNT };
// In which form the stress is that the device holds.
enum { FIRN_STRESS_NONE, FIRN_STRESS_PLAIN, FIRN_STRESS_LINEAR };

// Streams, events, graphs and memory are owned; `d` points into the memory.
struct firn_mpm_cuda {
    firn_mpm_cuda_def def;
    firn_mpm_device d;
    firn_mpm_launch l;
    cudaStream_t stream, copy;
    cudaEvent_t batch_done, kept_done;
    firn_bodies_cuda* bodies;
    firn_cuda_memory particles, grid;
    firn_mpm_store kept;
    firn_mpm_control* kept_control;  // on the device
    float4* scratch;                 // [particles] for moving them in store
    uint8_t* staging;                // on the way to and from the host
    int count;                       // particles in store, at most
    int kept_count;
    int stress;                                  // FIRN_STRESS_*
    int kept_stress;                             // then; NONE where it was not made yet
    cudaGraphExec_t graph[2][FIRN_GRAPH_COUNT];  // [implicit]
    firn_mpm_cuda_record* records;               // pinned
    firn_mpm_control* control;                   // pinned: after the batch
    bool running;
};

// mpm_cuda.cu
firn_result firn_mpm_cuda_use(const firn_mpm_cuda* cuda,
                              firn_error* error);  // this thread, its device
// mpm_cuda_batch.cu
void firn_mpm_cuda_forget_graphs(firn_mpm_cuda* cuda);
