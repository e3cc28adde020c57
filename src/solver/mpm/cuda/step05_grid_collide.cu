// SPDX-License-Identifier: MIT
// Step 5 on a GPU (step05_grid_collide.h): collision of v_i^*.
#include "solver/mpm/collide/collide_column.h"
#include "solver/mpm/cuda/device_collide.cuh"
#include "solver/mpm/cuda/mpm_device.cuh"

namespace {

const int THREADS = 256;

// A warp per block; most blocks are near no collider.
__global__ void __launch_bounds__(THREADS) grid_collide(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d)) return;
    const int blocks = d.grid.counts->block_count, warps = (gridDim.x * THREADS) >> 5;
    const float h = d.grid.cell;
    const firn_mpm_bodies bodies = firn_device_bodies(d);
    for (int b = (blockIdx.x * THREADS + threadIdx.x) >> 5; b < blocks; b += warps) {
        const int4 c = d.grid.coord[b];
        if (!firn_device_near_body(d.bodies, c, h, false)) continue;
        for (int local = threadIdx.x & 31; local < FIRN_BLOCK_NODES; local += 32) {
            const int i = b * FIRN_BLOCK_NODES + local;
            const float mass = d.node_velocity[i].w;
            if (!(mass > 0)) continue;
            const firn_vec3 x = firn_v3((float)(c.x * 4 + (local >> 4)) * h,
                                        (float)(c.y * 4 + (local >> 2 & 3)) * h,
                                        (float)(c.z * 4 + (local & 3)) * h);
            const float4 now = d.node_new[i];
            const firn_mpm_collided r =
                firn_mpm_collide_at(&bodies, x, firn_v3(now.x, now.y, now.z), mass);
            const firn_vec3 v = r.velocity;
            if (r.touched)
                d.node_new[i] = make_float4(v.x, v.y, v.z, fmaxf(r.unused, FIRN_MPM_FIXED));
        }
    }
}

// With `contact: surface`, a collider at a time: a warp per block, and the nodes of a column belong
// to the thread of its node outside.
__global__ void __launch_bounds__(THREADS)
    collide_surface(const __grid_constant__ firn_mpm_device d, int collider)
{
    if (firn_mpm_idle(d)) return;
    const firn_collider* body = &d.bodies.bodies[collider];
    if (firn_mpm_gives_way(body)) return;
    const int blocks = d.grid.counts->block_count, warps = (gridDim.x * THREADS) >> 5;
    firn_mpm_bodies one = firn_device_bodies(d);
    one.colliders = body;
    one.count = 1;
    one.taken += collider;
    const firn_mpm_nodes nodes = {&d};
    for (int b = (blockIdx.x * THREADS + threadIdx.x) >> 5; b < blocks; b += warps) {
        if (!firn_mpm_columns_near(&nodes, &one, b)) continue;
        for (int local = threadIdx.x & 31; local < FIRN_BLOCK_NODES; local += 32) {
            if (body->sticky)
                firn_mpm_collide_node(&nodes, &one, b * FIRN_BLOCK_NODES + local);
            else
                firn_mpm_column_at(&nodes, &one, b * FIRN_BLOCK_NODES + local);
        }
    }
}

}  // namespace

void firn_mpm_launch_grid_collide(const firn_mpm_device* d, const firn_mpm_launch* l,
                                  cudaStream_t stream)
{
    if (d->at_surface)
        for (int c = 0; c < d->bodies.count; c++)
            collide_surface<<<l->nodes, THREADS, 0, stream>>>(*d, c);
    else if (d->bodies.count > 0)
        grid_collide<<<l->nodes, THREADS, 0, stream>>>(*d);
}
