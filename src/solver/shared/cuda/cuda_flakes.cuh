// SPDX-License-Identifier: MIT
// Flakes of emitters on a CUDA device (scene/run/flake.h): they appear behind the other particles
// at the start of a step, in the order of emitters and numbers, so that ids and storage are those
// of the CPU. A solver says what a flake begins with (firn_cuda_launch_flakes).
#pragma once
#include <climits>

#include "scene/run/flake.h"
#include "solver/shared/cuda/device_flakes.h"
#include "solver/shared/cuda_sim.cuh"

// Emitters. Argument of kernels, by value.
typedef struct firn_cuda_flakes {
    firn_device_emitter* emitters;  // [count]
    int64_t* number;                // [count] first new flake of each
    int* first;                     // [count + 1] where those of each begin among the new ones
    int count;
} firn_cuda_flakes;

// Part of a control block.
typedef struct firn_cuda_emission {
    double until;             // [s] up to which flakes have appeared
    int64_t step;             // 1 + the step in which flakes have appeared last
    uint32_t next_id, first;  // ids of the next flake, and of the first of that step
    int fresh;                // flakes that appear in this step
    int no_place;             // an emitter that found no place for one; INT_MAX: none
} firn_cuda_emission;

// Takes memory for so many emitters.
static inline void firn_cuda_take_flakes(firn_cuda_taking& t, int emitters, firn_cuda_flakes* f)
{
    f->count = emitters;
    firn_cuda_take(t, &f->emitters, (size_t)emitters);
    firn_cuda_take(t, &f->number, (size_t)emitters);
    firn_cuda_take(t, &f->first, (size_t)emitters + 1);
}

// Copies the emitters as they are now, before a batch.
static inline firn_result firn_cuda_bring_emitters(firn_cuda_sim* sim, const firn_cuda_flakes& f,
                                                   firn_device_emitter_of* emitter_of, void* self,
                                                   firn_error* error)
{
    for (int k = 0; k < f.count; k++) {
        firn_device_emitter now = {};
        emitter_of(self, k, &now);
        FIRN_CUDA_TRY(
            cudaMemcpyAsync(&f.emitters[k], &now, sizeof now, cudaMemcpyHostToDevice, sim->stream),
            error, "copying emitters");
    }
    return FIRN_OK;
}

#ifdef __CUDACC__
// A batch's orders; by one thread. A step that is tried again has its flakes.
static __device__ __forceinline__ void firn_cuda_take_emission(firn_cuda_emission* e, int64_t step,
                                                               double next_id, double until)
{
    if (e->step == step + 1) return;
    e->next_id = (uint32_t)next_id;
    e->until = until;
}

#define FIRN_CUDA_FLAKES_THREADS 128
#define FIRN_CUDA_FLAKES_BLOCKS 64

// `Solver` has static members for one step's flakes:
//     device                      the argument of kernels; its control block has `emission`
//     FULL, NO_PLACE              ends of a step: more flakes than arrays have room for, no place
//     room(d)                     particles that arrays still have room for
//     put(d, k, i, x, v, id)      writes flake i of emitter k
//     appeared(d)                 when all are written, by one thread
template <typename Solver>
static __device__ void firn_cuda_end_without(const typename Solver::device& d, int end, int emitter)
{
    auto* c = d.control;
    auto* r = &d.records[c->record++];
    firn_cuda_record_step(c, &r->base);
    r->base.count = c->count;
    r->base.fault_value = (double)emitter;
    c->halt = r->base.end = end;
}

template <typename Solver>
static __global__ void firn_cuda_count_flakes(const __grid_constant__ typename Solver::device d)
{
    auto* c = d.control;
    firn_cuda_emission* e = &c->emission;
    e->fresh = 0;
    e->no_place = INT_MAX;
    if (c->halt != 0 || e->step == c->step + 1) return;
    const firn_cuda_flakes* f = &d.flakes;
    int64_t count = 0;
    for (int k = 0; k < f->count; k++) {
        const firn_emitter* law = &f->emitters[k].law;
        const int64_t before = firn_emitter_due(law, e->until);
        const int64_t after = firn_emitter_due(law, c->time);
        f->number[k] = before;
        f->first[k] = (int)count;
        if (after > before) count += after - before;
        if (count > Solver::room(d)) return firn_cuda_end_without<Solver>(d, Solver::FULL, k);
    }
    f->first[f->count] = e->fresh = (int)count;
}

// False: there is none.
static __device__ __forceinline__ bool firn_cuda_find_place(const firn_shape_tables* shapes,
                                                            const firn_device_emitter* e,
                                                            uint64_t flake, firn_vec3* out)
{
    for (uint64_t t = 0; t < FIRN_FLAKE_TRIES; t++) {
        *out = firn_flake_point(&e->box, flake, t);
        if (firn_flake_fits(&e->law, firn_phi_shape_distance(shapes, e->law.shape, *out)))
            return true;
    }
    return false;
}

template <typename Solver>
static __global__ void __launch_bounds__(FIRN_CUDA_FLAKES_THREADS)
    firn_cuda_make_flakes(const __grid_constant__ typename Solver::device d)
{
    auto* c = d.control;
    firn_cuda_emission* all = &c->emission;
    if (c->halt != 0) return;
    const firn_cuda_flakes* f = &d.flakes;
    int k = 0;
    for (int n = blockIdx.x * FIRN_CUDA_FLAKES_THREADS + threadIdx.x; n < all->fresh;
         n += FIRN_CUDA_FLAKES_BLOCKS * FIRN_CUDA_FLAKES_THREADS) {
        while (n >= f->first[k + 1]) k++;
        const firn_device_emitter* e = &f->emitters[k];
        const int64_t number = f->number[k] + (n - f->first[k]);
        const uint64_t flake = firn_flake_seed(&e->law, number);
        firn_vec3 x;
        if (!firn_cuda_find_place(&d.bodies.shapes, e, flake, &x)) {
            atomicMin(&all->no_place, k);
            return;
        }
        firn_vec3 v = firn_flake_velocity(&e->law, flake);
        if (e->law.speed != 0)
            v = firn_flake_thrown(&e->law, v,
                                  firn_phi_shape(&d.bodies.shapes, e->law.shape, x).normal);
        if (e->law.follow1 > 0 && e->law.follow1 <= d.bodies.count)
            firn_flake_carry(&d.bodies.bodies[e->law.follow1 - 1].motion,
                             firn_flake_due_at(&e->law, number), &x, &v);
        Solver::put(d, k, c->count + n, firn_flake_moved(&e->law, number, c->time, x, v), v,
                    all->next_id + (uint32_t)n);
    }
}

template <typename Solver>
static __global__ void firn_cuda_appear(const __grid_constant__ typename Solver::device d)
{
    auto* c = d.control;
    firn_cuda_emission* e = &c->emission;
    if (c->halt != 0 || e->step == c->step + 1) return;
    if (e->no_place != INT_MAX)
        return firn_cuda_end_without<Solver>(d, Solver::NO_PLACE, e->no_place);
    c->count += e->fresh;
    e->first = e->next_id;
    e->next_id += (uint32_t)e->fresh;
    e->until = c->time;
    e->step = c->step + 1;
    Solver::appeared(d);
}

// The flakes of a step: when it is known that the batch goes on, before particles are counted.
template <typename Solver>
static void firn_cuda_launch_flakes(const typename Solver::device* d, cudaStream_t stream)
{
    if (d->flakes.count == 0) return;
    firn_cuda_count_flakes<Solver><<<1, 1, 0, stream>>>(*d);
    firn_cuda_make_flakes<Solver>
        <<<FIRN_CUDA_FLAKES_BLOCKS, FIRN_CUDA_FLAKES_THREADS, 0, stream>>>(*d);
    firn_cuda_appear<Solver><<<1, 1, 0, stream>>>(*d);
}
#endif
