// SPDX-License-Identifier: MIT
// Nodes on a GPU: what the homes' tiles add up to (the end of steps 1 and 3), then steps 4 and 5.
// Stomakhin 2013, section 4.1, eq. 10, section 8. A thread per node.
#include "math/bspline.h"
#include "solver/mpm/device_collide.cuh"
#include "solver/mpm/mpm_device.cuh"

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
    const int nodes = d.grid.counts->block_count * FIRN_DEVICE_NODES;
    const float dt = d.control->dt_real;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < nodes; i += gridDim.x * THREADS) {
        const int b = i / FIRN_DEVICE_NODES, local = i % FIRN_DEVICE_NODES;
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

// Step 5: a warp per block, most of which are near no body.
__global__ void __launch_bounds__(THREADS) grid_collide(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d)) return;
    const int blocks = d.grid.counts->block_count, warps = (gridDim.x * THREADS) >> 5;
    const float h = d.grid.cell;
    for (int b = (blockIdx.x * THREADS + threadIdx.x) >> 5; b < blocks; b += warps) {
        const int4 c = d.grid.coord[b];
        if (!firn_device_near_body(d.bodies, c, h, false)) continue;
        for (int local = threadIdx.x & 31; local < FIRN_DEVICE_NODES; local += 32) {
            const int i = b * FIRN_DEVICE_NODES + local;
            if (!(d.node_velocity[i].w > 0)) continue;
            const firn_vec3 x = firn_v3((float)(c.x * 4 + (local >> 4)) * h,
                                        (float)(c.y * 4 + (local >> 2 & 3)) * h,
                                        (float)(c.z * 4 + (local & 3)) * h);
            const float4 now = d.node_new[i];
            bool touched;
            const firn_vec3 v =
                firn_mpm_collide_at(d.bodies.bodies, d.bodies.count, &d.bodies.shapes, x,
                                    firn_v3(now.x, now.y, now.z), &touched);
            if (touched) d.node_new[i] = make_float4(v.x, v.y, v.z, 1);
        }
    }
}

// Step 2, first step only: V_p^0 = m_p / rho, rho = sum m_i w_ip / h^3. A thread per particle.
__global__ void __launch_bounds__(THREADS) volumes(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d)) return;
    const int homes = d.grid.counts->home_count;
    const float inv = d.grid.inverse_cell;
    for (int h = blockIdx.x; h < homes; h += gridDim.x) {
        const int* neighbour = d.grid.neighbour + (size_t)h * 8;
        for (int k = d.grid.first[h] + (int)threadIdx.x; k < d.grid.first[h + 1]; k += THREADS) {
            const int p = d.grid.order[k];
            const float4 at = d.at[p];
            float w[3][4], mass = 0;
            int base[3];
            const float x[3] = {at.x, at.y, at.z};
            for (int a = 0; a < 3; a++) {
                float t;
                firn_device_axis(x[a], inv, &base[a], &t);
                firn_spline_weights((firn_spline)d.spline, t, w[a]);
                base[a] &= 3;
            }
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    for (int l = 0; l < 4; l++) {
                        const int n =
                            firn_device_tile_node(neighbour, base[0] + i, base[1] + j, base[2] + l);
                        mass = fmaf(w[0][i] * w[1][j] * w[2][l], d.node_velocity[n].w, mass);
                    }
            const float rho = mass * inv * inv * inv;  // [kg/m^3]
            ((float*)&d.strain2[p])[1] = at.w / rho;
        }
    }
}

}  // namespace

void firn_mpm_launch_fused_04_05(const firn_mpm_device* d, const firn_mpm_launch* l,
                                 cudaStream_t stream)
{
    grid_velocity<<<l->nodes, THREADS, 0, stream>>>(*d);
    if (d->bodies.count > 0) grid_collide<<<l->nodes, THREADS, 0, stream>>>(*d);
}

void firn_mpm_launch_volumes(const firn_mpm_device* d, cudaStream_t stream)
{
    volumes<<<1024, THREADS, 0, stream>>>(*d);
}
