// SPDX-License-Identifier: MIT
// Step 5 on a GPU (step05_pressure.h, fast/step05_pressure_simd.c): relaxed Jacobi, whose number of
// iterations the device decides.
//
//     source    while not good enough: gradient, update, errors of chunks, judge, reset   push
#include "solver/sph/cuda/fused_rounding.cuh"
// above all others
#include "device/cuda_graph.cuh"
#include "solver/sph/cuda/chunk_sums.cuh"
#include "solver/sph/cuda/device_contact.cuh"

namespace {

const int THREADS = FIRN_SPH_THREADS;

// sum_j (factor_j u_j) . grad W_ij. With WEIGH the factors are V_j; else u holds V_j u_j already.
template <bool WEIGH>
__device__ __forceinline__ float sum_over_pairs(const firn_sph_device& d,
                                                const float4* __restrict__ u, int i)
{
    const firn_sph_list list = firn_sph_list_of(d, i);
    const firn_vec3 x_i = firn_sph_xyz(d.place[i]);
    float sum = 0;
#pragma unroll 4
    for (int k = 0; k < list.count; k++) {
        const uint32_t j = firn_sph_neighbour(list, k);
        const float4 u_j = __ldg(u + j), near = __ldg(d.place + j);
        const float slope = __ldg(list.slope + 32 * k);
        const firn_vec3 g = firn_v3_lanes_scale(firn_v3_lanes_sub(x_i, firn_sph_xyz(near)),
                                                WEIGH ? slope * near.w : slope);
        sum =
            firn_lanes_fma(u_j.x, g.x, firn_lanes_fma(u_j.y, g.y, firn_lanes_fma(u_j.z, g.z, sum)));
    }
    return sum;
}

// `sum` - u_i . (S + B): eq. 6 for a field that is 0 on colliders.
__device__ __forceinline__ float divergence(const firn_sph_device& d, float sum, int i,
                                            firn_vec3 own, firn_vec3 B)
{
    return sum - firn_v3_lanes_dot(own, firn_v3_lanes_add(firn_sph_plane3(d.S, i), B));
}

// Stores p_i, and V_i p_i beside x_i for the neighbours.
__device__ __forceinline__ void keep_pressure(const firn_sph_device& d, int i, float p)
{
    const float4 place = d.place[i];
    d.pressure[i] = p;
    d.place_p[i] = make_float4(place.x, place.y, place.z, place.w * p);
}

__device__ __forceinline__ float source_of(const firn_sph_device& d, int i, float div)
{
    const float dt = d.control->dt_real, rest = d.rest_density[i];
    const float snow = firn_sph_source_lanes(rest, d.density[i], dt, div);
    if (!firn_sph_is_fluid(d, i)) return snow;
    return firn_sph_fluid_source_lanes(rest, d.strain1[i].w, dt, div, d.control->excess);
}

// x_j and V_j / rho_j for the neighbours, where densities differ.
__global__ void __launch_bounds__(THREADS) flow_weights(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i)) return;
    const float4 place = d.place[i];
    d.weighted[i] = make_float4(place.x, place.y, place.z, place.w / d.density[i]);
}

// rho_i V_i sum_j V_j / rho_j |grad W_ij|^2
__device__ float squares_of(const firn_sph_device& d, int i)
{
    const firn_sph_list list = firn_sph_list_of(d, i);
    const float4 place = d.place[i];
    float sum = 0;
    for (int k = 0; k < list.count; k++) {
        const float4 near = __ldg(d.weighted + firn_sph_neighbour(list, k));
        const firn_vec3 g = firn_v3_lanes_scale(
            firn_v3_lanes_sub(firn_sph_xyz(place), firn_sph_xyz(near)), __ldg(list.slope + 32 * k));
        sum = firn_lanes_fma(near.w, firn_v3_lanes_dot(g, g), sum);
    }
    return place.w * d.density[i] * sum;
}

__global__ void __launch_bounds__(THREADS) source(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i)) return;
    const float sum = sum_over_pairs<true>(d, d.v_star, i);
    const firn_sph_walls walls = firn_sph_walls_of(d, i);
    const float div = divergence(d, sum, i, firn_sph_xyz(d.v_star[i]), walls.B) + walls.divergence;
    const float dt = d.control->dt_real;
    d.source[i] = source_of(d, i, div);
    const firn_vec3 S = firn_sph_plane3(d.S, i), B = walls.B;
    const float own =
        firn_v3_lanes_dot(firn_v3_lanes_madd(S, firn_sph_psi_of(d, i), B), firn_v3_lanes_add(S, B));
    const float squares =
        d.volumes ? squares_of(d, i) + own : firn_lanes_fma(d.place[i].w, d.S2[i], own);
    const float diagonal = firn_sph_diagonal_lanes(d.rest_density[i] / d.lambda[i], dt, squares);
    d.diagonal[i] = diagonal;
    keep_pressure(d, i, diagonal < 0 ? d.motion[i].w : 0);
}

// V_i grad p_i, eq. 7.
__device__ __forceinline__ firn_vec3 weighted_gradient(const firn_sph_device& d, int i)
{
    const firn_sph_list list = firn_sph_list_of(d, i);
    const float4 place = d.place[i];
    const firn_vec3 x_i = firn_sph_xyz(place);
    firn_vec3 sum = {};
#pragma unroll 4
    for (int k = 0; k < list.count; k++) {
        const float4 near = __ldg(d.place_p + firn_sph_neighbour(list, k));
        sum = firn_v3_lanes_madd(sum, __ldg(list.slope + 32 * k) * near.w,
                                 firn_v3_lanes_sub(x_i, firn_sph_xyz(near)));
    }
    const firn_vec3 SB = firn_v3_lanes_madd(firn_sph_plane3(d.S, i), firn_sph_psi_of(d, i),
                                            firn_sph_walls_of(d, i).B);
    return firn_v3_lanes_scale(firn_v3_lanes_madd(sum, d.pressure[i], SB),
                               d.volumes ? place.w / d.density[i] : place.w);
}

__global__ void __launch_bounds__(THREADS) gradient(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i)) return;
    d.weighted[i] = firn_sph_quad(weighted_gradient(d, i), 0);
}

__global__ void __launch_bounds__(THREADS) update(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i)) return;
    const float dt = d.control->dt_real, old = d.pressure[i], rest = d.rest_density[i];
    const float inverse_volume = d.density[i] / d.at[i].w;
    const firn_vec3 own = firn_v3_lanes_scale(firn_sph_xyz(d.weighted[i]), inverse_volume);
    const firn_vec3 B = firn_sph_walls_of(d, i).B;
    const float laplacian = divergence(d, sum_over_pairs<false>(d, d.weighted, i), i, own, B);
    const float factor = d.volumes ? dt * dt * d.density[i] : dt * dt;
    const float miss = firn_sph_miss_lanes(d.source[i], factor, laplacian, rest / d.lambda[i], old);
    const float diagonal = d.diagonal[i];
    const bool some = diagonal < 0;
    float p = firn_sph_relax_lanes(old, d.control->jacobi.relaxation, diagonal, miss);
    float error = firn_lanes_abs(miss);
    if (d.volumes && firn_sph_thin_lanes(p, d.lambda[i])) {
        p = 0;
        error = firn_lanes_max(-miss, 0);
    }
    keep_pressure(d, i, some ? p : 0);
    d.miss[i] = some ? error / rest : 0;
}

__global__ void __launch_bounds__(FIRN_SPH_SUM_THREADS)
    errors(const __grid_constant__ firn_sph_device d)
{
    __shared__ double sums[FIRN_SPH_SUM_CHUNKS][2][1];
    if (d.control->halt != 0) return;
    const int count = d.control->count;
    firn_sph_chunk_sums<2, 2, 1>(
        count, sums,
        [&](int i, float* value) {
            value[0] = d.miss[i];
            value[1] = d.neighbours[i] > 0 || firn_sph_walls_of(d, i).kernel > 0 ? 1.0f : 0.0f;
        },
        [](int lane, auto of, double* sum) { sum[0] += of(lane); });
    const int chunk = (int)blockIdx.x * FIRN_SPH_SUM_CHUNKS + (int)threadIdx.x / 2;
    if (threadIdx.x < 2 * FIRN_SPH_SUM_CHUNKS && chunk <= count / FIRN_SPH_SUM_CHUNK)
        d.partial[2 * chunk + threadIdx.x % 2] = sums[threadIdx.x / 2][threadIdx.x % 2][0];
}

__global__ void __launch_bounds__(THREADS)
    judge(const __grid_constant__ firn_sph_device d, cudaGraphConditionalHandle loop)
{
    firn_sph_control* c = d.control;
    if (c->halt != 0) {
        if (threadIdx.x == 0) cudaGraphSetConditional(loop, 0);
        return;
    }
    double sum[2];
    firn_sph_add_chunks<2>(d.partial, c->count / FIRN_SPH_SUM_CHUNK + 1, sum);
    if (threadIdx.x != 0) return;
    c->jacobi_lost = firn_sph_jacobi_judge(&c->jacobi, sum[1] > 0 ? sum[0] / sum[1] : 0);
    cudaGraphSetConditional(
        loop, firn_sph_jacobi_goes_on(&c->jacobi, c->pressure_goal, d.pressure_iterations));
}

__global__ void begin(const __grid_constant__ firn_sph_device d, cudaGraphConditionalHandle loop)
{
    cudaGraphSetConditional(loop, d.control->halt == 0 && d.control->count > 0);
}

__global__ void __launch_bounds__(THREADS) reset(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i) || d.control->jacobi_lost == 0) return;
    keep_pressure(d, i, 0);
}

// v** = v* - dt/rho grad p
__global__ void __launch_bounds__(THREADS) push(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i)) return;
    const firn_vec3 g = weighted_gradient(d, i), v = firn_sph_xyz(d.v_star[i]);
    const float by = -d.control->dt_real / (d.volumes ? d.place[i].w : d.at[i].w);
    d.v_star[i] = firn_sph_quad(firn_v3_lanes_madd(v, by, g), 0);
    d.motion[i].w = d.pressure[i];
}

}  // namespace

cudaError_t firn_sph_launch_pressure(const firn_sph_device* d, cudaStream_t stream)
{
    cudaGraphConditionalHandle loop;
    cudaError_t e = firn_cuda_capture_handle(stream, &loop);
    if (e != cudaSuccess) return e;
    if (d->volumes) flow_weights<<<d->blocks, THREADS, 0, stream>>>(*d);
    source<<<d->blocks, THREADS, 0, stream>>>(*d);
    firn_sph_launch_open_couple(d, stream);
    begin<<<1, 1, 0, stream>>>(*d, loop);
    e = firn_cuda_capture_part(stream, loop, cudaGraphCondTypeWhile, [&](cudaStream_t inner) {
        firn_sph_launch_couple(d, inner);
        gradient<<<d->blocks, THREADS, 0, inner>>>(*d);
        update<<<d->blocks, THREADS, 0, inner>>>(*d);
        errors<<<firn_sph_sum_blocks(d), FIRN_SPH_SUM_THREADS, 0, inner>>>(*d);
        judge<<<1, THREADS, 0, inner>>>(*d, loop);
        reset<<<d->blocks, THREADS, 0, inner>>>(*d);
        return cudaGetLastError();
    });
    if (e != cudaSuccess) return e;
    push<<<d->blocks, THREADS, 0, stream>>>(*d);
    firn_sph_launch_couple(d, stream);
    firn_sph_launch_follow(d, stream);
    return cudaGetLastError();
}
