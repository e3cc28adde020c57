// SPDX-License-Identifier: MIT
// Drag of the air on a GPU (outside/mpm_air.c): particles spread their volumes, as steps 1 and 3
// spread momenta (fused_01_03.cu), a thread per node adds up the tiles, then a thread per particle
// gathers how much snow is around it and is dragged. Nodes and tiles have one number here, in the
// memory of v^* and of forces, which are written later in the step.
#include "physics/particle_drag.h"
#include "solver/mpm/cuda/device_slab.cuh"
#include "solver/mpm/cuda/device_stencil.cuh"
#include "solver/mpm/cuda/mpm_device.cuh"
#include "solver/mpm/outside/air_exposure.h"
#include "solver/shared/cuda/cuda_air.cuh"

namespace {

const int THREADS = 32 * FIRN_SLAB_WARPS, NODE_THREADS = 256;

// A record in reals: N of x, of y, and N V of z (by node modulo 4). This stride keeps the lanes'
// writes apart.
const int RECORD = 12;

__device__ __forceinline__ bool is_done(const firn_mpm_device& d)
{
    return firn_mpm_idle(d) || firn_mpm_is_pushed(d);
}

__device__ __forceinline__ float* tiles_of(const firn_mpm_device& d)
{
    return (float*)d.tile_b;
}

__device__ __forceinline__ float* nodes_of(const firn_mpm_device& d)
{
    return (float*)d.node_new;
}

__device__ __forceinline__ float volume_of(const firn_mpm_device& d, int p, float mass)
{
    const float4 s = d.strain2[p];
    return firn_mpm_air_volume(s.y, mass, d.materials[__float_as_int(s.w)].density);
}

// The record of particle p; gives its cell within the layer, y * 4 + z.
__device__ __forceinline__ int write_record(const firn_mpm_device& d, int p, float* out)
{
    const float4 at = d.at[p];
    const firn_device_cell_offset offset = firn_device_cell_offset_of(at, d.grid.inverse_cell);
    const float volume = volume_of(d, p, at.w);
    float w[4];
#pragma unroll
    for (int a = 0; a < 2; a++) {
        firn_bspline_weights(offset.t[a], w);
        ((float4*)out)[a] = make_float4(w[0], w[1], w[2], w[3]);
    }
    firn_bspline_weights(offset.t[2], w);
#pragma unroll
    for (int k = 0; k < 4; k++) out[8 + ((offset.base[2] + k) & 3)] = w[k] * volume;
    return offset.base[1] << 2 | offset.base[2];
}

// The layer of one warp.
__device__ __forceinline__ void scatter_layer(const firn_mpm_device& d, int h, float* records,
                                              float (*slab)[FIRN_SLAB_NODES])
{
    const int lane = threadIdx.x & 31, half = lane >> 4, i = lane >> 2 & 3, j = lane & 3;
    int begin, end, cell = -1;
    firn_slab_range(d.grid, h, threadIdx.x >> 5, &begin, &end);
    firn_slab_sums<1, float> sum = {};
    for (int chunk = begin; chunk < end; chunk += 32) {
        int mine = 0;
        if (chunk + lane < end)
            mine = write_record(d, d.grid.order[chunk + lane], records + lane * RECORD);
        __syncwarp();
        const float* in = records;
        firn_slab_runs(mine, min(32, end - chunk), [&](int next, int count) {
            firn_slab_move(slab, cell, next, sum);
            cell = next;
            for (int k = 0; k < count; k++, in += RECORD) {
                const float2 Z = ((const float2*)in)[4 + half];
                const float w = in[i] * in[4 + j];
                sum.node[0][0] = fmaf(w, Z.x, sum.node[0][0]);
                sum.node[1][0] = fmaf(w, Z.y, sum.node[1][0]);
            }
        });
        __syncwarp();
    }
    firn_slab_move(slab, cell, 16, sum);
}

__global__ void __launch_bounds__(THREADS) spread(const __grid_constant__ firn_mpm_device d)
{
    __shared__ __align__(16) float records[FIRN_SLAB_WARPS][32 * RECORD];
    __shared__ float slabs[FIRN_SLAB_WARPS][1][FIRN_SLAB_NODES];
    if (is_done(d)) return;
    const int warp = threadIdx.x >> 5, occupied = d.grid.counts->occupied_count;
    for (int h = blockIdx.x; h < occupied; h += gridDim.x) {
        for (int n = threadIdx.x & 31; n < FIRN_SLAB_NODES; n += 32) slabs[warp][0][n] = 0;
        __syncwarp();
        scatter_layer(d, h, records[warp], slabs[warp]);
        __syncthreads();
        float* tile = tiles_of(d) + (size_t)h * FIRN_DEVICE_TILE;
        for (int n = threadIdx.x; n < FIRN_DEVICE_TILE; n += THREADS)
            tile[n] = firn_slab_gather<1, float>(slabs, 0, n);
        __syncthreads();
    }
}

__global__ void __launch_bounds__(NODE_THREADS) add_up(const __grid_constant__ firn_mpm_device d)
{
    if (is_done(d)) return;
    const int nodes = d.grid.counts->block_count * FIRN_BLOCK_NODES;
    for (int i = blockIdx.x * NODE_THREADS + threadIdx.x; i < nodes; i += gridDim.x * NODE_THREADS)
        nodes_of(d)[i] = firn_mpm_gather_tiles<float>(d.grid, tiles_of(d), i / FIRN_BLOCK_NODES,
                                                      i % FIRN_BLOCK_NODES);
}

// Sum of w_ip of the nodes' volumes [m^3].
__device__ __forceinline__ float gather(const float* tile, const firn_weights& w)
{
    const float* corner =
        tile + ((w.base[0] & 3) * FIRN_DEVICE_TILE_SIDE + (w.base[1] & 3)) * FIRN_DEVICE_TILE_SIDE +
        (w.base[2] & 3);
    float sum = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            const float* row = corner + (i * FIRN_DEVICE_TILE_SIDE + j) * FIRN_DEVICE_TILE_SIDE;
            float line = 0;
            for (int k = 0; k < 4; k++) line = fmaf(w.w[2][k], row[k], line);
            sum = fmaf(w.w[0][i] * w.w[1][j], line, sum);
        }
    return sum;
}

__device__ __forceinline__ void drag_particle(const firn_mpm_device& d, int p, const float* tile)
{
    const firn_mpm_control* c = d.control;
    const float4 at = d.at[p];
    const firn_vec3 x = firn_v3(at.x, at.y, at.z);
    const firn_weights w = firn_weights_of(FIRN_SPLINE_CUBIC, x, d.grid.inverse_cell);
    const float volume = volume_of(d, p, at.w);
    const float exposed = firn_mpm_exposure(w.w, volume, gather(tile, w), d.grid.inverse_cell);
    if (!(exposed > 0)) return;
    // the rate, which grows with the speed, is that of v with gravity, which step 4 adds
    const float4 motion = d.motion[p];
    const firn_vec3 fall = firn_v3_scale(c->gravity, c->dt_real);
    const firn_vec3 v = firn_v3_add(firn_v3(motion.x, motion.y, motion.z), fall);
    const firn_vec3 wind = firn_cuda_wind_at(*d.air, d.wind, x, c->time);
    const unsigned emitter = d.emitter != nullptr ? d.emitter[p] : 0;
    const firn_emitter* e = emitter > 0 && emitter <= (unsigned)d.flakes.count
                                ? &d.flakes.emitters[emitter - 1].law
                                : nullptr;
    const float rate =
        firn_drag_particle(exposed, firn_v3_length(firn_v3_sub(v, wind)), at.w, at.w / volume,
                           e != nullptr ? e->flake_size : 0, e != nullptr ? e->flake_density : 0,
                           d.air->density, d.air->viscosity);
    const firn_vec3 after = firn_v3_sub(firn_dragged(v, wind, c->dt_real, rate), fall);
    d.motion[p] = make_float4(after.x, after.y, after.z, motion.w);
}

__global__ void __launch_bounds__(THREADS) drag(const __grid_constant__ firn_mpm_device d)
{
    __shared__ float tile[FIRN_DEVICE_TILE];
    if (is_done(d)) return;
    const int occupied = d.grid.counts->occupied_count;
    for (int h = blockIdx.x; h < occupied; h += gridDim.x) {
        const int* neighbour = d.grid.neighbour + (size_t)h * 8;
        for (int n = threadIdx.x; n < FIRN_DEVICE_TILE; n += THREADS)
            tile[n] = nodes_of(d)[firn_device_tile_node(neighbour, n / 49, n / 7 % 7, n % 7)];
        __syncthreads();
        const int end = d.grid.first[h + 1];
        for (int k = d.grid.first[h] + (int)threadIdx.x; k < end; k += THREADS)
            drag_particle(d, d.grid.order[k], tile);
        __syncthreads();
    }
}

}  // namespace

void firn_mpm_launch_blow(const firn_mpm_device* d, const firn_mpm_launch* l, cudaStream_t stream)
{
    spread<<<l->p2g, THREADS, 0, stream>>>(*d);
    add_up<<<l->nodes, NODE_THREADS, 0, stream>>>(*d);
    drag<<<l->g2p, THREADS, 0, stream>>>(*d);
}
