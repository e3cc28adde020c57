// SPDX-License-Identifier: MIT
// Batches of steps on a GPU. A batch is one launch of a graph, captured once: a loop around a step,
// in which step 1 is a part that the device runs when grains have moved far enough.
//
//     while goes on:  [look]  begin  while lists are wanted: step 1;  [push]  steps 2 to 6, record
#include "core/memory.h"
#include "device/cuda_graph.cuh"
#include "solver/grains/cuda/grains_cuda_own.cuh"

namespace {

const int STEPS = 4;  // in a turn of the loop: a turn costs as much as several small kernels

// Which graph: of batches, or of single steps (with dynamic colliders,
// solver/shared/device_bodies.h)
enum { GRAPH_BATCH, GRAPH_SINGLE };

cudaError_t launch_step(const firn_grains_cuda* c, cudaGraphConditionalHandle loop,
                        cudaStream_t stream)
{
    const firn_grains_device* d = &c->d;
    cudaGraphConditionalHandle lists;
    cudaError_t e = firn_cuda_capture_handle(stream, &lists);
    if (e != cudaSuccess) return e;
    if (c->culls) firn_grains_launch_look(d, true, stream);
    firn_grains_launch_begin(d, lists, stream);
    e = firn_cuda_capture_part(stream, lists, cudaGraphCondTypeWhile, [&](cudaStream_t inner) {
        return firn_grains_launch_neighbours(d, lists, inner);
    });
    if (e != cudaSuccess) return e;
    if (d->forces.field_count > 0) firn_grains_launch_push(d, stream);
    firn_grains_launch_fused_02_06(d, loop, c->heats, stream);
    return cudaGetLastError();
}

cudaError_t launch_loop(const firn_grains_cuda* c, int steps)
{
    cudaStreamCaptureStatus status;
    cudaGraph_t graph;
    cudaError_t e =
        cudaStreamGetCaptureInfo(c->stream, &status, nullptr, &graph, nullptr, nullptr, nullptr);
    if (e != cudaSuccess) return e;
    cudaGraphConditionalHandle loop;  // a batch has at least one step
    e = cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault);
    if (e != cudaSuccess) return e;
    return firn_cuda_capture_part(c->stream, loop, cudaGraphCondTypeWhile, [&](cudaStream_t inner) {
        cudaError_t launched = cudaSuccess;
        for (int k = 0; k < steps && launched == cudaSuccess; k++)
            launched = launch_step(c, loop, inner);
        return launched;
    });
}

}  // namespace

firn_result firn_grains_cuda_launch(firn_cuda_sim* sim, const firn_device_batch* batch,
                                    firn_error* error)
{
    firn_grains_cuda* c = firn_grains_cuda_of(sim);
    firn_grains_launch_orders(&c->d, batch, c->stream);
    const bool single = batch->steps == 1;
    return firn_cuda_launch_graph(
        c, single ? GRAPH_SINGLE : GRAPH_BATCH, [&] { return launch_loop(c, single ? 1 : STEPS); },
        error);
}

firn_result firn_grains_cuda_change(firn_cuda_sim* sim, const void* settings, firn_error* error)
{
    firn_grains_cuda* c = firn_grains_cuda_of(sim);
    const firn_grains_settings* s = (const firn_grains_settings*)settings;
    const size_t bodies = (size_t)c->def.collider_count;
    if (s->climate.heats != c->heats) firn_cuda_forget_graphs(c);  // other kernels
    c->heats = s->climate.heats;
    firn_grains_body_climate* own = (firn_grains_body_climate*)firn_alloc(bodies + 1, sizeof *own);
    if (own == nullptr) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    for (size_t b = 0; b < bodies; b++)
        own[b] = {s->bodies[b].temperature, s->bodies[b].temperature_of_air};
    cudaError_t e = cudaMemcpyAsync(c->climate, &s->climate, sizeof s->climate,
                                    cudaMemcpyHostToDevice, c->stream);
    if (e == cudaSuccess && bodies > 0)
        e = cudaMemcpyAsync(c->body_climate, own, bodies * sizeof *own, cudaMemcpyHostToDevice,
                            c->stream);
    if (e == cudaSuccess) e = cudaStreamSynchronize(c->stream);
    firn_free(own);
    FIRN_CUDA_TRY(e, error, "changing temperatures");
    return FIRN_OK;
}
