// SPDX-License-Identifier: MIT
// A simulation of grains on a GPU: making it, its memory, giving it back.
#include "solver/grains/cuda/grains_cuda.h"

#include <climits>
#include <cstdio>

#include "core/memory.h"
#include "device/cuda_check.cuh"
#include "solver/grains/cuda/grains_cuda_own.cuh"

namespace {

const int ROWS = 20;     // of a list of 32 grains, to begin with
const size_t TABLE = 4;  // cells of the table, per grain
const size_t TABLE_LEAST = 1 << 18;

firn_result no_room(const firn_grains_cuda* c, size_t bytes, const char* what, firn_error* error)
{
    cudaGetLastError();  // an allocation that failed leaves the device as it was
    size_t left = 0, all = 0;
    cudaMemGetInfo(&left, &all);
    const double GiB = 1.0 / (1 << 30);
    return firn_fail(
        error, FIRN_BROKEN_MEMORY,
        "the scene does not fit on CUDA device %d: it needs %.2f GiB for %s, and %.2f of its %.2f "
        "GiB are free (%d grains; %.2f GiB are this simulation's already): use fewer grains, a "
        "larger device, or backend cpu",
        c->def.device, (double)bytes * GiB, what, (double)left * GiB, (double)all * GiB,
        (int)c->def.capacity, (double)(c->particles.bytes + c->lists.bytes) * GiB);
}

void take_store(firn_cuda_taking& t, size_t n, firn_grains_store* s)
{
    firn_cuda_take(t, &s->at, n);
    firn_cuda_take(t, &s->motion, n);
    firn_cuda_take(t, &s->rest, n);
    firn_cuda_take(t, &s->listed, n);
    firn_cuda_take(t, &s->heat, n);
    firn_cuda_take(t, &s->ties, n);
}

__global__ void count_up(uint32_t* number, int n)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x)
        number[k] = (uint32_t)k;
}

void take_sorting(firn_cuda_taking& t, firn_grains_device& d, size_t n)
{
    const size_t cells = n * TABLE < TABLE_LEAST ? TABLE_LEAST : n * TABLE;
    d.table_cells = cells < INT_MAX / 2 ? (unsigned)cells : INT_MAX / 2;
    firn_cuda_take(t, &d.key, n);
    firn_cuda_take(t, &d.key_sorted, n);
    firn_cuda_take(t, &d.short_key, n);
    firn_cuda_take(t, &d.short_sorted, n);
    firn_cuda_take(t, &d.number, n);
    firn_cuda_take(t, &d.order, n);
    firn_cuda_take(t, &d.rank, n);
    firn_cuda_take(t, &d.loose, n);
    firn_cuda_take(t, &d.table, (size_t)d.table_cells + 1);
    firn_cuda_take(t, &d.look, n);
    firn_cuda_take(t, &d.gap, n);
    d.scratch_bytes = 0;
    if (firn_grains_neighbours_scratch(&d, &d.scratch_bytes) != cudaSuccess) d.scratch_bytes = 0;
    uint8_t* scratch = nullptr;
    firn_cuda_take(t, &scratch, d.scratch_bytes);
    d.scratch = scratch;
}

firn_result take_particles(firn_grains_cuda* c, firn_error* error)
{
    const size_t n = (size_t)c->def.capacity, bodies = (size_t)c->def.collider_count;
    firn_cuda_taking t = {&c->particles, cudaSuccess, 0};
    firn_grains_device& d = c->d;
    for (int k = 0; k < 2; k++) {
        firn_grains_store s;
        take_store(t, n, &s);
        d.at[k] = s.at;
        d.motion[k] = s.motion;
        d.rest[k] = s.rest;
        d.listed[k] = s.listed;
        d.heat[k] = s.heat;
        d.ties[k] = s.ties;
        firn_cuda_take(t, &d.list_first[k], n / 32 + 1);
    }
    take_store(t, n, &c->kept);
    d.capacity = c->def.capacity;
    d.gone = nullptr;
    if (c->def.culls) firn_cuda_take(t, &d.gone, n);
    take_sorting(t, d, n);
    firn_cuda_take(t, &d.list_count, n);
    firn_cuda_take(t, &d.new_index, n);
    firn_cuda_take(t, &c->staging,
                   (n < FIRN_GRAINS_CUDA_STAGED ? n : FIRN_GRAINS_CUDA_STAGED) * sizeof(firn_vec3));
    firn_cuda_take(t, &d.control, 1);
    firn_cuda_take(t, &c->kept_control, 1);
    firn_cuda_take(t, &d.records, FIRN_GRAINS_CUDA_BATCH);
    firn_cuda_take(t, &d.partial, (size_t)d.blocks);
    firn_cuda_take(t, &c->climate, 1);
    firn_cuda_take(t, &c->body_climate, bodies);
    firn_cuda_take(t, &d.body_temperature, bodies);
    if (t.status != cudaSuccess) return no_room(c, t.bytes, "grains", error);
    d.climate = c->climate;
    d.body_climate = c->body_climate;
    count_up<<<1024, 256, 0, c->stream>>>(d.number, d.capacity);
    FIRN_CUDA_TRY(cudaGetLastError(), error, "preparing grains");
    return FIRN_OK;
}

firn_result take_lists(firn_grains_cuda* c, unsigned rows, firn_error* error)
{
    firn_cuda_give_back(&c->lists);
    firn_cuda_taking t = {&c->lists, cudaSuccess, 0};
    for (int k = 0; k < 2; k++) firn_cuda_take(t, &c->d.list[k], (size_t)rows * 32);
    if (t.status != cudaSuccess) return no_room(c, t.bytes, "lists of neighbours", error);
    c->d.row_capacity = rows;
    return FIRN_OK;
}

void take_constants(firn_grains_cuda* c)
{
    const firn_grains_cuda_def& f = c->def;
    firn_grains_device& d = c->d;
    d.constants = f.constants;
    d.dt = f.dt;
    d.skin = f.skin;
    d.cell = 2 * f.dt.radius + (double)f.constants.reach + (double)f.skin;
    d.gravity = f.gravity;
    d.culls = f.culls;
    d.cull_start = f.cull_start;
    d.cull_below = f.cull_below;
    d.cull_inside = f.cull_inside;
    d.cull_outside = f.cull_outside;
}

// No more blocks of threads than run at once: what is left over, they do in turns.
firn_result find_launch(firn_grains_cuda* c, firn_error* error)
{
    int each, sms;
    FIRN_CUDA_TRY(firn_grains_occupancy_02_06(&each), error, "preparing kernels");
    FIRN_CUDA_TRY(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, c->def.device),
                  error, "asking for the number of multiprocessors");
    const int wanted = (c->def.capacity + FIRN_GRAINS_THREADS - 1) / FIRN_GRAINS_THREADS;
    const int most = sms * (each > 0 ? each : 1) * 4;
    c->d.blocks = wanted < 1 ? 1 : wanted < most ? wanted : most;
    return FIRN_OK;
}

firn_result fill(firn_grains_cuda* c, firn_error* error)
{
    FIRN_TRY(firn_grains_cuda_use(c, error));
    FIRN_CUDA_TRY(cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking), error,
                  "making a stream");
    FIRN_CUDA_TRY(cudaStreamCreateWithFlags(&c->copy, cudaStreamNonBlocking), error,
                  "making a stream");
    FIRN_CUDA_TRY(cudaEventCreateWithFlags(&c->batch_done, cudaEventDisableTiming), error,
                  "making an event");
    FIRN_CUDA_TRY(cudaEventCreateWithFlags(&c->kept_done, cudaEventDisableTiming), error,
                  "making an event");
    FIRN_CUDA_TRY(cudaMallocHost(&c->records, FIRN_GRAINS_CUDA_BATCH * sizeof *c->records), error,
                  "taking memory for records");
    FIRN_CUDA_TRY(cudaMallocHost(&c->control, sizeof *c->control), error,
                  "taking memory for records");
    FIRN_TRY(firn_bodies_cuda_create(c->def.shapes, c->def.colliders, c->def.collider_count,
                                     &c->bodies, error));
    c->d.bodies = firn_bodies_cuda_view(c->bodies);
    take_constants(c);
    FIRN_TRY(find_launch(c, error));
    FIRN_TRY(take_particles(c, error));
    const unsigned groups = (unsigned)c->def.capacity / 32 + 1;
    FIRN_TRY(take_lists(c, groups * ROWS, error));
    c->heats = c->def.climate.heats;
    return firn_grains_cuda_drive(c, &c->def.climate, c->def.body_climate, error);
}

}  // namespace

firn_result firn_grains_cuda_use(const firn_grains_cuda* cuda, firn_error* error)
{
    FIRN_CUDA_TRY(cudaSetDevice(cuda->def.device), error, "turning to the device");
    return FIRN_OK;
}

firn_result firn_grains_cuda_create(const firn_grains_cuda_def* def, firn_grains_cuda** out,
                                    firn_error* error)
{
    firn_grains_cuda* c = (firn_grains_cuda*)firn_alloc(1, sizeof *c);
    if (c == nullptr) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    c->def = *def;
    const firn_result r = fill(c, error);
    c->def.body_climate = nullptr;  // the caller's
    if (r != FIRN_OK) {
        firn_grains_cuda_destroy(c);
        return r;
    }
    *out = c;
    return FIRN_OK;
}

void firn_grains_cuda_destroy(firn_grains_cuda* c)
{
    if (c == nullptr) return;
    cudaSetDevice(c->def.device);
    if (c->stream != nullptr) cudaStreamSynchronize(c->stream);
    if (c->copy != nullptr) cudaStreamSynchronize(c->copy);
    firn_grains_cuda_forget_graph(c);
    firn_cuda_give_back(&c->lists);
    firn_cuda_give_back(&c->particles);
    firn_bodies_cuda_destroy(c->bodies);
    if (c->records != nullptr) cudaFreeHost(c->records);
    if (c->control != nullptr) cudaFreeHost(c->control);
    if (c->batch_done != nullptr) cudaEventDestroy(c->batch_done);
    if (c->kept_done != nullptr) cudaEventDestroy(c->kept_done);
    if (c->stream != nullptr) cudaStreamDestroy(c->stream);
    if (c->copy != nullptr) cudaStreamDestroy(c->copy);
    firn_free(c);
}

size_t firn_grains_cuda_bytes(const firn_grains_cuda* c)
{
    return c->particles.bytes + c->lists.bytes + firn_bodies_cuda_bytes(c->bodies);
}

bool firn_grains_cuda_deforms(const firn_grains_cuda* c)
{
    return firn_bodies_cuda_deform(c->bodies);
}

firn_result firn_grains_cuda_grow(firn_grains_cuda* c, firn_error* error)
{
    FIRN_TRY(firn_grains_cuda_use(c, error));
    FIRN_CUDA_TRY(cudaStreamSynchronize(c->stream), error, "waiting for the device");
    firn_grains_cuda_forget_graph(c);
    // rows are at most as many as there are neighbours, which are counted before
    const unsigned before = c->d.row_capacity;
    if (before > UINT_MAX / 2)
        return no_room(c, SIZE_MAX / 2, "longer lists than can be numbered", error);
    FIRN_TRY(take_lists(c, before * 2, error));
    // the lists are gone with their memory: the next step makes them again first
    FIRN_CUDA_TRY(cudaMemset(&c->d.control->listed, 0, sizeof c->d.control->listed), error,
                  "making longer lists");
    return FIRN_OK;
}
