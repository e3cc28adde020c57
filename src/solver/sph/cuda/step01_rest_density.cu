// SPDX-License-Identifier: MIT
// Step 1 on a GPU (step01_rest_density.h, fast/step01_rest_density_simd.c): densities, slopes of
// all pairs, rest densities and Lame parameters.
#include "solver/sph/cuda/fused_rounding.cuh"
// above all others
#include "physics/heat.h"
#include "physics/sph_kernel_lanes.h"
#include "solver/sph/cuda/device_contact.cuh"
#include "solver/sph/laws/material.h"
#include "solver/sph/laws/rest_density.h"

namespace {

const int THREADS = FIRN_SPH_THREADS;
const int TALLY_BLOCKS = 512, SUMS = 6;

// `weights`: x_j, and m_j, or m_j / rho_0 where volumes count.
__device__ float density_of(const firn_sph_device& d, const float4* __restrict__ weights, int i)
{
    const firn_sph_list list = firn_sph_list_of(d, i);
    const float4 self = weights[i];
    const float w0 = firn_sph_w0(d.h), inverse_h = 1 / d.h;
    float sum = 0;
#pragma unroll 2
    for (int k = 0; k < list.count; k++) {
        const float4 near = __ldg(weights + firn_sph_neighbour(list, k));
        const float x = self.x - near.x, y = self.y - near.y, z = self.z - near.z;
        const float r2 = firn_lanes_fma(x, x, firn_lanes_fma(y, y, z * z));
        const firn_sph_kernel_lanes W =
            firn_sph_kernel_lanes_of(firn_lanes_sqrt(r2), inverse_h, w0);
        list.slope[32 * k] = W.dw_over_r;
        sum = firn_lanes_fma(near.w, W.w, sum);
    }
    sum = firn_fma(self.w, w0, sum);
    const float rho_0 = d.strain2[i].w, wall = firn_sph_walls_of(d, i).kernel;
    return d.volumes ? rho_0 * (sum + wall) : firn_fma(rho_0, wall, sum);
}

__device__ firn_sph_rest rest_of(const firn_sph_device& d, int i, float rho)
{
    const unsigned material = d.tag[i].y;
    const firn_sph_material* mat = &d.materials[material];
    const float mass = d.at[i].w, rho_0 = d.strain2[i].w;
    if (mat->phase != FIRN_PHASE_SNOW) return firn_sph_fluid_particle(mass, rho_0);
    firn_sph_rest_of of;
    of.mass = mass;
    of.fresh_density = rho_0;
    of.stiffness = d.pull[i].w;
    if (d.climate != nullptr)
        of.stiffness *= firn_young_at(&d.snow[material], d.warmth[i].x) / d.snow[material].young;
    of.xi = d.varied != nullptr ? mat->xi * d.varied[i].x : mat->xi;
    of.plastic_det = d.strain0[i].w;
    of.F_E = firn_sph_strain(d, i);
    of.plastic = d.plastic;
    return firn_sph_rest_snow(&of, mat, d.incompressible, rho);
}

__global__ void __launch_bounds__(THREADS) rest_density(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i)) return;
    const float rho = density_of(d, d.volumes ? d.place_snow : d.at, i);
    const firn_sph_rest r = rest_of(d, i, rho);
    const float4 at = d.at[i];
    d.strain1[i].w = rho;
    d.strain0[i].w = r.J_P;
    d.density[i] = isinf(r.lame.lambda) ? r.rest_density : rho;
    d.rest_density[i] = r.rest_density;
    d.lambda[i] = r.lame.lambda;
    d.shear[i] = r.lame.mu;
    d.place[i] = make_float4(at.x, at.y, at.z, r.volume);
}

// Sums of the step's record, in an order of their own.
__global__ void __launch_bounds__(THREADS)
    tally(const __grid_constant__ firn_sph_device d, double (*partial)[SUMS])
{
    firn_sph_control* c = d.control;
    if (c->halt != 0) return;
    double sum[SUMS] = {};
    float low = FIRN_REAL_MAX, high = 0;
    const int stride = (int)(gridDim.x * blockDim.x);
    for (int i = firn_sph_thread(); i < c->count; i += stride) {
        const float4 at = d.at[i];
        const firn_vec3 v = firn_sph_xyz(d.motion[i]), g = c->gravity;
        const double m = (double)at.w;
        sum[0] += m * (double)v.x;
        sum[1] += m * (double)v.y;
        sum[2] += m * (double)v.z;
        sum[3] += 0.5 * m * (double)firn_v3_dot(v, v);
        sum[4] -= m * ((double)g.x * (double)at.x + (double)g.y * (double)at.y +
                       (double)g.z * (double)at.z);
        firn_sph_rest r = {};
        r.volume = d.place[i].w;
        r.lame.mu = d.shear[i];
        r.lame.lambda = d.lambda[i];
        sum[5] += firn_sph_elastic_energy(firn_sph_strain(d, i), &r);
        const float J_P = d.strain0[i].w;
        low = fminf(low, J_P);
        high = fmaxf(high, J_P);
    }
    // positive numbers are ordered as their bits
    atomicMin((unsigned*)&c->plastic_low, __float_as_uint(low));
    atomicMax((unsigned*)&c->plastic_high, __float_as_uint(high));
    if (!firn_cuda_grid_sum<SUMS, THREADS>(sum, partial, &c->ticket) || threadIdx.x != 0) return;
    for (int a = 0; a < 3; a++) c->momentum[a] = sum[a];
    c->kinetic = sum[3];
    c->potential = sum[4];
    c->elastic = sum[5];
    c->plastic_min = (double)c->plastic_low;
    c->plastic_max = (double)c->plastic_high;
}

}  // namespace

void firn_sph_launch_rest_density(const firn_sph_device* d, cudaStream_t stream)
{
    rest_density<<<d->blocks, THREADS, 0, stream>>>(*d);
    tally<<<TALLY_BLOCKS, THREADS, 0, stream>>>(*d, (double(*)[SUMS])d->partial);
}
