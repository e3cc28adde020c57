// SPDX-License-Identifier: MIT
// Batches of steps on a GPU. A step is a graph, captured once: the list of section 4.1 of Stomakhin
// 2013 with the linear solve as a loop whose condition the device decides. A batch launches as many
// as may be needed; those after the frame's end, a fault or a lack of room find `halt` and return.
#include <cstring>

#include "device/cuda_check.cuh"
#include "device/cuda_graph.cuh"
#include "solver/mpm/cuda/mpm_cuda_own.cuh"

namespace {

// Step 6: residual, then a loop of iterations while the device says so.
cudaError_t capture_solve(const firn_mpm_cuda* c, const firn_mpm_device* d)
{
    cudaGraphConditionalHandle loop;
    const cudaError_t e = firn_cuda_capture_handle(c->stream, &loop);
    if (e != cudaSuccess) return e;
    firn_mpm_launch_solve_start(d, &c->l, loop, c->stream);
    return firn_cuda_capture_part(c->stream, loop, cudaGraphCondTypeWhile, [&](cudaStream_t inner) {
        firn_mpm_launch_solve_iteration(d, &c->l, loop, inner);
        return cudaGetLastError();
    });
}

// One step, in its order.
cudaError_t launch_step(const firn_mpm_cuda* c, const firn_mpm_device* d, int which)
{
    const bool linear = d->implicit != 0, moves = which != FIRN_GRAPH_PLAIN;
    if (c->def.culls) {  // what is gone counts neither in speeds nor in sums
        firn_mpm_launch_check(d, c->stream);
        firn_mpm_launch_cull(d, c->stream);
        firn_mpm_launch_measure(d, c->stream);
        if (which != FIRN_GRAPH_FIRST) firn_mpm_launch_stress(d, linear, false, c->stream);
    }
    firn_mpm_launch_begin(d, c->stream);
    const firn_device_sort_args sort = {d->grid, d->at, &d->control->halt, &d->control->count,
                                        d->gone, moves};
    cudaError_t e = firn_device_sort(&sort, c->stream);
    if (e != cudaSuccess) return e;
    if (moves) e = firn_mpm_launch_reorder(d, c->scratch, c->stream);
    if (e != cudaSuccess) return e;
    firn_mpm_launch_fused_01_03(d, &c->l, linear, c->stream);
    if (which == FIRN_GRAPH_FIRST) {  // step 2: volumes from masses, and what depends on them
        firn_mpm_launch_grid_velocity(d, &c->l, c->stream);
        firn_mpm_launch_volumes(d, c->stream);
        firn_mpm_launch_stress(d, linear, true, c->stream);
        firn_mpm_launch_fused_01_03(d, &c->l, linear, c->stream);
    }
    if (linear) firn_mpm_launch_add_mass(d, &c->l, c->stream);
    firn_mpm_launch_grid_velocity(d, &c->l, c->stream);
    firn_mpm_launch_grid_collide(d, &c->l, c->stream);
    if (linear) e = capture_solve(c, d);
    if (e != cudaSuccess) return e;
    firn_mpm_launch_fused_07_10(d, &c->l, linear, c->stream);
    firn_mpm_launch_end(d, &c->l, c->stream);
    return cudaGetLastError();
}

firn_result capture(firn_mpm_cuda* c, bool implicit, int which, firn_error* error)
{
    firn_mpm_device d = c->d;
    d.implicit = implicit;
    FIRN_CUDA_TRY(cudaStreamBeginCapture(c->stream, cudaStreamCaptureModeThreadLocal), error,
                  "beginning to record a step");
    const cudaError_t launched = launch_step(c, &d, which);
    cudaGraph_t graph = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(c->stream, &graph);
    cudaError_t made = launched != cudaSuccess ? launched : ended;
    if (made == cudaSuccess) made = cudaGraphInstantiate(&c->graph[implicit][which], graph, 0);
    if (graph != nullptr) cudaGraphDestroy(graph);
    FIRN_CUDA_TRY(made, error, "recording a step");
    return FIRN_OK;
}

firn_result launch(firn_mpm_cuda* c, const firn_mpm_cuda_batch* batch, firn_error* error)
{
    for (int k = 0; k < batch->steps; k++) {
        const int64_t step = batch->step + k;
        const int which = step == 0                                ? FIRN_GRAPH_FIRST
                          : step % FIRN_MPM_STEPS_PER_REORDER == 0 ? FIRN_GRAPH_REORDER
                                                                   : FIRN_GRAPH_PLAIN;
        cudaGraphExec_t* graph = &c->graph[batch->implicit][which];
        if (*graph == nullptr) FIRN_TRY(capture(c, batch->implicit, which, error));
        FIRN_CUDA_TRY(cudaGraphLaunch(*graph, c->stream), error, "launching a step");
    }
    return FIRN_OK;
}

}  // namespace

void firn_mpm_cuda_forget_graphs(firn_mpm_cuda* c)
{
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < FIRN_GRAPH_COUNT; k++) {
            if (c->graph[i][k] != nullptr) cudaGraphExecDestroy(c->graph[i][k]);
            c->graph[i][k] = nullptr;
        }
}

firn_result firn_mpm_cuda_drive(firn_mpm_cuda* c, firn_error* error)
{
    FIRN_TRY(firn_mpm_cuda_use(c, error));
    return firn_bodies_cuda_drive(c->bodies, c->def.colliders, c->stream, error);
}

firn_result firn_mpm_cuda_begin(firn_mpm_cuda* c, const firn_mpm_cuda_batch* batch,
                                firn_error* error)
{
    FIRN_TRY(firn_mpm_cuda_use(c, error));
    if (batch->steps < 1 || batch->steps > FIRN_MPM_CUDA_BATCH || c->running)
        return firn_fail(error, FIRN_BROKEN_INTERNAL, "a batch of %d steps was asked for%s",
                         batch->steps, c->running ? " while another runs" : "");
    if (firn_bodies_cuda_deform(c->bodies))
        FIRN_TRY(firn_bodies_cuda_move(c->bodies, c->def.colliders, c->def.shapes, batch->time,
                                       c->stream, error));
    const int stress = batch->implicit ? FIRN_STRESS_LINEAR : FIRN_STRESS_PLAIN;
    if (c->stress != stress && batch->step > 0)
        firn_mpm_launch_stress(&c->d, batch->implicit, false, c->stream);
    c->stress = stress;
    firn_mpm_launch_orders(&c->d, batch, c->stream);
    FIRN_TRY(launch(c, batch, error));
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

firn_result firn_mpm_cuda_wait(firn_mpm_cuda* c, const firn_mpm_cuda_record** out_records,
                               int* out_count, firn_error* error)
{
    FIRN_TRY(firn_mpm_cuda_use(c, error));
    c->running = false;
    FIRN_CUDA_TRY(cudaEventSynchronize(c->batch_done), error, "computing steps");
    *out_records = c->records;
    *out_count = c->control->record;
    c->count = c->control->count;
    return FIRN_OK;
}
