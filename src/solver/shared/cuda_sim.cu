// SPDX-License-Identifier: MIT
// Simulations on a CUDA device: making them, batches of steps, giving memory back.
#include "solver/shared/cuda_sim.cuh"

#include <cstring>

#include "core/memory.h"

namespace {

firn_cuda_sim* of(firn_device_sim* sim)
{
    return static_cast<firn_cuda_sim*>(sim);
}

void destroy(firn_device_sim* sim)
{
    firn_cuda_sim* c = of(sim);
    cudaSetDevice(c->def.device);
    if (c->stream != nullptr) cudaStreamSynchronize(c->stream);
    if (c->copy != nullptr) cudaStreamSynchronize(c->copy);
    firn_cuda_forget_graphs(c);
    firn_cuda_give_back(&c->work);
    firn_cuda_give_back(&c->particles);
    firn_colliders_cuda_destroy(c->bodies);
    if (c->records != nullptr) cudaFreeHost(c->records);
    if (c->control != nullptr) cudaFreeHost(c->control);
    if (c->load_steps != nullptr) cudaFreeHost(c->load_steps);
    if (c->lump_stage != nullptr) cudaFreeHost(c->lump_stage);
    if (c->batch_done != nullptr) cudaEventDestroy(c->batch_done);
    if (c->snapshot_done != nullptr) cudaEventDestroy(c->snapshot_done);
    if (c->stream != nullptr) cudaStreamDestroy(c->stream);
    if (c->copy != nullptr) cudaStreamDestroy(c->copy);
    firn_free(c);
}

size_t bytes(const firn_device_sim* sim)
{
    const firn_cuda_sim* c = static_cast<const firn_cuda_sim*>(sim);
    return c->particles.bytes + c->work.bytes + firn_colliders_cuda_bytes(c->bodies);
}

bool single_steps(const firn_device_sim* sim)
{
    return firn_colliders_cuda_deform(static_cast<const firn_cuda_sim*>(sim)->bodies);
}

firn_result change(firn_device_sim* sim, const void* settings, firn_error* error)
{
    firn_cuda_sim* c = of(sim);
    FIRN_TRY(firn_cuda_use(c, error));
    FIRN_TRY(firn_cuda_bring_gravity(c, error));
    if (c->kernels->change != nullptr) FIRN_TRY(c->kernels->change(c, settings, error));
    return firn_colliders_cuda_drive(c->bodies, c->def.colliders, c->stream, error);
}

firn_result drive(firn_device_sim* sim, const firn_lumps* lumps, firn_error* error)
{
    firn_cuda_sim* c = of(sim);
    FIRN_TRY(firn_cuda_use(c, error));
    if (lumps != nullptr) FIRN_TRY(c->kernels->take_lumps(c, lumps, error));
    return firn_colliders_cuda_drive(c->bodies, c->def.colliders, c->stream, error);
}

firn_result begin(firn_device_sim* sim, const firn_device_batch* batch, firn_error* error)
{
    firn_cuda_sim* c = of(sim);
    FIRN_TRY(firn_cuda_use(c, error));
    if (batch->steps < 1 || batch->steps > c->kernels->batch_max || c->running)
        return firn_fail(error, FIRN_BROKEN_INTERNAL, "a batch of %d steps was requested%s",
                         batch->steps, c->running ? " while another runs" : "");
    if (firn_colliders_cuda_deform(c->bodies))
        FIRN_TRY(firn_colliders_cuda_move(c->bodies, c->def.colliders, c->def.shapes, batch->time,
                                          c->stream, error));
    if (c->loads.count > 0)
        FIRN_CUDA_TRY(cudaMemsetAsync(c->loads.sums, 0,
                                      FIRN_CUDA_LOADS_COPIES * firn_cuda_loads_bytes(c, 1),
                                      c->stream),
                      error, "clearing the loads on colliders");
    FIRN_TRY(c->kernels->launch(c, batch, error));
    c->variant = batch->variant;
    FIRN_CUDA_TRY(cudaMemcpyAsync(c->records, c->device_records,
                                  (size_t)batch->steps * c->kernels->record_size,
                                  cudaMemcpyDeviceToHost, c->stream),
                  error, "copying the records of steps");
    FIRN_CUDA_TRY(cudaMemcpyAsync(c->control, c->device_control, c->kernels->control_size,
                                  cudaMemcpyDeviceToHost, c->stream),
                  error, "copying the records of steps");
    if (c->loads.count > 0)
        FIRN_CUDA_TRY(cudaMemcpyAsync(c->load_steps, c->loads.steps,
                                      firn_cuda_loads_bytes(c, batch->steps),
                                      cudaMemcpyDeviceToHost, c->stream),
                      error, "copying the loads on colliders");
    FIRN_CUDA_TRY(cudaEventRecord(c->batch_done, c->stream), error, "marking the end of a batch");
    c->running = true;
    return FIRN_OK;
}

firn_result wait(firn_device_sim* sim, const void** out_records, int* out_count, firn_error* error)
{
    firn_cuda_sim* c = of(sim);
    FIRN_TRY(firn_cuda_use(c, error));
    c->running = false;
    FIRN_CUDA_TRY(cudaEventSynchronize(c->batch_done), error, "computing steps");
    *out_records = c->records;
    *out_count = c->control->record;
    return FIRN_OK;
}

const firn_impulse* loads(const firn_device_sim* sim, int step)
{
    const firn_cuda_sim* c = static_cast<const firn_cuda_sim*>(sim);
    return c->load_steps + (size_t)step * (size_t)(c->loads.count + 1);
}

firn_result grow(firn_device_sim* sim, firn_error* error)
{
    firn_cuda_sim* c = of(sim);
    FIRN_TRY(firn_cuda_use(c, error));
    if (c->kernels->grow == nullptr)
        return firn_fail(error, FIRN_BROKEN_INTERNAL, "a step needs room that nothing can make");
    FIRN_CUDA_TRY(cudaStreamSynchronize(c->stream), error, "waiting for the device");
    firn_cuda_forget_graphs(c);
    return c->kernels->grow(c, error);
}

__global__ void take_orders(firn_cuda_control* c, firn_device_batch batch)
{
    firn_cuda_take_orders(c, batch);
}

const firn_device_ops ops = {destroy,
                             bytes,
                             single_steps,
                             firn_cuda_upload,
                             firn_cuda_download,
                             firn_cuda_snapshot,
                             firn_cuda_rollback,
                             change,
                             drive,
                             begin,
                             wait,
                             grow,
                             loads,
                             firn_cuda_field_of,
                             firn_cuda_meet_time};

firn_result fill(firn_cuda_sim* c, const void* own, firn_error* error)
{
    const firn_cuda_kernels* k = c->kernels;
    FIRN_TRY(firn_cuda_use(c, error));
    FIRN_CUDA_TRY(cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking), error,
                  "making a stream");
    FIRN_CUDA_TRY(cudaStreamCreateWithFlags(&c->copy, cudaStreamNonBlocking), error,
                  "making a stream");
    FIRN_CUDA_TRY(cudaEventCreateWithFlags(&c->batch_done, cudaEventDisableTiming), error,
                  "making an event");
    FIRN_CUDA_TRY(cudaEventCreateWithFlags(&c->snapshot_done, cudaEventDisableTiming), error,
                  "making an event");
    FIRN_CUDA_TRY(cudaMallocHost(&c->records, (size_t)k->batch_max * k->record_size), error,
                  "allocating memory for records");
    FIRN_CUDA_TRY(cudaMallocHost((void**)&c->control, k->control_size), error,
                  "allocating memory for records");
    memset((void*)c->control, 0, k->control_size);
    FIRN_CUDA_TRY(cudaMallocHost((void**)&c->load_steps, firn_cuda_loads_bytes(c, k->batch_max)),
                  error, "allocating memory for records");
    memset((void*)c->load_steps, 0, firn_cuda_loads_bytes(c, k->batch_max));
    FIRN_TRY(firn_colliders_cuda_create(c->def.shapes, c->def.colliders, c->def.collider_count,
                                        &c->bodies, error));
    c->variant = FIRN_CUDA_NO_BATCH;
    return k->create(c, own, error);
}

}  // namespace

firn_result firn_cuda_use(const firn_cuda_sim* sim, firn_error* error)
{
    FIRN_CUDA_TRY(cudaSetDevice(sim->def.device), error, "selecting the device");
    return FIRN_OK;
}

firn_result firn_cuda_sim_create(const firn_cuda_kernels* kernels, const firn_cuda_def* def,
                                 const void* own, firn_device_sim** out_sim, firn_error* error)
{
    firn_cuda_sim* c = (firn_cuda_sim*)firn_alloc(1, kernels->size);
    if (c == nullptr) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    c->ops = &ops;
    c->kernels = kernels;
    c->def = *def;
    const firn_result r = fill(c, own, error);
    if (r != FIRN_OK) {
        destroy(c);
        return r;
    }
    *out_sim = c;
    return FIRN_OK;
}

firn_result firn_cuda_no_room(const firn_cuda_sim* sim, size_t bytes, const char* what,
                              firn_error* error)
{
    cudaGetLastError();  // an allocation that failed leaves the device as it was
    size_t left = 0, all = 0;
    cudaMemGetInfo(&left, &all);
    const double GiB = 1.0 / (1 << 30);
    return firn_fail(
        error, FIRN_BROKEN_MEMORY,
        "the scene does not fit on CUDA device %d: it needs %.2f GiB for %s, and %.2f of its "
        "%.2f GiB are free (%d particles; this simulation holds %.2f GiB already): use %s, "
        "a larger device, or backend cpu",
        sim->def.device, (double)bytes * GiB, what, (double)left * GiB, (double)all * GiB,
        (int)sim->def.capacity, (double)(sim->particles.bytes + sim->work.bytes) * GiB,
        sim->kernels->fewer);
}

void firn_cuda_forget_graphs(firn_cuda_sim* sim)
{
    for (cudaGraphExec_t& graph : sim->graph) {
        if (graph != nullptr) cudaGraphExecDestroy(graph);
        graph = nullptr;
    }
}

firn_result firn_cuda_instantiate(firn_cuda_sim* sim, cudaError_t launched, cudaGraphExec_t* out,
                                  firn_error* error)
{
    cudaGraph_t graph = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(sim->stream, &graph);
    cudaError_t made = launched != cudaSuccess ? launched : ended;
    if (made == cudaSuccess) made = cudaGraphInstantiate(out, graph, 0);
    if (graph != nullptr) cudaGraphDestroy(graph);
    FIRN_CUDA_TRY(made, error, "capturing a step");
    return FIRN_OK;
}

void firn_cuda_launch_orders(firn_cuda_sim* sim, const firn_device_batch* batch)
{
    take_orders<<<1, 1, 0, sim->stream>>>((firn_cuda_control*)sim->device_control, *batch);
}
