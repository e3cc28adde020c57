// SPDX-License-Identifier: MIT
// Batches of steps on a GPU. A batch is one launch of a graph, captured once: a loop around a step,
// in which step 1 is a part that the device runs when grains have moved far enough.
//
//     while goes on:  [look]  begin  while lists are wanted: step 1;  steps 2 to 6, record
#include "device/cuda_check.cuh"
#include "device/cuda_graph.cuh"
#include "solver/grains/cuda/grains_cuda_own.cuh"

namespace {

const int STEPS = 4;  // in a turn of the loop: a turn costs as much as several small kernels

cudaError_t launch_step(const firn_grains_cuda* c, cudaGraphConditionalHandle loop,
                        cudaStream_t stream)
{
    const firn_grains_device* d = &c->d;
    cudaGraphConditionalHandle lists;
    cudaError_t e = firn_cuda_capture_handle(stream, &lists);
    if (e != cudaSuccess) return e;
    if (c->def.culls) firn_grains_launch_look(d, true, stream);
    firn_grains_launch_begin(d, lists, stream);
    e = firn_cuda_capture_part(stream, lists, cudaGraphCondTypeWhile, [&](cudaStream_t inner) {
        return firn_grains_launch_neighbours(d, lists, inner);
    });
    if (e != cudaSuccess) return e;
    firn_grains_launch_fused_02_06(d, loop, c->heats, stream);
    return cudaGetLastError();
}

cudaError_t launch_loop(const firn_grains_cuda* c)
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
        for (int k = 0; k < STEPS && launched == cudaSuccess; k++)
            launched = launch_step(c, loop, inner);
        return launched;
    });
}

firn_result capture(firn_grains_cuda* c, firn_error* error)
{
    FIRN_CUDA_TRY(cudaStreamBeginCapture(c->stream, cudaStreamCaptureModeThreadLocal), error,
                  "beginning to record a batch");
    const cudaError_t launched = launch_loop(c);
    cudaGraph_t graph = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(c->stream, &graph);
    cudaError_t made = launched != cudaSuccess ? launched : ended;
    if (made == cudaSuccess) made = cudaGraphInstantiate(&c->graph, graph, 0);
    if (graph != nullptr) cudaGraphDestroy(graph);
    FIRN_CUDA_TRY(made, error, "recording a batch");
    return FIRN_OK;
}

}  // namespace

void firn_grains_cuda_forget_graph(firn_grains_cuda* c)
{
    if (c->graph != nullptr) cudaGraphExecDestroy(c->graph);
    c->graph = nullptr;
}

firn_result firn_grains_cuda_drive(firn_grains_cuda* c, const firn_grains_climate* climate,
                                   const firn_grains_body_climate* body_climate, firn_error* error)
{
    FIRN_TRY(firn_grains_cuda_use(c, error));
    if (climate->heats != c->heats) firn_grains_cuda_forget_graph(c);  // another kernel
    c->heats = climate->heats;
    FIRN_CUDA_TRY(
        cudaMemcpyAsync(c->climate, climate, sizeof *climate, cudaMemcpyHostToDevice, c->stream),
        error, "changing temperatures");
    if (c->def.collider_count > 0)
        FIRN_CUDA_TRY(cudaMemcpyAsync(c->body_climate, body_climate,
                                      (size_t)c->def.collider_count * sizeof *body_climate,
                                      cudaMemcpyHostToDevice, c->stream),
                      error, "changing temperatures");
    FIRN_CUDA_TRY(cudaStreamSynchronize(c->stream), error, "changing temperatures");
    return firn_bodies_cuda_drive(c->bodies, c->def.colliders, c->stream, error);
}

firn_result firn_grains_cuda_begin(firn_grains_cuda* c, const firn_grains_cuda_batch* batch,
                                   firn_error* error)
{
    FIRN_TRY(firn_grains_cuda_use(c, error));
    if (batch->steps < 1 || batch->steps > FIRN_GRAINS_CUDA_BATCH || c->running)
        return firn_fail(error, FIRN_BROKEN_INTERNAL, "a batch of %d steps was asked for%s",
                         batch->steps, c->running ? " while another runs" : "");
    if (firn_bodies_cuda_deform(c->bodies))
        FIRN_TRY(firn_bodies_cuda_move(c->bodies, c->def.colliders, c->def.shapes, batch->time,
                                       c->stream, error));
    if (c->graph == nullptr) FIRN_TRY(capture(c, error));
    firn_grains_launch_orders(&c->d, batch, c->stream);
    FIRN_CUDA_TRY(cudaGraphLaunch(c->graph, c->stream), error, "launching a batch");
    FIRN_CUDA_TRY(cudaMemcpyAsync(c->records, c->d.records,
                                  (size_t)batch->steps * sizeof *c->records, cudaMemcpyDeviceToHost,
                                  c->stream),
                  error, "asking for the records of steps");
    FIRN_CUDA_TRY(cudaMemcpyAsync(c->control, c->d.control, sizeof *c->control,
                                  cudaMemcpyDeviceToHost, c->stream),
                  error, "asking for the records of steps");
    FIRN_CUDA_TRY(cudaEventRecord(c->batch_done, c->stream), error, "marking the end of a batch");
    c->running = true;
    return FIRN_OK;
}

firn_result firn_grains_cuda_wait(firn_grains_cuda* c, const firn_grains_cuda_record** out_records,
                                  int* out_count, firn_error* error)
{
    FIRN_TRY(firn_grains_cuda_use(c, error));
    c->running = false;
    FIRN_CUDA_TRY(cudaEventSynchronize(c->batch_done), error, "computing steps");
    *out_records = c->records;
    *out_count = c->control->record;
    c->count = c->control->count;
    c->hot = c->control->hot;
    c->cold = c->control->cold;
    return FIRN_OK;
}
