// SPDX-License-Identifier: MIT
// Force fields on a GPU (firn_base_apply_forces), before particles go to the grid. A step that
// lacks room for contacts with dynamic colliders notices it later and is tried again, with
// particles that have got their velocities already: the control block says so.
#include "solver/mpm/cuda/mpm_device.cuh"
#include "solver/shared/cuda/cuda_forces.cuh"

namespace {

const int THREADS = 256;

__global__ void __launch_bounds__(THREADS) push(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d) || firn_mpm_is_pushed(d)) return;
    const firn_mpm_control* c = d.control;
    const double time = c->time, dt = c->dt;
    for (int p = blockIdx.x * THREADS + threadIdx.x; p < c->count; p += gridDim.x * THREADS) {
        if (d.gone != nullptr && d.gone[p] != 0) continue;
        const float4 at = d.at[p], motion = d.motion[p];
        const firn_vec3 v = firn_cuda_pushed(d.forces, time, dt, firn_v3(at.x, at.y, at.z),
                                             firn_v3(motion.x, motion.y, motion.z));
        d.motion[p] = make_float4(v.x, v.y, v.z, motion.w);
    }
}

__global__ void pushed(const __grid_constant__ firn_mpm_device d)
{
    if (!firn_mpm_idle(d)) d.control->pushed = d.control->step + 1;
}

}  // namespace

void firn_mpm_launch_push(const firn_mpm_device* d, cudaStream_t stream)
{
    push<<<132 * 8, THREADS, 0, stream>>>(*d);
}

void firn_mpm_launch_pushed(const firn_mpm_device* d, cudaStream_t stream)
{
    pushed<<<1, 1, 0, stream>>>(*d);
}
