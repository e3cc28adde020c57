// SPDX-License-Identifier: MIT
// Culling on a GPU (scene/run/cull.h): marks particles that the scene removes. A marked particle is
// in no list and does not move again, so that the answer stays; its place is given up when the
// particles are next moved in store.
#include "solver/mpm/cuda/mpm_device.cuh"

namespace {

const int THREADS = 256;

__global__ void __launch_bounds__(THREADS) cull(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d) || d.control->time < d.cull.start) return;
    const int count = d.control->count;
    for (int p = blockIdx.x * THREADS + threadIdx.x; p < count; p += gridDim.x * THREADS) {
        if (d.gone[p] != 0) continue;
        const float4 at = d.at[p];
        const firn_vec3 x = firn_v3(at.x, at.y, at.z);
        if (firn_cuda_is_culled(d.cull, &d.bodies.shapes, x)) d.gone[p] = 1;
    }
}

}  // namespace

void firn_mpm_launch_cull(const firn_mpm_device* d, cudaStream_t stream)
{
    cull<<<132 * 8, THREADS, 0, stream>>>(*d);
}
