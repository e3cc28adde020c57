// SPDX-License-Identifier: MIT
// Step 7 on a GPU (step07_velocity.c).
#include "solver/sph/cuda/fused_rounding.cuh"
// above all others
#include "math/mat3_lanes.h"
#include "solver/sph/cuda/sph_device.cuh"

namespace {

const int THREADS = FIRN_SPH_THREADS;

__global__ void __launch_bounds__(THREADS) velocity(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i)) return;
    const firn_vec3 a_G = firn_sph_xyz(d.pull[i]);
    firn_vec3 v = firn_sph_xyz(d.v_star[i]);
    if (d.control->has_snow != 0) v = firn_v3_lanes_madd(v, d.control->dt_real, a_G);
    firn_sph_put3(&d.motion[i], v);
}

}  // namespace

void firn_sph_launch_velocity(const firn_sph_device* d, cudaStream_t stream)
{
    velocity<<<d->blocks, THREADS, 0, stream>>>(*d);
}
