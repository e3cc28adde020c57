// SPDX-License-Identifier: MIT
// One thread per body poses, one thread per body and point asks.
#include "geometry/collider/bodies_kernels.h"

#include "device/cuda_check.cuh"

static __global__ void pose(firn_bodies_view view, double time)
{
    const firn_local c = (firn_local)(blockIdx.x * blockDim.x + threadIdx.x);
    if (c < view.count) firn_bodies_pose(view, c, time);
}

static __global__ void ask(const __grid_constant__ firn_bodies_view view, firn_local count,
                           const firn_vec3* x, bodies_answer* out)
{
    const firn_local p = (firn_local)(blockIdx.x * blockDim.x + threadIdx.x);
    if (p >= count) return;
    for (firn_local c = 0; c < view.count; c++) {
        const firn_collider* body = &view.bodies[c];
        bodies_answer a;
        a.misses = firn_collider_misses(body, x[p]) ? 1 : 0;
        a.distance = firn_collider_distance_shared(body, &view.shapes, x[p]);
        a.sampled = firn_collider_sample_shared(body, &view.shapes, x[p], &a.normal);
        a.velocity = firn_collider_velocity(body, x[p]);
        out[(size_t)c * (size_t)count + (size_t)p] = a;
    }
}

static firn_result run(firn_bodies_view view, double time, firn_local count, const firn_vec3* x,
                       firn_vec3* x_there, bodies_answer* there, bodies_answer* out_answers,
                       firn_collider* out_bodies, firn_error* error)
{
    const char* doing = "asking bodies";
    const size_t all = (size_t)view.count * (size_t)count;
    FIRN_CUDA_TRY(cudaMemcpy(x_there, x, (size_t)count * sizeof *x, cudaMemcpyHostToDevice), error,
                  doing);
    if (time == time) pose<<<1, 64>>>(view, time);
    ask<<<(unsigned)(count + 127) / 128, 128>>>(view, count, x_there, there);
    FIRN_CUDA_TRY(cudaGetLastError(), error, doing);
    FIRN_CUDA_TRY(cudaMemcpy(out_answers, there, all * sizeof *there, cudaMemcpyDeviceToHost),
                  error, doing);
    FIRN_CUDA_TRY(cudaMemcpy(out_bodies, view.bodies, (size_t)view.count * sizeof *out_bodies,
                             cudaMemcpyDeviceToHost),
                  error, doing);
    return FIRN_OK;
}

extern "C" firn_result bodies_kernels_ask(firn_bodies_view view, double time, firn_local count,
                                          const firn_vec3* x, bodies_answer* out_answers,
                                          firn_collider* out_bodies, firn_error* error)
{
    void *x_there = NULL, *there = NULL;
    firn_result result =
        firn_cuda_alloc(&x_there, (size_t)count * sizeof *x, "asking bodies", error);
    if (result == FIRN_OK)
        result = firn_cuda_alloc(&there, (size_t)view.count * (size_t)count * sizeof *out_answers,
                                 "asking bodies", error);
    if (result == FIRN_OK)
        result = run(view, time, count, x, (firn_vec3*)x_there, (bodies_answer*)there, out_answers,
                     out_bodies, error);
    (void)cudaFree(x_there);
    (void)cudaFree(there);
    return result;
}
