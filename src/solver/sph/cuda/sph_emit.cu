// SPDX-License-Identifier: MIT
// Flakes of emitters on a GPU (scene/run/flake.h; emit of support/sph_prepare.c): they appear
// behind the other particles at the start of a step, in the order of emitters and numbers. How many
// have appeared follows from the time up to which they have.
#include <climits>

#include "scene/run/flake.h"
#include "solver/sph/cuda/sph_cuda_own.cuh"
#include "solver/sph/laws/material.h"

namespace {

const int THREADS = FIRN_SPH_THREADS, BLOCKS = 64;

__device__ void end_with(const firn_sph_device& d, int end, int emitter)
{
    firn_sph_control* c = d.control;
    firn_sph_cuda_record* r = &d.records[c->record++];
    firn_cuda_record_step(c, &r->base);
    r->base.count = c->count;
    r->base.fault_value = (double)emitter;
    c->halt = r->base.end = end;
}

// A step that is tried again has its flakes.
__global__ void count_due(const __grid_constant__ firn_sph_device d)
{
    firn_sph_control* c = d.control;
    if (c->halt != 0 || c->emit_step == c->step + 1) return;
    const firn_sph_flakes* f = &d.flakes;
    int64_t count = 0;
    for (int k = 0; k < f->count; k++) {
        const firn_emitter* e = &f->emitters[k].law;
        const int64_t before = firn_emitter_due(e, c->emitted_until);
        const int64_t after = firn_emitter_due(e, c->time);
        f->number[k] = before;
        f->first[k] = (int)count;
        if (after > before) count += after - before;
        if (count > d.capacity - c->count) return end_with(d, FIRN_SPH_CUDA_FULL, k);
    }
    f->first[f->count] = c->fresh = (int)count;
}

__device__ void put(const firn_sph_device& d, int emitter, int i, firn_vec3 x, firn_vec3 v,
                    uint32_t id)
{
    const firn_sph_cuda_emitter* e = &d.flakes.emitters[emitter];
    const float density = d.materials[e->law.material].density;
    d.at[i] = firn_sph_quad(x, e->mass);
    d.motion[i] = firn_sph_quad(v, 0);
    d.strain0[i] = make_float4(1, 0, 0, 1);
    d.strain1[i] = make_float4(0, 1, 0, density);
    d.strain2[i] = make_float4(0, 0, 1, density);
    d.pull[i] = make_float4(0, 0, 0, 1);
    if (d.varied != nullptr) d.varied[i] = make_float4(1, 1, 1, 0);
    d.tag[i] = make_uint2(id, (unsigned)e->law.material);
    d.emitter[i] = (uint32_t)emitter + 1;
    if (d.warmth != nullptr) d.warmth[i] = make_float4(e->temperature, e->water, 0, 0);
}

// False: there is none.
__device__ bool find_place(const firn_sph_device& d, const firn_sph_cuda_emitter* e, uint64_t flake,
                           firn_vec3* out)
{
    for (uint64_t t = 0; t < FIRN_FLAKE_TRIES; t++) {
        *out = firn_flake_point(&e->box, flake, t);
        if (firn_flake_fits(&e->law, firn_phi_shape_distance(&d.bodies.shapes, e->law.shape, *out)))
            return true;
    }
    return false;
}

__global__ void __launch_bounds__(THREADS) make(const __grid_constant__ firn_sph_device d)
{
    firn_sph_control* c = d.control;
    if (c->halt != 0) return;
    const firn_sph_flakes* f = &d.flakes;
    int k = 0;
    for (int n = firn_sph_thread(); n < c->fresh; n += BLOCKS * THREADS) {
        while (n >= f->first[k + 1]) k++;
        const firn_sph_cuda_emitter* e = &f->emitters[k];
        const int64_t number = f->number[k] + (n - f->first[k]);
        const uint64_t flake = firn_flake_seed(&e->law, number);
        firn_vec3 x;
        if (!find_place(d, e, flake, &x)) {
            atomicMin(&c->no_place, k);
            return;
        }
        firn_vec3 v = firn_flake_velocity(&e->law, flake);
        if (e->law.speed != 0)
            v = firn_flake_thrown(&e->law, v,
                                  firn_phi_shape(&d.bodies.shapes, e->law.shape, x).normal);
        put(d, k, c->count + n, firn_flake_moved(&e->law, number, c->time, x, v), v,
            c->next_id + (uint32_t)n);
    }
}

__global__ void appear(const __grid_constant__ firn_sph_device d)
{
    firn_sph_control* c = d.control;
    if (c->halt != 0 || c->emit_step == c->step + 1) return;
    if (c->no_place != INT_MAX) return end_with(d, FIRN_SPH_CUDA_NO_PLACE, c->no_place);
    c->count += c->fresh;
    c->first_flake = c->next_id;
    c->next_id += (uint32_t)c->fresh;
    c->emitted_until = c->time;
    c->emit_step = c->step + 1;
}

}  // namespace

void firn_sph_cuda_take_flakes(firn_sph_cuda* c, firn_cuda_taking& t)
{
    firn_sph_flakes& f = c->d.flakes;
    f.count = c->own.emitter_count;
    firn_cuda_take(t, &f.emitters, (size_t)f.count);
    firn_cuda_take(t, &f.number, (size_t)f.count);
    firn_cuda_take(t, &f.first, (size_t)f.count + 1);
}

firn_result firn_sph_cuda_bring_emitters(firn_sph_cuda* c, firn_error* error)
{
    for (firn_local k = 0; k < c->own.emitter_count; k++) {
        firn_sph_cuda_emitter now = {};
        c->own.emitter_of(c->own.self, k, &now);
        FIRN_CUDA_TRY(cudaMemcpyAsync(&c->d.flakes.emitters[k], &now, sizeof now,
                                      cudaMemcpyHostToDevice, c->stream),
                      error, "copying emitters");
    }
    return FIRN_OK;
}

void firn_sph_launch_emit(const firn_sph_device* d, cudaStream_t stream)
{
    if (d->flakes.count == 0) return;
    count_due<<<1, 1, 0, stream>>>(*d);
    make<<<BLOCKS, THREADS, 0, stream>>>(*d);
    appear<<<1, 1, 0, stream>>>(*d);
}
