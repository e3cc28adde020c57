// SPDX-License-Identifier: MIT
// A simulation of grains on a CUDA device: its memory, and the table of its kernels.
#include <climits>
#include <cstdint>

#include "solver/grains/cuda/grains_cuda_own.cuh"

namespace {

const int ROWS = 20;     // of a list of 32 grains, to begin with
const size_t TABLE = 4;  // cells of the table, per grain
const size_t TABLE_LEAST = 1 << 18;

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
        firn_cuda_take(t, &d.moves[k], n);
        firn_cuda_take(t, &d.turns[k], n);
        firn_cuda_take(t, &d.rests[k], n);
        firn_cuda_take(t, &d.listed[k], n);
        firn_cuda_take(t, &d.heat[k], n);
        firn_cuda_take(t, &d.ties[k], n);
        firn_cuda_take(t, &d.list_first[k], n / 32 + 1);
    }
    d.capacity = c->def.capacity;
    if (c->culls) firn_cuda_take(t, &d.gone, n);
    take_sorting(t, d, n);
    firn_cuda_take(t, &d.list_count, n);
    firn_cuda_take(t, &d.new_index, n);
    firn_cuda_take(t, &d.partial, (size_t)d.blocks);
    firn_cuda_take(t, &c->climate, 1);
    firn_cuda_take(t, &c->body_climate, bodies);
    firn_cuda_take(t, &d.body_temperature, bodies);
    firn_cuda_take(t, &c->world, 1);
    FIRN_TRY(firn_cuda_take_shared(c, &t, "grains", error));
    d.control = (firn_grains_control*)c->device_control;
    d.records = (firn_grains_cuda_record*)c->device_records;
    d.climate = c->climate;
    d.body_climate = c->body_climate;
    count_up<<<1024, 256, 0, c->stream>>>(d.number, d.capacity);
    FIRN_CUDA_TRY(cudaGetLastError(), error, "preparing grains");
    return FIRN_OK;
}

firn_result take_lists(firn_grains_cuda* c, unsigned rows, firn_error* error)
{
    firn_cuda_give_back(&c->work);
    firn_cuda_taking t = {&c->work, cudaSuccess, 0};
    for (int k = 0; k < 2; k++) firn_cuda_take(t, &c->d.list[k], (size_t)rows * 32);
    if (t.status != cudaSuccess) return firn_cuda_no_room(c, t.bytes, "lists of neighbours", error);
    c->d.row_capacity = rows;
    return FIRN_OK;
}

void take_constants(firn_grains_cuda* c, const firn_grains_cuda_def& f)
{
    firn_grains_device& d = c->d;
    d.constants = f.constants;
    d.dt = f.dt;
    d.skin = f.skin;
    d.cell = 2 * f.dt.radius + (double)f.constants.reach + (double)f.skin;
    d.cull = f.cull;
    d.bodies = firn_colliders_cuda_view(c->bodies);
    c->culls = f.cull.active;
    c->heats = f.settings.climate.heats;
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

// Nothing of it changes until the simulation is destroyed.
firn_result bring_world(firn_grains_cuda* c, firn_error* error)
{
    firn_grains_device& d = c->d;
    d.loads = c->loads;
    d.forces = c->forces;
    d.world = c->world;
    const firn_grains_world world = {d.control, d.bodies, d.loads, d.body_temperature};
    FIRN_CUDA_TRY(cudaMemcpy(c->world, &world, sizeof world, cudaMemcpyHostToDevice), error,
                  "preparing grains");
    return FIRN_OK;
}

firn_result create(firn_cuda_sim* sim, const void* own, firn_error* error)
{
    firn_grains_cuda* c = firn_grains_cuda_of(sim);
    const firn_grains_cuda_def* def = (const firn_grains_cuda_def*)own;
    take_constants(c, *def);
    FIRN_TRY(find_launch(c, error));
    FIRN_TRY(take_particles(c, error));
    FIRN_TRY(bring_world(c, error));
    const unsigned groups = (unsigned)c->def.capacity / 32 + 1;
    FIRN_TRY(take_lists(c, groups * ROWS, error));
    return firn_grains_cuda_change(c, &def->settings, error);
}

firn_result grow(firn_cuda_sim* sim, firn_error* error)
{
    firn_grains_cuda* c = firn_grains_cuda_of(sim);
    // rows are at most as many as there are neighbours, which are counted before
    const unsigned before = c->d.row_capacity;
    if (before > UINT_MAX / 2)
        return firn_cuda_no_room(c, SIZE_MAX / 2, "longer lists than can be numbered", error);
    FIRN_TRY(take_lists(c, before * 2, error));
    // the lists are gone with their memory: the next step makes them again first
    FIRN_CUDA_TRY(cudaMemset(&c->d.control->listed, 0, sizeof c->d.control->listed), error,
                  "making longer lists");
    return FIRN_OK;
}

}  // namespace

const firn_cuda_kernels firn_grains_kernels = {
    "fewer grains",
    sizeof(firn_grains_cuda),
    sizeof(firn_grains_control),
    sizeof(firn_grains_cuda_record),
    FIRN_GRAINS_CUDA_BATCH,
    firn_grains_cuda_fields,
    -1,
    create,
    firn_grains_cuda_find_state,
    firn_grains_cuda_uploaded,
    firn_grains_cuda_rolled_back,
    firn_grains_cuda_launch,
    grow,
    firn_grains_cuda_change,
    nullptr,
};
