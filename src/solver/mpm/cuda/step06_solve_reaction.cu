// SPDX-License-Identifier: MIT
// Step 6 on a GPU, what colliders take in the solve (step06_solve_reaction.c): a thread per node. H
// v is in the tiles of blocks that reach a node which a collider holds.
#include "solver/mpm/cuda/device_collide.cuh"

namespace {

const int THREADS = 256;

__device__ __noinline__ void take_reaction(const firn_mpm_device* d, const firn_mpm_bodies* bodies,
                                           int i, double by)
{
    const firn_vec3 x = firn_mpm_node_position(*d, i);
    const float4 H =
        firn_mpm_gather_tiles(d->grid, d->tile_b, i / FIRN_BLOCK_NODES, i % FIRN_BLOCK_NODES);
    const int c = firn_mpm_holder(bodies, x);
    const firn_vec3 arm = firn_v3_sub(x, bodies->colliders[c].pose.position);
    firn_impulse_add(&bodies->taken[c], arm, by * (double)H.x, by * (double)H.y, by * (double)H.z);
    firn_impulse_weigh(&bodies->taken[c], d->node_velocity[i].w);
}

// The residual's part is summed in doubles by block, in a fixed order.
__global__ void __launch_bounds__(THREADS) take_reactions(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d)) return;
    const firn_mpm_bodies bodies = firn_device_bodies(d);
    const int nodes = d.grid.counts->block_count * FIRN_BLOCK_NODES;
    const double dt = (double)d.control->dt_real, by = -(double)d.beta * dt * dt;
    double sum[6] = {0, 0, 0, 0, 0, 0};
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < nodes; i += gridDim.x * THREADS) {
        const double m = (double)d.node_velocity[i].w;
        if (!(m > 0)) continue;
        const float held = d.node_new[i].w;
        if (held > 0) take_reaction(&d, &bodies, i, by);  // < 0: firn_mpm_launch_lump_react
        if (held != 0) continue;
        const float4 r = d.cr_r[i];
        const firn_vec3 x = firn_mpm_node_position(d, i);
        const double px = m * (double)r.x, py = m * (double)r.y, pz = m * (double)r.z;
        sum[0] += px;
        sum[1] += py;
        sum[2] += pz;
        sum[3] += (double)x.y * pz - (double)x.z * py;
        sum[4] += (double)x.z * px - (double)x.x * pz;
        sum[5] += (double)x.x * py - (double)x.y * px;
    }
    firn_cuda_block_sum<6, THREADS>(sum);
    if (threadIdx.x != 0) return;
    firn_impulse* shared = &bodies.taken[bodies.count];
    firn_impulse_add(shared, firn_v3(0, 0, 0), sum[0], sum[1], sum[2]);
    firn_impulse_turn(shared, sum[3], sum[4], sum[5]);
}

}  // namespace

void firn_mpm_launch_take_reactions(const firn_mpm_device* d, const firn_mpm_launch* l,
                                    cudaStream_t stream)
{
    take_reactions<<<l->nodes, THREADS, 0, stream>>>(*d);
}
