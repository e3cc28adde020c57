// SPDX-License-Identifier: MIT
// Memory of dynamic colliders on a GPU, and how they get there before each step: one block of
// memory, of which the part that is in use is copied at once.
//
//     | head | lumps [colliders] | lump_of [colliders] | pins ... |
#include <cstring>

#include "bodies/bodies.h"
#include "solver/mpm/cuda/mpm_cuda_own.cuh"
#include "solver/shared/lumps.h"

namespace {

size_t aligned(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

// Where the parts begin.
struct layout {
    size_t lumps, lump_of, pins, bytes;
};

layout layout_of(int colliders)
{
    const size_t n = (size_t)colliders;
    layout at;
    at.lumps = aligned(sizeof(firn_mpm_rigid_head));
    at.lump_of = at.lumps + aligned(n * sizeof(firn_lump));
    at.pins = at.lump_of + aligned(n * sizeof(firn_local));
    at.bytes = at.pins + n * FIRN_BODY_CONTACTS * sizeof(firn_lump_pin);
    return at;
}

}  // namespace

void firn_mpm_cuda_take_rigid(firn_mpm_cuda* c, firn_cuda_taking& t)
{
    if (!c->own.rigid) return;
    firn_mpm_rigid& r = c->d.rigid;
    const size_t n = (size_t)c->def.collider_count;
    const layout at = layout_of(c->def.collider_count);
    uint8_t* block = nullptr;
    firn_cuda_take(t, &block, at.bytes);
    firn_cuda_take(t, &r.sums, n * FIRN_MPM_LUMP_SUMS);
    firn_cuda_take(t, &r.entries, n);
    if (t.status != cudaSuccess) return;
    r.head = (firn_mpm_rigid_head*)block;
    r.lumps = (firn_lump*)(block + at.lumps);
    r.lump_of = (firn_local*)(block + at.lump_of);
    r.pins = (firn_lump_pin*)(block + at.pins);
    t.status = cudaMallocHost(&c->lump_stage, at.bytes);
    if (t.status == cudaSuccess)
        t.status = cudaMemset(r.sums, 0, n * FIRN_MPM_LUMP_SUMS * sizeof *r.sums);
    if (t.status == cudaSuccess) t.status = cudaMemset(block, 0, at.bytes);
}

firn_result firn_mpm_cuda_take_lumps(firn_cuda_sim* sim, const firn_lumps* lumps, firn_error* error)
{
    firn_mpm_cuda* c = firn_mpm_cuda_of(sim);
    const size_t n = (size_t)lumps->count, colliders = (size_t)c->def.collider_count;
    const size_t pins = (size_t)lumps->pin_count * sizeof(firn_lump_pin);
    const layout at = layout_of(c->def.collider_count);
    char* to = (char*)c->lump_stage;
    const firn_mpm_rigid_head head = {lumps->count, 0, 0};
    memcpy(to, &head, sizeof head);
    memcpy(to + at.lumps, lumps->all, n * sizeof *lumps->all);
    memcpy(to + at.lump_of, lumps->of, colliders * sizeof *lumps->of);
    memcpy(to + at.pins, lumps->pins, pins);
    // the step before has been waited for: it no longer reads the stage
    FIRN_CUDA_TRY(
        cudaMemcpyAsync(c->d.rigid.head, to, at.pins + pins, cudaMemcpyHostToDevice, c->stream),
        error, "bringing dynamic colliders to the device");
    return FIRN_OK;
}
