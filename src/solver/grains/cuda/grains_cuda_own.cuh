// SPDX-License-Identifier: MIT
// What the host owns of a simulation of grains on a GPU.
#pragma once
#include "device/cuda_memory.cuh"
#include "solver/grains/cuda/grains_device.cuh"

#define FIRN_GRAINS_CUDA_STAGED (1 << 20)  // grains on their way to or from the host at once

// The records of grains that make up the state (grains_device.cuh).
typedef struct firn_grains_store {
    float4 *at, *motion, *rest, *listed, *heat;
    uint4* ties;
} firn_grains_store;

// Streams, events, graphs and memory are owned; `d` points into the memory.
struct firn_grains_cuda {
    firn_grains_cuda_def def;
    firn_grains_device d;
    cudaStream_t stream, copy;
    cudaEvent_t batch_done, kept_done;
    firn_bodies_cuda* bodies;
    firn_cuda_memory particles, lists;
    firn_grains_climate* climate;            // on the device
    firn_grains_body_climate* body_climate;  // on the device
    bool heats;
    firn_grains_store kept;
    firn_grains_control* kept_control;  // on the device
    uint8_t* staging;                   // on the way to and from the host
    int count;                          // grains in store
    int hot, cold;                      // which of the pairs are the state, after the last batch
    int kept_count;
    cudaGraphExec_t graph;             // a batch; null: to be captured
    firn_grains_cuda_record* records;  // pinned
    firn_grains_control* control;      // pinned: after the batch
    bool running;
};

// grains_cuda.cu
firn_result firn_grains_cuda_use(const firn_grains_cuda* cuda,
                                 firn_error* error);  // this thread, its device
// grains_cuda_batch.cu
void firn_grains_cuda_forget_graph(firn_grains_cuda* cuda);
