// SPDX-License-Identifier: MIT
// Steps 1 and 3 in one pass on a GPU (step01_rasterize.h, step03_forces.h): m_i, (m v)_i and f_i
// from the particles of each occupied block. fused_07_10.cu has computed the stress already, where
// it had F_E at hand.
//
// A block of four warps per occupied block. Each warp reads 32 particles at a time, one per lane,
// leaves their weights and loads as records in shared memory, and then adds one record after the
// other, all lanes together (device_slab.cuh).
#include "physics/snow_stress_lanes.h"
#include "solver/mpm/cuda/device_slab.cuh"
#include "solver/mpm/cuda/device_stencil.cuh"
#include "solver/mpm/cuda/mpm_device.cuh"
#include "solver/mpm/step01_rasterize.h"

namespace {

const int THREADS = 32 * FIRN_SLAB_WARPS;

// A record in reals: (N, N') of x, y and z (z by node modulo 4); m v, m; stress; with APIC also the
// cell offset and m B D^-1 h. Strides of 4 modulo 32 keep the lanes' writes apart.
const int MOMENTUM = 24, STRESS = 28, PLACE = 34, AFFINE = 37;
template <bool APIC> struct record {
    static const int SIZE = APIC ? 52 : 36;
};

// The record of particle p; gives its cell within the layer, y * 4 + z.
template <bool APIC, bool LINEAR>
__device__ __forceinline__ int write_record(const firn_mpm_device& d, int p, float* out,
                                            firn_sums& s)
{
    const float4 at = d.at[p], motion = d.motion[p];
    const float inv = d.grid.inverse_cell;
    const firn_device_cell_offset offset = firn_device_cell_offset_of(at, inv);
    float2* pairs = (float2*)out;
    float2 w[4];
#pragma unroll
    for (int a = 0; a < 2; a++) {
        firn_device_stencil_axis(d.spline, offset.t[a], inv, w);
        ((float4*)pairs)[a * 2] = make_float4(w[0].x, w[0].y, w[1].x, w[1].y);
        ((float4*)pairs)[a * 2 + 1] = make_float4(w[2].x, w[2].y, w[3].x, w[3].y);
    }
    firn_device_stencil_axis(d.spline, offset.t[2], inv, w);
#pragma unroll
    for (int k = 0; k < 4; k++) pairs[8 + ((offset.base[2] + k) & 3)] = w[k];
    const float m = at.w;
    *(float4*)(out + MOMENTUM) = make_float4(m * motion.x, m * motion.y, m * motion.z, m);
    float4 t0 = d.stress0[p];  // -V_p^0 P F_E^T
    float2 t1;
    if (LINEAR) {
        const float4 s1 = d.stress1[p];
        const firn_sym3_lanes X = {t0.x, t0.y, t0.z, t0.w, s1.x, s1.y};
        const firn_sym3_lanes tau = firn_snow_stress_lanes_from(&X, s1.z, d.stress2[p]);
        t0 = make_float4(-tau.xx, -tau.xy, -tau.xz, -tau.yy);
        t1 = make_float2(-tau.yz, -tau.zz);
    } else {
        t1 = ((const float2*)d.stress1)[p];
    }
    *(float4*)(out + STRESS) = t0;
    *(float2*)(out + STRESS + 4) = t1;
    if (APIC) {
        // D^-1 h^2 (math/bspline.h); offsets are counted in cells
        const float scale = m * firn_spline_affine((firn_spline)d.spline) * inv;
        const float4 b[3] = {d.affine0[p], d.affine1[p], d.affine2[p]};
#pragma unroll
        for (int r = 0; r < 3; r++) {
            out[PLACE + r] = offset.t[r];
            out[AFFINE + r] = b[r].x * scale;
            out[AFFINE + 3 + r] = b[r].y * scale;
            out[AFFINE + 6 + r] = b[r].z * scale;
        }
    }
    firn_mpm_sums_add(m, firn_v3(at.x, at.y, at.z), firn_v3(motion.x, motion.y, motion.z),
                      d.control->gravity, &s);
    return offset.base[1] << 2 | offset.base[2];
}

__device__ __forceinline__ void add_scaled(float4& sum, float s, float4 a)
{
    sum = firn_f4_madd(sum, s, a);
}

// Adds one particle to the lane's two nodes.
template <bool APIC>
__device__ __forceinline__ void add_particle(const float* in, int i, int j, int half, int cell_z,
                                             firn_slab_sums<2>& sums)
{
    const float2* pairs = (const float2*)in;
    const float2 X = pairs[i], Y = pairs[4 + j];
    const float4 Z = ((const float4*)in)[4 + half];
    const float4 mv = *(const float4*)(in + MOMENTUM);
    const float4 ta = *(const float4*)(in + STRESS);
    const float2 tb = *(const float2*)(in + STRESS + 4);
    const float a = X.y * Y.x, b = X.x * Y.y, c = X.x * Y.x;
    const float4 u =
        make_float4(fmaf(a, ta.x, b * ta.y), fmaf(a, ta.y, b * ta.w), fmaf(a, ta.z, b * tb.x), 0);
    const float4 t = make_float4(c * ta.z, c * tb.x, c * tb.y, 0);
    float4 q = make_float4(c * mv.x, c * mv.y, c * mv.z, c * mv.w);
    float4 q0 = q, q1 = q;
    if (APIC) {
        const float* C = in + AFFINE;
        const float dx = (float)(i - 1) - in[PLACE], dy = (float)(j - 1) - in[PLACE + 1];
        const int k0 = (2 * half - cell_z) & 3, k1 = (2 * half + 1 - cell_z) & 3;
        const float z0 = (float)(k0 - 1) - in[PLACE + 2], z1 = (float)(k1 - 1) - in[PLACE + 2];
        q.x = fmaf(c, fmaf(C[0], dx, C[3] * dy), q.x);
        q.y = fmaf(c, fmaf(C[1], dx, C[4] * dy), q.y);
        q.z = fmaf(c, fmaf(C[2], dx, C[5] * dy), q.z);
        const float4 cz = make_float4(c * C[6], c * C[7], c * C[8], 0);
        q0 = firn_f4_madd(q, z0, cz);
        q1 = firn_f4_madd(q, z1, cz);
    }
    add_scaled(sums.node[0][0], Z.x, q0);
    add_scaled(sums.node[1][0], Z.z, q1);
    sums.node[0][1].x = fmaf(Z.x, u.x, fmaf(Z.y, t.x, sums.node[0][1].x));
    sums.node[0][1].y = fmaf(Z.x, u.y, fmaf(Z.y, t.y, sums.node[0][1].y));
    sums.node[0][1].z = fmaf(Z.x, u.z, fmaf(Z.y, t.z, sums.node[0][1].z));
    sums.node[1][1].x = fmaf(Z.z, u.x, fmaf(Z.w, t.x, sums.node[1][1].x));
    sums.node[1][1].y = fmaf(Z.z, u.y, fmaf(Z.w, t.y, sums.node[1][1].y));
    sums.node[1][1].z = fmaf(Z.z, u.z, fmaf(Z.w, t.z, sums.node[1][1].z));
}

// The layer of one warp.
template <bool APIC, bool LINEAR>
__device__ __forceinline__ void scatter_layer(const firn_mpm_device& d, int h, float* records,
                                              float4 (*slab)[FIRN_SLAB_NODES], firn_sums& s)
{
    const int lane = threadIdx.x & 31, half = lane >> 4, i = lane >> 2 & 3, j = lane & 3;
    const int SIZE = record<APIC>::SIZE;
    int begin, end, cell = -1;
    firn_slab_range(d.grid, h, threadIdx.x >> 5, &begin, &end);
    firn_slab_sums<2> sum;
    firn_slab_clear(sum, 0);
    firn_slab_clear(sum, 1);
    for (int chunk = begin; chunk < end; chunk += 32) {
        int mine = 0;
        if (chunk + lane < end)
            mine =
                write_record<APIC, LINEAR>(d, d.grid.order[chunk + lane], records + lane * SIZE, s);
        __syncwarp();
        const float* in = records;
        firn_slab_runs(mine, min(32, end - chunk), [&](int next, int count) {
            firn_slab_move(slab, cell, next, sum);
            cell = next;
#pragma unroll 2
            for (int k = 0; k < count; k++, in += SIZE)
                add_particle<APIC>(in, i, j, half, cell & 3, sum);
        });
        __syncwarp();
    }
    firn_slab_move(slab, cell, 16, sum);
}

template <bool APIC, bool LINEAR>
__global__ void __launch_bounds__(THREADS) fused_01_03(const __grid_constant__ firn_mpm_device d)
{
    extern __shared__ float4 shared[];
    float4(*slabs)[2][FIRN_SLAB_NODES] = (float4(*)[2][FIRN_SLAB_NODES])shared;
    const int warp = threadIdx.x >> 5;
    float* records =
        (float*)(shared + FIRN_SLAB_WARPS * 2 * FIRN_SLAB_NODES) + warp * 32 * record<APIC>::SIZE;
    if (firn_mpm_idle(d)) return;
    firn_mpm_stamp(d, FIRN_STAMP_01_03);
    firn_sums s = {};
    const int occupied = d.grid.counts->occupied_count;
    for (int h = blockIdx.x; h < occupied; h += gridDim.x) {
        for (int n = threadIdx.x & 31; n < 2 * FIRN_SLAB_NODES; n += 32)
            (&slabs[warp][0][0])[n] = make_float4(0, 0, 0, 0);
        __syncwarp();
        scatter_layer<APIC, LINEAR>(d, h, records, slabs[warp], s);
        __syncthreads();
        const size_t tile = (size_t)h * FIRN_DEVICE_TILE;
        for (int n = threadIdx.x; n < FIRN_DEVICE_TILE; n += THREADS) {
            d.tile_a[tile + (size_t)n] = firn_slab_gather<2>(slabs, 0, n);
            d.tile_b[tile + (size_t)n] = firn_slab_gather<2>(slabs, 1, n);
        }
        __syncthreads();
    }
    double value[6] = {s.mass, s.momentum[0], s.momentum[1], s.momentum[2], s.kinetic, s.potential};
    firn_cuda_block_sum<6, THREADS>(value);
    if (threadIdx.x != 0) return;
    firn_mpm_partial* out = &d.partial[blockIdx.x];
    out->mass = value[0];
    for (int a = 0; a < 3; a++) out->momentum[a] = value[1 + a];
    out->kinetic = value[4];
    out->potential = value[5];
}

typedef void kernel(const firn_mpm_device d);

kernel* kernel_of(const firn_mpm_device* d, bool linear)
{
    if (d->affine0 != nullptr) return linear ? fused_01_03<true, true> : fused_01_03<true, false>;
    return linear ? fused_01_03<false, true> : fused_01_03<false, false>;
}

int shared_bytes(const firn_mpm_device* d)
{
    const int size = d->affine0 != nullptr ? record<true>::SIZE : record<false>::SIZE;
    return FIRN_SLAB_WARPS *
           (2 * FIRN_SLAB_NODES * (int)sizeof(float4) + 32 * size * (int)sizeof(float));
}

}  // namespace

cudaError_t firn_mpm_occupancy_01_03(const firn_mpm_device* d, int* out_blocks)
{
    for (int linear = 0; linear < 2; linear++) {
        const cudaError_t status =
            cudaFuncSetAttribute(kernel_of(d, linear != 0),
                                 cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes(d));
        if (status != cudaSuccess) return status;
    }
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(out_blocks, kernel_of(d, false), THREADS,
                                                         (size_t)shared_bytes(d));
}

void firn_mpm_launch_fused_01_03(const firn_mpm_device* d, const firn_mpm_launch* l, bool linear,
                                 cudaStream_t stream)
{
    kernel_of(d, linear)<<<l->p2g, THREADS, shared_bytes(d), stream>>>(*d);
}
