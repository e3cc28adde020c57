// SPDX-License-Identifier: MIT
// Steps 1 and 3, their end, and step 4 on a GPU (step01_rasterize.h, step04_grid_velocity.h): the
// sum of the tiles at each node, v_i^n and v_i^*. A thread per node.
#include "solver/mpm/step04_grid_velocity.h"

#include "solver/mpm/cuda/mpm_device.cuh"
#include "solver/mpm/step01_rasterize.h"

namespace {

const int THREADS = 256;

__global__ void __launch_bounds__(THREADS) grid_velocity(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d)) return;
    firn_mpm_stamp(d, FIRN_STAMP_04_05);
    const int nodes = d.grid.counts->block_count * FIRN_BLOCK_NODES;
    const float dt = d.control->dt_real;
    const firn_vec3 gravity = d.control->gravity;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < nodes; i += gridDim.x * THREADS) {
        const int b = i / FIRN_BLOCK_NODES, local = i % FIRN_BLOCK_NODES;
        const float4 q = firn_mpm_gather_tiles(d.grid, d.tile_a, b, local);
        const float4 f = firn_mpm_gather_tiles(d.grid, d.tile_b, b, local);
        const firn_mpm_node n = firn_mpm_node_velocity(firn_v3(q.x, q.y, q.z), q.w, d.mass_min);
        const firn_vec3 v = n.velocity;
        d.node_velocity[i] = make_float4(v.x, v.y, v.z, n.mass);
        const firn_vec3 v_star =
            firn_mpm_grid_velocity(v, n.mass, firn_v3(f.x, f.y, f.z), gravity, dt);
        d.node_new[i] = make_float4(v_star.x, v_star.y, v_star.z, 0);
    }
}

}  // namespace

void firn_mpm_launch_grid_velocity(const firn_mpm_device* d, const firn_mpm_launch* l,
                                   cudaStream_t stream)
{
    grid_velocity<<<l->nodes, THREADS, 0, stream>>>(*d);
}
