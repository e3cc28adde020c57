// SPDX-License-Identifier: MIT
// Step 4 on a GPU: what the homes' tiles add up to (the end of steps 1 and 3), then v_i^*.
// Stomakhin 2013, section 4.1, eq. 10 (and gravity). A thread per node.
#include "solver/mpm/cuda/mpm_device.cuh"

namespace {

const int THREADS = 256;

// m_i and v_i^n; nodes lighter than mass_min are empty.
__device__ __forceinline__ float4 divide_by_mass(float4 q, float mass_min)
{
    const float scale = 1 / q.w;
    return q.w > mass_min ? make_float4(q.x * scale, q.y * scale, q.z * scale, q.w)
                          : make_float4(0, 0, 0, 0);
}

__global__ void __launch_bounds__(THREADS) grid_velocity(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d)) return;
    firn_mpm_stamp(d, FIRN_STAMP_04_05);
    const int nodes = d.grid.counts->block_count * FIRN_BLOCK_NODES;
    const float dt = d.control->dt_real;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < nodes; i += gridDim.x * THREADS) {
        const int b = i / FIRN_BLOCK_NODES, local = i % FIRN_BLOCK_NODES;
        const float4 q = firn_mpm_gather_tiles(d.grid, d.tile_a, b, local);
        const float4 f = firn_mpm_gather_tiles(d.grid, d.tile_b, b, local);
        const float4 v = divide_by_mass(q, d.mass_min);
        d.node_velocity[i] = v;
        const float scale = dt / v.w;
        d.node_new[i] = v.w > 0 ? make_float4(fmaf(scale, f.x, v.x + dt * d.gravity.x),
                                              fmaf(scale, f.y, v.y + dt * d.gravity.y),
                                              fmaf(scale, f.z, v.z + dt * d.gravity.z), 0)
                                : make_float4(0, 0, 0, 0);
    }
}

}  // namespace

void firn_mpm_launch_grid_velocity(const firn_mpm_device* d, const firn_mpm_launch* l,
                                   cudaStream_t stream)
{
    grid_velocity<<<l->nodes, THREADS, 0, stream>>>(*d);
}
