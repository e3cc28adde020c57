// SPDX-License-Identifier: MIT
// Gravity over time and force fields on a CUDA device, which evaluates them at the times of its
// steps.
#pragma once
#include "physics/force_field.h"
#include "scene/data/gravity.h"
#include "solver/shared/cuda_sim.cuh"

#ifdef __CUDACC__
// firn_base_gravity: [m/s^2] in the middle of a step.
static __device__ __forceinline__ firn_vec3 firn_cuda_gravity(const firn_cuda_forces& f,
                                                              double time, double dt)
{
    const firn_gravity* g = f.gravity;
    return firn_gravity_value(g->constant, g->keys, g->key_count, time + 0.5 * dt);
}

// firn_base_apply_forces for one particle: its velocity after the fields of a step have pushed it.
static __device__ __forceinline__ firn_vec3 firn_cuda_pushed(const firn_cuda_forces& f, double time,
                                                             double dt, firn_vec3 x, firn_vec3 v)
{
    return firn_v3_madd(v, (firn_real)dt,
                        firn_forces_at(f.fields, f.field_count, x, time + 0.5 * dt));
}
#endif
