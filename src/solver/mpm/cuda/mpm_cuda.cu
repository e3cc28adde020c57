// SPDX-License-Identifier: MIT
// A simulation on a GPU: making it, its memory, giving it back.
#include "solver/mpm/cuda/mpm_cuda.h"

#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "core/memory.h"
#include "device/cuda_check.cuh"
#include "solver/mpm/cuda/mpm_cuda_own.cuh"

namespace {

const int PARTIALS = 132 * 64;

firn_result no_room(const firn_mpm_cuda* c, size_t bytes, const char* what, firn_error* error)
{
    cudaGetLastError();  // an allocation that failed leaves the device as it was
    size_t left = 0, all = 0;
    cudaMemGetInfo(&left, &all);
    const double GiB = 1.0 / (1 << 30);
    return firn_fail(
        error, FIRN_BROKEN_MEMORY,
        "the scene does not fit on CUDA device %d: it needs %.2f GiB for %s, and %.2f of its "
        "%.2f GiB are free (%d particles; %.2f GiB are this simulation's already): use "
        "fewer particles, a larger cell, a larger device, or backend cpu",
        c->def.device, (double)bytes * GiB, what, (double)left * GiB, (double)all * GiB,
        (int)c->def.capacity, (double)(c->particles.bytes + c->grid.bytes) * GiB);
}

void take_store(firn_cuda_taking& t, const firn_mpm_cuda_def* def, size_t n, firn_mpm_store* s)
{
    firn_cuda_take(t, &s->at, n);
    firn_cuda_take(t, &s->motion, n);
    firn_cuda_take(t, &s->strain0, n);
    firn_cuda_take(t, &s->strain1, n);
    firn_cuda_take(t, &s->strain2, n);
    firn_cuda_take(t, &s->id, n);
    s->affine0 = s->affine1 = s->affine2 = s->varied = nullptr;
    s->gone = nullptr;
    if (def->affine) {
        firn_cuda_take(t, &s->affine0, n);
        firn_cuda_take(t, &s->affine1, n);
        firn_cuda_take(t, &s->affine2, n);
    }
    if (def->varied) firn_cuda_take(t, &s->varied, n);
    if (def->culls) firn_cuda_take(t, &s->gone, n);
}

firn_result take_particles(firn_mpm_cuda* c, firn_error* error)
{
    const size_t n = (size_t)c->def.capacity;
    firn_cuda_taking t = {&c->particles, cudaSuccess, 0};
    firn_mpm_device& d = c->d;
    firn_mpm_store s;
    take_store(t, &c->def, n, &s);
    take_store(t, &c->def, n, &c->kept);
    d.at = s.at;
    d.motion = s.motion;
    d.strain0 = s.strain0;
    d.strain1 = s.strain1;
    d.strain2 = s.strain2;
    d.affine0 = s.affine0;
    d.affine1 = s.affine1;
    d.affine2 = s.affine2;
    d.varied = s.varied;
    d.id = s.id;
    d.gone = s.gone;
    firn_cuda_take(t, &d.stress0, n);
    // explicit steps need half of it, and no third
    firn_cuda_take(t, &d.stress1, c->def.may_solve ? n : n / 2 + 1);
    d.stress2 = nullptr;
    if (c->def.may_solve) firn_cuda_take(t, &d.stress2, n);
    firn_cuda_take(t, &d.grid.label, n);
    firn_cuda_take(t, &d.grid.rank, n);
    firn_cuda_take(t, &d.grid.loose, n);
    firn_cuda_take(t, &d.grid.order, n);
    firn_cuda_take(t, &c->scratch, n);
    firn_cuda_take(t, &c->staging,
                   (n < FIRN_MPM_CUDA_STAGED ? n : FIRN_MPM_CUDA_STAGED) * sizeof(firn_mat3));
    firn_cuda_take(t, &d.control, 1);
    firn_cuda_take(t, &c->kept_control, 1);
    firn_cuda_take(t, &d.records, FIRN_MPM_CUDA_BATCH);
    firn_cuda_take(t, &d.partial, PARTIALS);
    firn_cuda_take(t, &d.cr_partial, 4 * PARTIALS);
    firn_mpm_material* materials = nullptr;
    firn_cuda_take(t, &materials, (size_t)c->def.material_count);
    if (t.status != cudaSuccess) return no_room(c, t.bytes, "its particles", error);
    FIRN_CUDA_TRY(cudaMemcpy(materials, c->def.materials,
                             (size_t)c->def.material_count * sizeof *materials,
                             cudaMemcpyHostToDevice),
                  error, "copying the table of materials");
    d.materials = materials;
    d.grid.particle_capacity = c->def.capacity;
    return FIRN_OK;
}

void take_nodes(firn_cuda_taking& t, firn_mpm_cuda* c, size_t n)
{
    firn_mpm_device& d = c->d;
    firn_cuda_take(t, &d.node_velocity, n);
    firn_cuda_take(t, &d.node_new, n);
    d.cr_r = d.cr_p = d.cr_Az = d.cr_Ap = d.cr_scale = d.cr_z = nullptr;
    if (!c->def.may_solve) return;
    firn_cuda_take(t, &d.cr_r, n);
    firn_cuda_take(t, &d.cr_p, n);
    firn_cuda_take(t, &d.cr_Az, n);
    firn_cuda_take(t, &d.cr_Ap, n);
    if (!c->def.diagonal) return;
    firn_cuda_take(t, &d.cr_scale, n);
    firn_cuda_take(t, &d.cr_z, n);
}

firn_result take_grid(firn_mpm_cuda* c, int homes, firn_error* error)
{
    firn_cuda_give_back(&c->grid);
    firn_device_grid& g = c->d.grid;
    firn_mpm_device& d = c->d;
    const int blocks = homes * 2 + 2048;
    unsigned slots = 4096;
    while (slots < 2u * (unsigned)blocks) slots *= 2;
    const size_t H = (size_t)homes, B = (size_t)blocks, S = slots;
    firn_cuda_taking t = {&c->grid, cudaSuccess, 0};
    g.home_capacity = homes;
    g.block_capacity = blocks;
    g.table_mask = slots - 1;
    firn_cuda_take(t, &g.counts, 1);
    firn_cuda_take(t, &g.table_key, S);
    firn_cuda_take(t, &g.table_first, S);
    firn_cuda_take(t, &g.table_value, S);
    firn_cuda_take(t, &g.cell_start, S * FIRN_BLOCK_NODES);
    firn_cuda_take(t, &g.coord, B);
    firn_cuda_take(t, &g.total, H + 1);
    firn_cuda_take(t, &g.first, H + 1);
    firn_cuda_take(t, &g.neighbour, H * 8);
    firn_cuda_take(t, &g.inverse, B * 8);
    firn_cuda_take(t, &g.touch, H * 8);
    firn_cuda_take(t, &g.pick, B);
    firn_cuda_take(t, &g.pick_sorted, H);
    firn_cuda_take(t, &g.morton[0], H);
    firn_cuda_take(t, &g.morton[1], H);
    if (firn_device_sort_scratch(g.particle_capacity, homes, &g.scratch_bytes) != cudaSuccess)
        g.scratch_bytes = 0;
    uint8_t* scratch = nullptr;
    firn_cuda_take(t, &scratch, g.scratch_bytes);
    g.scratch = scratch;
    firn_cuda_take(t, &d.tile_a, H * FIRN_DEVICE_TILE);
    firn_cuda_take(t, &d.tile_b, H * FIRN_DEVICE_TILE);
    take_nodes(t, c, B * FIRN_BLOCK_NODES);
    char what[96];
    snprintf(what, sizeof what, "a grid of up to %d blocks of 64 nodes", blocks);
    if (t.status != cudaSuccess) return no_room(c, t.bytes, what, error);
    firn_device_grid_reset(&g, c->stream);
    return FIRN_OK;
}

void take_constants(firn_mpm_cuda* c)
{
    const firn_mpm_cuda_def& f = c->def;
    firn_mpm_device& d = c->d;
    d.grid.cell = f.cell;
    d.grid.inverse_cell = (float)(1 / f.dt.cell);
    d.gravity = f.gravity;
    d.mass_min = f.mass_min;
    d.lightest = f.lightest;
    d.flip = (float)f.flip;
    d.beta = (float)f.beta;
    d.spline = f.spline;
    d.inertial = f.inertial;
    d.dt = f.dt;
    d.tolerance = f.tolerance;
    d.speed_floor = f.speed_floor;
    d.max_iterations = f.max_iterations;
    d.iterations_target = f.iterations_target;
    d.cull_start = f.cull_start;
    d.cull_below = f.cull_below;
    d.cull_inside = f.cull_inside;
    d.cull_outside = f.cull_outside;
}

firn_result find_launch(firn_mpm_cuda* c, firn_error* error)
{
    int p2g, g2p, apply, sms;
    FIRN_CUDA_TRY(firn_mpm_occupancy_01_03(&c->d, &p2g), error, "preparing kernels");
    FIRN_CUDA_TRY(firn_mpm_occupancy_07_10(&c->d, &g2p), error, "preparing kernels");
    FIRN_CUDA_TRY(firn_mpm_occupancy_06(&apply), error, "preparing kernels");
    FIRN_CUDA_TRY(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, c->def.device),
                  error, "asking for the number of multiprocessors");
    c->l = firn_mpm_launch{sms * p2g, sms * g2p, sms * apply, sms * 8};
    return FIRN_OK;
}

firn_result fill(firn_mpm_cuda* c, firn_error* error)
{
    FIRN_TRY(firn_mpm_cuda_use(c, error));
    FIRN_CUDA_TRY(cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking), error,
                  "making a stream");
    FIRN_CUDA_TRY(cudaStreamCreateWithFlags(&c->copy, cudaStreamNonBlocking), error,
                  "making a stream");
    FIRN_CUDA_TRY(cudaEventCreateWithFlags(&c->batch_done, cudaEventDisableTiming), error,
                  "making an event");
    FIRN_CUDA_TRY(cudaEventCreateWithFlags(&c->kept_done, cudaEventDisableTiming), error,
                  "making an event");
    FIRN_CUDA_TRY(cudaMallocHost(&c->records, FIRN_MPM_CUDA_BATCH * sizeof *c->records), error,
                  "firn_cuda_taking memory for records");
    FIRN_CUDA_TRY(cudaMallocHost(&c->control, sizeof *c->control), error,
                  "firn_cuda_taking memory for records");
    FIRN_TRY(firn_bodies_cuda_create(c->def.shapes, c->def.colliders, c->def.collider_count,
                                     &c->bodies, error));
    c->d.bodies = firn_bodies_cuda_view(c->bodies);
    take_constants(c);
    FIRN_TRY(take_particles(c, error));
    // packed snow has some 400 particles per home; spray asks for more when it comes
    const int homes = c->def.capacity / 256 + 1024;
    FIRN_TRY(take_grid(c, homes, error));
    return find_launch(c, error);
}

}  // namespace

firn_result firn_mpm_cuda_use(const firn_mpm_cuda* cuda, firn_error* error)
{
    FIRN_CUDA_TRY(cudaSetDevice(cuda->def.device), error, "turning to the device");
    return FIRN_OK;
}

firn_result firn_mpm_cuda_create(const firn_mpm_cuda_def* def, firn_mpm_cuda** out,
                                 firn_error* error)
{
    firn_mpm_cuda* c = (firn_mpm_cuda*)firn_alloc(1, sizeof *c);
    if (c == nullptr) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    c->def = *def;
    const firn_result r = fill(c, error);
    c->def.materials = nullptr;  // the caller's
    if (r != FIRN_OK) {
        firn_mpm_cuda_destroy(c);
        return r;
    }
    *out = c;
    return FIRN_OK;
}

void firn_mpm_cuda_destroy(firn_mpm_cuda* c)
{
    if (c == nullptr) return;
    cudaSetDevice(c->def.device);
    if (c->stream != nullptr) cudaStreamSynchronize(c->stream);
    if (c->copy != nullptr) cudaStreamSynchronize(c->copy);
    firn_mpm_cuda_forget_graphs(c);
    firn_cuda_give_back(&c->grid);
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

size_t firn_mpm_cuda_bytes(const firn_mpm_cuda* c)
{
    return c->particles.bytes + c->grid.bytes + firn_bodies_cuda_bytes(c->bodies);
}

bool firn_mpm_cuda_deforms(const firn_mpm_cuda* c)
{
    return firn_bodies_cuda_deform(c->bodies);
}

firn_result firn_mpm_cuda_grow(firn_mpm_cuda* c, firn_error* error)
{
    FIRN_TRY(firn_mpm_cuda_use(c, error));
    FIRN_CUDA_TRY(cudaStreamSynchronize(c->stream), error, "waiting for the device");
    firn_mpm_cuda_forget_graphs(c);
    if (c->d.grid.home_capacity > INT_MAX / 512)  // nodes are numbered with 31 bits
        return no_room(c, SIZE_MAX / 2, "a grid with more blocks than can be numbered", error);
    return take_grid(c, c->d.grid.home_capacity * 2, error);
}
