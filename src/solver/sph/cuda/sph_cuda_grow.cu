// SPDX-License-Identifier: MIT
// Arrays whose size depends on where the snow is: cells, neighbour lists, boundary particles,
// records of particles near colliders. A step that lacks room ends; the host makes more and tries
// it again. Surfaces are sampled by the host, in blocks of space that snow has reached
// (boundary_contact.cu finds them).
#include <algorithm>

#include "core/memory.h"
#include "solver/sph/cuda/sph_cuda_own.cuh"

namespace {

const firn_sph_control* control_of(const firn_sph_cuda* c)
{
    return static_cast<const firn_sph_control*>(c->control);
}

void take_wall(firn_cuda_taking& t, firn_sph_wall& w, size_t n)
{
    firn_cuda_take(t, &w.own, n);
    firn_cuda_take(t, &w.own_normal, n);
    firn_cuda_take(t, &w.x, n);
    firn_cuda_take(t, &w.v, n);
    firn_cuda_take(t, &w.n, n);
    firn_cuda_take(t, &w.loose_x, n);
    firn_cuda_take(t, &w.loose_v, n);
    firn_cuda_take(t, &w.loose_n, n);
    firn_cuda_take(t, &w.sort_key, n);
    firn_cuda_take(t, &w.sort_key_out, n);
    firn_cuda_take(t, &w.number, n);
    firn_cuda_take(t, &w.order, n);
    firn_cuda_take(t, &w.cells.key, n);
    firn_cuda_take(t, &w.cells.begin, n + 1);
    firn_cuda_take(t, &w.cells.cell, n);
    w.cells.capacity = (int)n;
}

// Boundary particles as records.
firn_result bring_samples(firn_sph_cuda* c, firn_error* error)
{
    const firn_sph_cuda_samples& s = c->samples;
    const size_t n = (size_t)s.count;
    if (n == 0) return FIRN_OK;
    float4* records = (float4*)firn_alloc(2 * n, sizeof *records);
    if (records == nullptr)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for %d boundary particles",
                         (int)s.count);
    for (size_t b = 0; b < n; b++) {
        float body;
        static_assert(sizeof body == sizeof *s.body, "as its bits");
        __builtin_memcpy(&body, &s.body[b], sizeof body);
        records[b] = make_float4(s.own[b].x, s.own[b].y, s.own[b].z, s.own_volume[b]);
        records[n + b] = make_float4(s.own_normal[b].x, s.own_normal[b].y, s.own_normal[b].z, body);
    }
    firn_sph_cuda_deforming_records(c, records);
    cudaError_t e = cudaMemcpy(c->d.wall.own, records, n * sizeof *records, cudaMemcpyHostToDevice);
    if (e == cudaSuccess)
        e = cudaMemcpy(c->d.wall.own_normal, records + n, n * sizeof *records,
                       cudaMemcpyHostToDevice);
    firn_free(records);
    FIRN_CUDA_TRY(e, error, "copying boundary particles to the device");
    return FIRN_OK;
}

// Keys of blocks of space, on the host: those that have samples, and behind them those that need
// some.
struct block_keys {
    uint64_t* key;  // owned
    int known, count;
};

// The table of what is wanted is empty afterwards.
firn_result fetch_keys(const firn_sph_cuda* c, block_keys* out, firn_error* error)
{
    const firn_sph_device& d = c->d;
    const size_t known = (size_t)d.known_count, bytes = FIRN_SPH_WANTED * sizeof *out->key;
    out->key = (uint64_t*)firn_alloc(known + FIRN_SPH_WANTED, sizeof *out->key);
    if (out->key == nullptr) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    uint64_t* wanted = out->key + known;
    cudaError_t e = cudaMemcpy(wanted, d.wanted, bytes, cudaMemcpyDeviceToHost);
    if (e == cudaSuccess) e = cudaMemset(d.wanted, 0, bytes);
    if (e == cudaSuccess && known > 0)
        e = cudaMemcpy(out->key, d.known, known * sizeof *out->key, cudaMemcpyDeviceToHost);
    FIRN_CUDA_TRY(e, error, "copying where samples are missing");
    out->known = out->count = d.known_count;
    for (int k = 0; k < FIRN_SPH_WANTED; k++)
        if (wanted[k] != 0) out->key[out->count++] = wanted[k];
    return FIRN_OK;
}

// Forgets the blocks of colliders whose scale was another `before`: they are sampled afresh.
void forget_scaled(const double* before, const double* now, block_keys* keys)
{
    int left = 0;
    for (int k = 0; k < keys->count; k++) {
        const int body = firn_sph_block_of_key(keys->key[k]).body;
        if (body < 0 || before[body] == now[body] || before[body] == 0)
            keys->key[left++] = keys->key[k];
    }
    keys->count = left;
}

// Samples the surfaces near the blocks that need them, and deforming colliders. `scales`:
// [2 colliders] scratch.
firn_result sample(firn_sph_cuda* c, block_keys* keys, firn_sph_block* blocks, double* scales,
                   firn_error* error)
{
    const int count = keys->count - keys->known;
    for (int k = 0; k < count; k++) blocks[k] = firn_sph_block_of_key(keys->key[keys->known + k]);
    firn_sph_cuda_scales(c, scales);
    FIRN_TRY(c->own.sample(c->own.self, blocks, count, c->control->time, &c->samples, error));
    firn_sph_cuda_scales(c, scales + c->def.collider_count);
    forget_scaled(scales, scales + c->def.collider_count, keys);
    if (c->samples.count > c->wall) c->wall = c->samples.count + c->samples.count / 8;
    return FIRN_OK;
}

firn_result sample_missing(firn_sph_cuda* c, block_keys* keys, firn_error* error)
{
    const size_t count = (size_t)(keys->count - keys->known), n = (size_t)c->def.collider_count;
    firn_sph_block* blocks = (firn_sph_block*)firn_alloc(count + 1, sizeof *blocks);
    double* scales = (double*)firn_alloc(2 * n + 1, sizeof *scales);
    const firn_result r = blocks != nullptr && scales != nullptr
                              ? sample(c, keys, blocks, scales, error)
                              : firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    firn_free(blocks);
    firn_free(scales);
    return r;
}

}  // namespace

firn_result firn_sph_cuda_take_work(firn_sph_cuda* c, const uint64_t* known, int known_count,
                                    firn_error* error)
{
    firn_sph_device& d = c->d;
    firn_cuda_give_back(&c->work);
    firn_cuda_taking t = {&c->work, cudaSuccess, 0};
    uint64_t* device_known;
    const size_t cells = (size_t)c->cells, contacts = (size_t)c->contacts;
    firn_cuda_take(t, &d.list, (size_t)c->rows * 32);
    firn_cuda_take(t, &d.slope, (size_t)c->rows * 32);
    firn_cuda_take(t, &d.cells.key, cells);
    firn_cuda_take(t, &d.cells.begin, cells + 1);
    firn_cuda_take(t, &d.run_begin, 9 * cells);
    firn_cuda_take(t, &d.contact_first, cells + 1);
    firn_cuda_take(t, &d.contact, contacts);
    firn_cuda_take(t, &d.contact_B, contacts);
    firn_cuda_take(t, &d.contact_LB, contacts);
    take_wall(t, d.wall, (size_t)c->wall);
    firn_sph_cuda_take_holds(c, t);
    firn_sph_cuda_take_meshes(c, t);
    firn_cuda_take(t, &device_known, (size_t)known_count);
    const int most = std::max({c->wall, c->cells, c->contacts, c->holds, (int)c->def.capacity});
    FIRN_CUDA_TRY(firn_sph_sort_scratch(most + 1, &d.scratch_bytes), error, "preparing to sort");
    // the vectors of step 6 have room for most of what is needed before
    uint8_t* scratch = (uint8_t*)c->vectors;
    if (d.scratch_bytes > c->vector_bytes) firn_cuda_take(t, &scratch, d.scratch_bytes);
    d.run_end = (uint32_t*)c->vectors;
    if (9 * cells * sizeof *d.run_end > c->vector_bytes) firn_cuda_take(t, &d.run_end, 9 * cells);
    if (t.status != cudaSuccess)
        return firn_cuda_no_room(c, t.bytes, "neighbour lists and boundary particles", error);
    d.scratch = scratch;
    d.row_capacity = c->rows;
    d.cells.capacity = c->cells;
    d.contact_capacity = c->contacts;
    d.wall.count = c->samples.count;
    d.wall.capacity = c->wall;
    d.known = device_known;
    d.known_count = known_count;
    if (known_count > 0)
        FIRN_CUDA_TRY(cudaMemcpy(device_known, known, (size_t)known_count * sizeof *known,
                                 cudaMemcpyHostToDevice),
                      error, "copying where samples are");
    FIRN_TRY(firn_sph_cuda_bring_sampled(c, error));
    return bring_samples(c, error);
}

firn_result firn_sph_cuda_grow(firn_cuda_sim* sim, firn_error* error)
{
    firn_sph_cuda* c = firn_sph_cuda_of(sim);
    const firn_sph_control* now = control_of(c);
    if (now->rows > c->rows) c->rows = now->rows + now->rows / 16;
    if (now->cells_needed > c->cells) c->cells = now->cells_needed + now->cells_needed / 8;
    if (now->contact_count > c->contacts) c->contacts = now->contact_count + now->contact_count / 8;
    if (now->hold_count > c->holds) c->holds = now->hold_count + now->hold_count / 4;
    block_keys keys = {};
    firn_result r = fetch_keys(c, &keys, error);
    if (r == FIRN_OK && (keys.count > keys.known || now->stale != 0))
        r = sample_missing(c, &keys, error);
    if (r == FIRN_OK) {
        std::sort(keys.key, keys.key + keys.count);
        r = firn_sph_cuda_take_work(c, keys.key, keys.count, error);
    }
    firn_free(keys.key);
    return r;
}
