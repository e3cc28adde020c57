// SPDX-License-Identifier: MIT
// Step 6 on a GPU: (I + beta dt^2 M^-1 H) v^{n+1} = v^*. Stomakhin 2013, eq. 7-9; conjugate
// residuals in the mass product as linalg/cr.h has them. An iteration is three kernels:
//
//   apply     a block of threads per occupied block: gradient of z, dP, scatter into tiles
//   (device_slab.cuh) measure   a thread per node: Az = z + beta dt^2 M^-1 H z; <z, Az>, <Az, P
//   Az>, <Az, P Ap>.
//             The last block finds beta and alpha: <Ap', P Ap'> of the new Ap' = Az + beta Ap is
//             <Az, P Az> + 2 beta <Az, P Ap> + beta^2 <Ap, P Ap>, so that no pass is needed for it
//   move      p = z + beta p, Ap = Az + beta Ap, x += alpha p, r -= alpha Ap, z = P r; <r, r> and
//             <Ap, P Ap>. The last block decides whether the graph's loop goes on
//
// Scalars stay on the device. Partial sums are added in a fixed order: the same bits in every run.
#include "solver/mpm/cuda/device_linear.cuh"
#include "solver/mpm/cuda/device_slab.cuh"
#include "solver/mpm/cuda/device_stencil.cuh"
#include "solver/mpm/cuda/mpm_device.cuh"
#include "solver/mpm/cuda/rigid/device_entries.cuh"

namespace {

const int THREADS = 32 * FIRN_SLAB_WARPS;  // of apply
const int NODE_THREADS = 256;
const int RECORD = 36;  // reals; weights as in fused_01_03.cu, then V dP F_E^T by columns

struct apply_memory {
    float4 slabs[FIRN_SLAB_WARPS][1][FIRN_SLAB_NODES];
    float4 tile[FIRN_DEVICE_TILE];
    float records[FIRN_SLAB_WARPS][32 * RECORD];
};

// True if a fourth component is not 0: a collider holds a node of node_new.
__device__ __forceinline__ bool load_tile(const firn_mpm_device& d, int h, const float4* u,
                                          float4* tile)
{
    bool held = false;
    const int* neighbour = d.grid.neighbour + (size_t)h * 8;
    for (int n = threadIdx.x; n < FIRN_DEVICE_TILE; n += THREADS) {
        tile[n] = u[firn_device_tile_node(neighbour, n / 49, n / 7 % 7, n % 7)];
        held = held || tile[n].w != 0;
    }
    return held;
}

// The record of a particle: weights and V dP F_E^T (DIAGONAL: squared weights and stiffness).
template <bool DIAGONAL>
__device__ __forceinline__ int write_record(const firn_mpm_device& d, int p, const float4* tile,
                                            float* out)
{
    const float4 at = d.at[p];
    const float inv = d.grid.inverse_cell;
    const firn_snow_linear_lanes l = firn_device_linear_of(d, p);
    const firn_device_cell_offset offset = firn_device_cell_offset_of(at, inv);
    float2 W[3][4];
#pragma unroll
    for (int a = 0; a < 3; a++) firn_device_stencil_axis(d.spline, offset.t[a], inv, W[a]);
    firn_mat3_lanes T;
    if (DIAGONAL) {
        T = firn_device_diagonal_of(l);
#pragma unroll
        for (int a = 0; a < 3; a++)
#pragma unroll
            for (int k = 0; k < 4; k++)
                W[a][k] = make_float2(W[a][k].x * W[a][k].x, W[a][k].y * W[a][k].y);
    } else {
        const firn_mat3_lanes grad =
            firn_device_gradient(tile + firn_device_corner(offset), W[0], W[1], W[2]);
        T = firn_snow_linear_lanes_apply(&l, grad);
    }
    float4* quads = (float4*)out;
#pragma unroll
    for (int a = 0; a < 2; a++) {
        quads[a * 2] = make_float4(W[a][0].x, W[a][0].y, W[a][1].x, W[a][1].y);
        quads[a * 2 + 1] = make_float4(W[a][2].x, W[a][2].y, W[a][3].x, W[a][3].y);
    }
#pragma unroll
    for (int k = 0; k < 4; k++) ((float2*)out)[8 + ((offset.base[2] + k) & 3)] = W[2][k];
    quads[6] = make_float4(T.m[0][0], T.m[1][0], T.m[2][0], T.m[0][1]);
    quads[7] = make_float4(T.m[1][1], T.m[2][1], T.m[0][2], T.m[1][2]);
    out[32] = T.m[2][2];
    return offset.base[1] << 2 | offset.base[2];
}

__device__ __forceinline__ void add_particle(const float* in, int i, int j, int half,
                                             firn_slab_sums<1>& sums)
{
    const float2 X = ((const float2*)in)[i], Y = ((const float2*)in)[4 + j];
    const float4 Z = ((const float4*)in)[4 + half];
    const float4 ta = ((const float4*)in)[6], tb = ((const float4*)in)[7];
    const float a = X.y * Y.x, b = X.x * Y.y, c = X.x * Y.x;
    const float3 u =
        make_float3(fmaf(a, ta.x, b * ta.w), fmaf(a, ta.y, b * tb.x), fmaf(a, ta.z, b * tb.y));
    const float3 t = make_float3(c * tb.z, c * tb.w, c * in[32]);
    float4& n0 = sums.node[0][0];
    float4& n1 = sums.node[1][0];
    n0.x = fmaf(Z.x, u.x, fmaf(Z.y, t.x, n0.x));
    n0.y = fmaf(Z.x, u.y, fmaf(Z.y, t.y, n0.y));
    n0.z = fmaf(Z.x, u.z, fmaf(Z.y, t.z, n0.z));
    n1.x = fmaf(Z.z, u.x, fmaf(Z.w, t.x, n1.x));
    n1.y = fmaf(Z.z, u.y, fmaf(Z.w, t.y, n1.y));
    n1.z = fmaf(Z.z, u.z, fmaf(Z.w, t.z, n1.z));
}

// H u, as tiles in d.tile_b; DIAGONAL: the diagonal of H. REACTION: only for blocks that reach
// nodes which a collider holds.
template <bool DIAGONAL, bool REACTION>
__global__ void __launch_bounds__(THREADS)
    apply(const __grid_constant__ firn_mpm_device d, const float4* u)
{
    __shared__ apply_memory m;
    if (firn_mpm_idle(d)) return;
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    const int half = lane >> 4, i = lane >> 2 & 3, j = lane & 3;
    const int occupied = d.grid.counts->occupied_count;
    float* records = m.records[warp];
    for (int h = blockIdx.x; h < occupied; h += gridDim.x) {
        const bool held = !DIAGONAL && load_tile(d, h, u, m.tile);
        if (REACTION && __syncthreads_or(held) == 0) continue;
        for (int n = lane; n < FIRN_SLAB_NODES; n += 32)
            m.slabs[warp][0][n] = make_float4(0, 0, 0, 0);
        __syncthreads();
        int begin, end, cell = -1;
        firn_slab_range(d.grid, h, warp, &begin, &end);
        firn_slab_sums<1> sum;
        firn_slab_clear(sum, 0);
        firn_slab_clear(sum, 1);
        for (int chunk = begin; chunk < end; chunk += 32) {
            int mine = 0;
            if (chunk + lane < end)
                mine = write_record<DIAGONAL>(d, d.grid.order[chunk + lane], m.tile,
                                              records + lane * RECORD);
            __syncwarp();
            const float* in = records;
            firn_slab_runs(mine, min(32, end - chunk), [&](int next, int count) {
                firn_slab_move(m.slabs[warp], cell, next, sum);
                cell = next;
#pragma unroll 2
                for (int k = 0; k < count; k++, in += RECORD) add_particle(in, i, j, half, sum);
            });
            __syncwarp();
        }
        firn_slab_move(m.slabs[warp], cell, 16, sum);
        __syncthreads();
        for (int n = threadIdx.x; n < FIRN_DEVICE_TILE; n += THREADS)
            d.tile_b[(size_t)h * FIRN_DEVICE_TILE + (size_t)n] = firn_slab_gather<1>(m.slabs, 0, n);
        __syncthreads();
    }
}

// ---- nodes

__device__ __forceinline__ double dot3(float4 a, float4 b)
{
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

__device__ __forceinline__ float4 scaled(const float4* scale, int i, float4 a)
{
    if (scale == nullptr) return a;
    const float4 s = scale[i];
    return make_float4(s.x * a.x, s.y * a.y, s.z * a.z, 0);
}

// Leaves this block's sums where the last block finds them; true in that one, with all sums.
template <int COUNT>
__device__ __forceinline__ bool sum_over_blocks(const firn_mpm_device& d, double (&value)[COUNT])
{
    firn_cuda_block_sum<COUNT, NODE_THREADS>(value);
    double* out = d.cr_partial + (size_t)blockIdx.x * 4;
    if (threadIdx.x == 0)
        for (int k = 0; k < COUNT; k++) out[k] = value[k];
    if (!firn_cuda_is_last_block(&d.control->ticket)) return false;
    for (int k = 0; k < COUNT; k++) value[k] = 0;
    for (int b = threadIdx.x; b < (int)gridDim.x; b += NODE_THREADS)
        for (int k = 0; k < COUNT; k++) value[k] += __ldcg(d.cr_partial + (size_t)b * 4 + k);
    firn_cuda_block_sum<COUNT, NODE_THREADS>(value);
    return threadIdx.x == 0;
}

// b = v^* into r; the guess replaces it in node_new on free nodes; the preconditioner
// m / (m + beta dt^2 H_ii) from the tiles. <b, b>
__global__ void __launch_bounds__(NODE_THREADS) start(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d)) return;
    firn_mpm_stamp(d, FIRN_STAMP_06);
    firn_mpm_control* c = d.control;
    const int nodes = d.grid.counts->block_count * FIRN_BLOCK_NODES;
    const float dt = c->dt_real, by = d.beta * dt * dt;
    const firn_vec3 g = c->gravity;
    double sum[1] = {0};
    for (int i = blockIdx.x * NODE_THREADS + threadIdx.x; i < nodes;
         i += gridDim.x * NODE_THREADS) {
        const float4 v = d.node_velocity[i], b = d.node_new[i];
        d.cr_r[i] = b;
        sum[0] += (double)v.w * dot3(b, b);
        if (d.cr_scale != nullptr) {
            const float4 H =
                firn_mpm_gather_tiles(d.grid, d.tile_b, i / FIRN_BLOCK_NODES, i % FIRN_BLOCK_NODES);
            d.cr_scale[i] = v.w > 0
                                ? make_float4(v.w / fmaf(by, H.x, v.w), v.w / fmaf(by, H.y, v.w),
                                              v.w / fmaf(by, H.z, v.w), 1)
                                : make_float4(1, 1, 1, 1);
        }
        if (d.inertial && b.w == 0 && v.w > 0)
            d.node_new[i] = make_float4(v.x + dt * g.x, v.y + dt * g.y, v.z + dt * g.z, 0);
    }
    if (!sum_over_blocks(d, sum)) return;
    firn_rigid_start_sums(d.rigid, sum);
    c->size = sqrt(sum[0]);
    c->iterations = 0;
    c->stalled = 0;
    c->residual = 0;
    c->zAz = c->ApAp = 0;
}

// r = b - A x on free nodes, z = P r, p = Ap = 0; <r, r>. Decides whether there is anything to do.
__global__ void __launch_bounds__(NODE_THREADS)
    first_residual(const __grid_constant__ firn_mpm_device d, cudaGraphConditionalHandle loop)
{
    if (firn_mpm_idle(d)) return;  // the loop's value is 0 unless set
    firn_mpm_control* c = d.control;
    const int nodes = d.grid.counts->block_count * FIRN_BLOCK_NODES;
    const float dt = c->dt_real, by = d.beta * dt * dt;
    double sum[1] = {0};
    for (int i = blockIdx.x * NODE_THREADS + threadIdx.x; i < nodes;
         i += gridDim.x * NODE_THREADS) {
        const float m = d.node_velocity[i].w;
        const float4 x = d.node_new[i];
        float4 r = make_float4(0, 0, 0, 0);
        if (m > 0 && x.w == 0) {
            const float4 H =
                firn_mpm_gather_tiles(d.grid, d.tile_b, i / FIRN_BLOCK_NODES, i % FIRN_BLOCK_NODES);
            const float4 b = d.cr_r[i], Ax = firn_f4_madd(x, by / m, H);
            r = make_float4(b.x - Ax.x, b.y - Ax.y, b.z - Ax.z, 0);
        }
        d.cr_r[i] = r;
        if (d.cr_scale != nullptr) d.cr_z[i] = scaled(d.cr_scale, i, r);
        d.cr_p[i] = d.cr_Ap[i] = make_float4(0, 0, 0, 0);
        sum[0] += (double)m * dot3(r, r);
    }
    if (!sum_over_blocks(d, sum)) return;
    firn_rigid_residual_sums(d.rigid, sum);
    c->rr = sum[0];
    const bool any = c->size > 0;
    c->size = fmax(c->size, d.speed_floor * sqrt(c->mass));
    if (any) c->residual = sqrt(c->rr) / c->size;
    if (any && c->residual > d.tolerance) cudaGraphSetConditional(loop, 1);
}

__global__ void __launch_bounds__(NODE_THREADS) measure(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d)) return;
    firn_mpm_control* c = d.control;
    const int nodes = d.grid.counts->block_count * FIRN_BLOCK_NODES;
    const float dt = c->dt_real, by = d.beta * dt * dt;
    const float4* z = d.cr_scale != nullptr ? d.cr_z : d.cr_r;
    double sum[3] = {0, 0, 0};
    for (int i = blockIdx.x * NODE_THREADS + threadIdx.x; i < nodes;
         i += gridDim.x * NODE_THREADS) {
        const float m = d.node_velocity[i].w;
        float4 Az = make_float4(0, 0, 0, 0);
        if (m > 0 && d.node_new[i].w == 0) {
            const float4 H =
                firn_mpm_gather_tiles(d.grid, d.tile_b, i / FIRN_BLOCK_NODES, i % FIRN_BLOCK_NODES);
            const float4 u = z[i];
            Az = firn_f4_madd(u, by / m, H);
            Az.w = 0;
            const float4 PAz = scaled(d.cr_scale, i, Az);
            sum[0] += (double)m * dot3(u, Az);
            sum[1] += (double)m * dot3(Az, PAz);
            sum[2] += (double)m * dot3(d.cr_Ap[i], PAz);
        }
        d.cr_Az[i] = Az;
    }
    if (!sum_over_blocks(d, sum)) return;
    firn_rigid_measure_sums(d.rigid, sum);
    c->beta = c->iterations > 0 ? sum[0] / c->zAz : 0;
    c->zAz = sum[0];
    const double ApAp = sum[1] + 2 * c->beta * sum[2] + c->beta * c->beta * c->ApAp;
    // a singular direction: nothing moves, and the loop ends
    c->stalled = !(ApAp > 0) || !(fabs(c->zAz) > 1e-14 * sqrt(c->rr * ApAp));
    c->alpha = c->stalled ? 0 : c->zAz / ApAp;
}

__global__ void __launch_bounds__(NODE_THREADS)
    move(const __grid_constant__ firn_mpm_device d, cudaGraphConditionalHandle loop)
{
    if (firn_mpm_idle(d)) return;
    firn_mpm_control* c = d.control;
    const int nodes = d.grid.counts->block_count * FIRN_BLOCK_NODES;
    const float alpha = (float)c->alpha, beta = (float)c->beta;
    double sum[2] = {0, 0};
    for (int i = blockIdx.x * NODE_THREADS + threadIdx.x; i < nodes;
         i += gridDim.x * NODE_THREADS) {
        const float m = d.node_velocity[i].w;
        float4 r = d.cr_r[i];
        const float4 z = d.cr_scale != nullptr ? d.cr_z[i] : r;
        const float4 p = firn_f4_madd(z, beta, d.cr_p[i]);
        const float4 Ap = firn_f4_madd(d.cr_Az[i], beta, d.cr_Ap[i]);
        d.cr_p[i] = p;
        d.cr_Ap[i] = Ap;
        float4 x = d.node_new[i];
        if (m > 0 && x.w == 0) {
            x = firn_f4_madd(x, alpha, p);
            d.node_new[i] = x;
        }
        r = firn_f4_madd(r, -alpha, Ap);
        d.cr_r[i] = r;
        if (d.cr_scale != nullptr) d.cr_z[i] = scaled(d.cr_scale, i, r);
        sum[0] += (double)m * dot3(r, r);
        sum[1] += (double)m * dot3(Ap, scaled(d.cr_scale, i, Ap));
    }
    if (!sum_over_blocks(d, sum)) return;
    firn_rigid_move_sums(d.rigid, (double)alpha, (double)beta, sum);
    if (!c->stalled) {
        c->rr = sum[0];
        c->iterations++;
        c->residual = sqrt(c->rr) / c->size;
    }
    c->ApAp = sum[1];
    const bool on = !c->stalled && c->residual > d.tolerance && c->iterations < d.max_iterations;
    cudaGraphSetConditional(loop, on ? 1 : 0);
}

}  // namespace

cudaError_t firn_mpm_occupancy_06(int* out_blocks)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(out_blocks, apply<false, false>, THREADS,
                                                         0);
}

void firn_mpm_launch_solve_start(const firn_mpm_device* d, const firn_mpm_launch* l,
                                 cudaGraphConditionalHandle loop, cudaStream_t stream)
{
    if (d->cr_scale != nullptr) apply<true, false><<<l->apply, THREADS, 0, stream>>>(*d, nullptr);
    const bool rigid = d->rigid.head != nullptr;
    if (rigid) firn_mpm_launch_lump_start(d, l, stream);
    start<<<l->nodes, NODE_THREADS, 0, stream>>>(*d);
    apply<false, false><<<l->apply, THREADS, 0, stream>>>(*d, d->node_new);
    if (rigid) firn_mpm_launch_lump_residual(d, l, stream);
    first_residual<<<l->nodes, NODE_THREADS, 0, stream>>>(*d, loop);
}

void firn_mpm_launch_react(const firn_mpm_device* d, const firn_mpm_launch* l, cudaStream_t stream)
{
    apply<false, true><<<l->apply, THREADS, 0, stream>>>(*d, d->node_new);
    firn_mpm_launch_take_reactions(d, l, stream);
}

void firn_mpm_launch_solve_iteration(const firn_mpm_device* d, const firn_mpm_launch* l,
                                     cudaGraphConditionalHandle loop, cudaStream_t stream)
{
    const float4* z = d->cr_scale != nullptr ? d->cr_z : d->cr_r;
    const bool rigid = d->rigid.head != nullptr;
    if (rigid) firn_mpm_launch_lump_lend(d, l, stream);
    apply<false, false><<<l->apply, THREADS, 0, stream>>>(*d, z);
    if (rigid) firn_mpm_launch_lump_apply(d, l, stream);
    measure<<<l->nodes, NODE_THREADS, 0, stream>>>(*d);
    move<<<l->nodes, NODE_THREADS, 0, stream>>>(*d, loop);
}
