// SPDX-License-Identifier: MIT
// Memory of dynamic colliders on a GPU, and how they get there once the length of a step is known:
// one block of memory, of which the part that is in use is copied at once.
//
//     | head | lumps [colliders] | lump_of [colliders] | center [colliders] | first [colliders] |
//     pins
#include <cstring>

#include "bodies/bodies.h"
#include "solver/shared/lumps.h"
#include "solver/sph/cuda/sph_cuda_own.cuh"

namespace {

size_t aligned(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

// Where the parts begin.
struct layout {
    size_t lumps, lump_of, center, first, pins, bytes;
};

layout layout_of(int colliders)
{
    const size_t n = (size_t)colliders;
    layout at;
    at.lumps = aligned(sizeof(firn_sph_rigid_head));
    at.lump_of = at.lumps + aligned(n * sizeof(firn_lump));
    at.center = at.lump_of + aligned(n * sizeof(firn_local));
    at.first = at.center + aligned(n * sizeof(firn_vec3));
    at.pins = at.first + aligned(n * 6 * sizeof(double));
    at.bytes = at.pins + n * FIRN_BODY_CONTACTS * sizeof(firn_lump_pin);
    return at;
}

}  // namespace

void firn_sph_cuda_take_rigid(firn_sph_cuda* c, firn_cuda_taking& t)
{
    firn_sph_rigid& r = c->d.rigid;
    r.active = c->own.begin_bodies != nullptr;
    if (!r.active) return;
    const size_t n = (size_t)c->def.collider_count;
    const layout at = layout_of(c->def.collider_count);
    uint8_t* block = nullptr;
    firn_cuda_take(t, &block, at.bytes);
    firn_cuda_take(t, &r.before, n);
    firn_cuda_take(t, &r.start, n);
    firn_cuda_take(t, &r.soft, n);
    firn_cuda_take(t, &r.answer, n);
    firn_cuda_take(t, &r.yield, n);
    firn_cuda_take(t, &r.face, n);
    firn_cuda_take(t, &r.known, n);
    firn_cuda_take(t, &r.rate, n);
    firn_cuda_take(t, &r.change, n);
    firn_cuda_take(t, &r.balanced, n);
    firn_cuda_take(t, &r.list_first, n + 1);
    if (t.status != cudaSuccess) return;
    r.head = (firn_sph_rigid_head*)block;
    r.lumps = (firn_lump*)(block + at.lumps);
    r.lump_of = (firn_local*)(block + at.lump_of);
    r.center = (firn_vec3*)(block + at.center);
    r.first = (double(*)[6])(block + at.first);
    r.pins = (firn_lump_pin*)(block + at.pins);
    t.status = cudaMallocHost(&c->lump_stage, at.bytes);
    if (t.status == cudaSuccess) t.status = cudaMemset(block, 0, at.bytes);
}

void firn_sph_cuda_take_holds(firn_sph_cuda* c, firn_cuda_taking& t)
{
    firn_sph_rigid& r = c->d.rigid;
    if (!r.active) return;
    const size_t n = (size_t)c->holds;
    r.capacity = c->holds;
    firn_cuda_take(t, &r.hold, n);
    firn_cuda_take(t, &r.hold_first, (size_t)c->contacts + 1);
    firn_cuda_take(t, &r.sort_key, n);
    firn_cuda_take(t, &r.sort_key_out, n);
    firn_cuda_take(t, &r.number, n);
    firn_cuda_take(t, &r.list, n);
}

firn_result firn_sph_cuda_begin_bodies(firn_sph_cuda* c, firn_error* error)
{
    const firn_sph_control* now = (const firn_sph_control*)c->control;
    firn_sph_cuda_lumps from;
    FIRN_TRY(c->own.begin_bodies(c->own.self, now->time, now->dt, now->last != 0, &from, error));
    const size_t n = (size_t)from.lumps->count, colliders = (size_t)c->def.collider_count;
    const size_t pins = (size_t)from.lumps->pin_count * sizeof(firn_lump_pin);
    const layout at = layout_of(c->def.collider_count);
    char* to = (char*)c->lump_stage;
    const firn_sph_rigid_head head = {(int)n};
    memcpy(to, &head, sizeof head);
    if (n > 0) {
        memcpy(to + at.lumps, from.lumps->all, n * sizeof *from.lumps->all);
        memcpy(to + at.lump_of, from.lumps->of, colliders * sizeof *from.lumps->of);
        memcpy(to + at.center, from.center, colliders * sizeof *from.center);
        memcpy(to + at.first, from.first, n * sizeof *from.first);
        memcpy(to + at.pins, from.lumps->pins, pins);
    }
    // the step before has been waited for: it no longer reads the stage
    FIRN_CUDA_TRY(
        cudaMemcpyAsync(c->d.rigid.head, to, at.pins + pins, cudaMemcpyHostToDevice, c->stream),
        error, "bringing dynamic colliders to the device");
    return FIRN_OK;
}
