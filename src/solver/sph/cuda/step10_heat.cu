// SPDX-License-Identifier: MIT
// Heat on a GPU (step10_heat.c): as many explicit substeps as stability needs, which the device
// counts.
#include "device/cuda_graph.cuh"
#include "solver/sph/cuda/device_contact.cuh"
#include "solver/sph/cuda/sph_climate.h"
#include "solver/sph/laws/heat.h"

namespace {

const int THREADS = FIRN_SPH_THREADS;

__global__ void begin(const __grid_constant__ firn_sph_device d, cudaGraphConditionalHandle loop)
{
    firn_sph_control* c = d.control;
    const double dt = c->dt * d.climate->speed;
    c->heat_parts = 0;
    if (c->halt == 0 && dt > 0) {
        c->heat_parts = firn_sph_heat_parts(dt, d.climate->limit);
        c->heat_dt = (float)fmin(dt / c->heat_parts, d.climate->limit);
    }
    cudaGraphSetConditional(loop, c->heat_parts > 0);
}

// [W] from neighbours, the air and colliders.
__global__ void __launch_bounds__(THREADS) power(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i)) return;
    const firn_sph_list list = firn_sph_list_of(d, i);
    const float near2 = firn_sph_heat_near(d.h), T = d.warmth[i].x;
    const float k_i = d.snow[d.tag[i].y].conductivity;
    const float4 x = d.place[i];
    float sum = 0, near = 0;
    for (int k = 0; k < list.count; k++) {
        const uint32_t j = firn_sph_neighbour(list, k);
        const float4 y = d.place[j];
        const firn_vec3 x_ij = firn_v3(x.x - y.x, x.y - y.y, x.z - y.z);
        const float slope = list.slope[32 * k], r2 = firn_v3_dot(x_ij, x_ij);
        const firn_vec3 g = firn_v3(x_ij.x * slope, x_ij.y * slope, x_ij.z * slope);
        near += r2 < near2 ? 1 : 0;
        sum += firn_heat_pair(T, d.warmth[j].x, k_i, d.snow[d.tag[j].y].conductivity, x.w, y.w,
                              firn_v3_dot(x_ij, g), r2, d.h);
    }
    sum += firn_sph_heat_from_air(T, d.control->air, k_i, d.climate->transfer, d.h, near,
                                  firn_sph_walls_of(d, i).kernel);
    const int k = firn_sph_contact_of(d, i);
    if (k >= 0) sum += d.contact[k].heat_power - d.contact[k].heat_rate * T;
    d.source[i] = sum;
}

__global__ void __launch_bounds__(THREADS) warm(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i)) return;
    const unsigned material = d.tag[i].y;
    float4* at = &d.warmth[i];
    const firn_snow_warmth before = {at->x, at->y};
    const firn_snow_warmth now =
        firn_sph_warmed(&d.materials[material], d.snow[material].heat_capacity, before, d.source[i],
                        d.at[i].w, d.control->heat_dt);
    at->x = now.temperature;
    at->y = now.water;
}

__global__ void next(const __grid_constant__ firn_sph_device d, cudaGraphConditionalHandle loop)
{
    cudaGraphSetConditional(loop, --d.control->heat_parts > 0);
}

}  // namespace

cudaError_t firn_sph_launch_heat(const firn_sph_device* d, cudaStream_t stream)
{
    if (d->climate == nullptr) return cudaSuccess;
    cudaGraphConditionalHandle loop;
    const cudaError_t e = firn_cuda_capture_handle(stream, &loop);
    if (e != cudaSuccess) return e;
    begin<<<1, 1, 0, stream>>>(*d, loop);
    return firn_cuda_capture_part(stream, loop, cudaGraphCondTypeWhile, [&](cudaStream_t inner) {
        power<<<d->blocks, THREADS, 0, inner>>>(*d);
        warm<<<d->blocks, THREADS, 0, inner>>>(*d);
        next<<<1, 1, 0, inner>>>(*d, loop);
        return cudaGetLastError();
    });
}
