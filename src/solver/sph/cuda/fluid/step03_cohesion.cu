// SPDX-License-Identifier: MIT
// Surface tension of fluids on a GPU (step03_cohesion.c).
#include "solver/sph/cuda/fused_rounding.cuh"
// above all others
#include "physics/cohesion.h"
#include "solver/sph/cuda/sph_device.cuh"
#include "solver/sph/laws/material.h"

namespace {

const int THREADS = FIRN_SPH_THREADS;

__global__ void __launch_bounds__(THREADS) cohere(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i)) return;
    const float s_i = d.materials[d.tag[i].y].cohesion;
    if (!(s_i > 0)) return;
    const firn_sph_list list = firn_sph_list_of(d, i);
    const float4 x_i = d.place[i];
    firn_vec3 sum = {};
    for (int k = 0; k < list.count; k++) {
        const uint32_t j = firn_sph_neighbour(list, k);
        const float s_j = d.materials[d.tag[j].y].cohesion;
        if (!(s_j > 0)) continue;
        const float4 x_j = d.place[j];
        const firn_vec3 x = firn_v3(x_i.x - x_j.x, x_i.y - x_j.y, x_i.z - x_j.z);
        sum = firn_v3_add(sum, firn_cohesion_force(x, s_i, s_j, x_i.w, x_j.w, list.slope[32 * k]));
    }
    const firn_vec3 v = firn_sph_xyz(d.v_star[i]);
    d.v_star[i] = firn_sph_quad(firn_v3_lanes_madd(v, d.control->dt_real / d.at[i].w, sum), 0);
}

}  // namespace

void firn_sph_launch_cohesion(const firn_sph_device* d, cudaStream_t stream)
{
    if (d->coheres) cohere<<<d->blocks, THREADS, 0, stream>>>(*d);
}
