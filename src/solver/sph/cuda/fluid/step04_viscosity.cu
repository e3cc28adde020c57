// SPDX-License-Identifier: MIT
// Viscosity of fluids on a GPU (step04_viscosity.c): one explicit step, or conjugate residuals
// (linalg/cr.h) with the sums and decisions of the CPU. The device decides which, and how often.
//
//     A v*    size, start    while not good enough: A r, dot, turn, move    what walls have given
#include "solver/sph/cuda/fused_rounding.cuh"
// above all others
#include "device/cuda_graph.cuh"
#include "solver/sph/cuda/chunk_sums.cuh"
#include "solver/sph/cuda/device_contact.cuh"
#include "solver/sph/laws/viscosity.h"

namespace {

const int THREADS = FIRN_SPH_THREADS;

// Passes over all entries with a sum, which is followed by a decision.
enum pass {
    SIZE,    // <b, b>
    START,   // r = b - A v*, p = Ap = 0; <r, r>
    DOT,     // <r, A r>
    TURN,    // p = r + beta p, Ap = A r + beta Ap; <Ap, Ap>
    MOVE,    // v* += alpha p, r -= alpha Ap; <r, r>
    CHANGED  // sum m (v* - b)
};

__device__ __forceinline__ bool is_skipped(const firn_sph_control* c, pass which)
{
    if (c->halt != 0 || c->viscous == 0) return true;
    return which == CHANGED ? c->contact_count == 0 : c->cr.active == 0;
}

// Viscosities, and b = v* + dt kappa v_wall.
__global__ void __launch_bounds__(THREADS) prepare(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    firn_sph_control* c = d.control;
    if (i == 0 && c->halt == 0) {
        c->cr.active = c->viscous != 0 && c->count > 0;
        c->cr.converged = 1;
    }
    if (firn_sph_idle(d, i)) return;
    d.mu[i] = firn_sph_viscosity(&d.materials[d.tag[i].y], d.h, d.strain2[i].w);
    firn_vec3 b = firn_sph_xyz(d.v_star[i]);
    const int k = firn_sph_contact_of(d, i);
    if (k >= 0 && d.contact[k].fluid)
        b = firn_v3_add(b, firn_v3_scale(d.contact[k].drag_velocity, c->dt_real));
    firn_sph_keep3(d.b, i, b);
}

// out = A u. `in_solve`: only while the solve iterates.
__global__ void __launch_bounds__(THREADS)
    apply(const __grid_constant__ firn_sph_device d, const float4* __restrict__ u, float4* out,
          bool in_solve)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i) || (in_solve && d.control->cr.active == 0)) return;
    const firn_sph_list list = firn_sph_list_of(d, i);
    const float4 x_i = d.place[i];
    const firn_vec3 u_i = firn_sph_xyz(u[i]);
    const float mu_i = d.mu[i], dt = d.control->dt_real;
    firn_vec3 sum = {};
    for (int k = 0; k < list.count; k++) {
        const uint32_t j = firn_sph_neighbour(list, k);
        const float mu_j = d.mu[j];
        if (isinf(mu_i) && isinf(mu_j)) continue;
        const float4 x_j = d.place[j];
        const firn_vec3 x = firn_v3_sub(firn_sph_xyz(x_i), firn_sph_xyz(x_j));
        const firn_vec3 v = firn_v3_sub(u_i, firn_sph_xyz(u[j]));
        const float factor = firn_viscosity_factor(firn_viscosity_pair(mu_i, mu_j), x_i.w, x_j.w,
                                                   list.slope[32 * k], firn_v3_dot(x, x), d.h);
        sum = firn_viscosity_add(sum, factor, x, v);
    }
    firn_vec3 row = firn_v3_lanes_madd(u_i, -dt / d.at[i].w, sum);
    const int k = firn_sph_contact_of(d, i);
    if (k >= 0 && d.contact[k].fluid) row = firn_v3_lanes_madd(row, dt * d.contact[k].drag, u_i);
    out[i] = firn_sph_quad(row, 0);
}

// v* + (v* - A v*), where no fluid needs the solve.
__global__ void __launch_bounds__(THREADS) explicitly(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i) || d.control->viscous != 0) return;
    const firn_vec3 v = firn_sph_xyz(d.v_star[i]);
    d.v_star[i] = firn_sph_quad(firn_v3_add(v, firn_v3_sub(v, firn_sph_xyz(d.cr_Ap[i]))), 0);
}

// What a pass does with entry i, and the products that are added: of vectors, but for CHANGED.
__device__ __forceinline__ firn_vec3 work(const firn_sph_device& d, pass which, int i)
{
    const firn_sph_cr* s = &d.control->cr;
    firn_vec3 x, y;
    switch (which) {
    case SIZE: x = y = firn_sph_plane3(d.b, i); break;
    case START:
        x = y = firn_v3_sub(firn_sph_plane3(d.b, i), firn_sph_xyz(d.cr_Ap[i]));
        d.cr_r[i] = firn_sph_quad(x, 0);
        d.cr_p[i] = d.cr_Ap[i] = make_float4(0, 0, 0, 0);
        break;
    case DOT:
        x = firn_sph_xyz(d.cr_r[i]);
        y = firn_sph_xyz(d.cr_Az[i]);
        break;
    case TURN: {
        const firn_vec3 p =
            firn_v3_lanes_madd(firn_sph_xyz(d.cr_r[i]), s->beta, firn_sph_xyz(d.cr_p[i]));
        x = y = firn_v3_lanes_madd(firn_sph_xyz(d.cr_Az[i]), s->beta, firn_sph_xyz(d.cr_Ap[i]));
        d.cr_p[i] = firn_sph_quad(p, 0);
        d.cr_Ap[i] = firn_sph_quad(x, 0);
        break;
    }
    case MOVE: {
        const firn_vec3 v =
            firn_v3_lanes_madd(firn_sph_xyz(d.v_star[i]), s->alpha, firn_sph_xyz(d.cr_p[i]));
        x = y = firn_v3_lanes_madd(firn_sph_xyz(d.cr_r[i]), -s->alpha, firn_sph_xyz(d.cr_Ap[i]));
        d.v_star[i] = firn_sph_quad(v, 0);
        d.cr_r[i] = firn_sph_quad(x, 0);
        break;
    }
    default: return firn_v3_sub(firn_sph_xyz(d.v_star[i]), firn_sph_plane3(d.b, i));
    }
    return firn_v3(x.x * y.x, x.y * y.y, x.z * y.z);
}

__global__ void __launch_bounds__(FIRN_SPH_SUM_THREADS)
    run(const __grid_constant__ firn_sph_device d, pass which)
{
    __shared__ double sums[FIRN_SPH_SUM_CHUNKS][3][1];
    if (is_skipped(d.control, which)) return;
    const int count = d.control->count;
    firn_sph_chunk_sums<4, 3, 1>(
        count, sums,
        [&](int i, float* value) {
            const firn_vec3 product = work(d, which, i);
            value[0] = product.x;
            value[1] = product.y;
            value[2] = product.z;
            value[3] = d.at[i].w;
        },
        [](int lane, auto of, double* sum) { sum[0] += of(3) * of(lane); });
    const int own = (int)threadIdx.x / 3, k = (int)threadIdx.x % 3;
    const int chunk = (int)blockIdx.x * FIRN_SPH_SUM_CHUNKS + own;
    if (own >= FIRN_SPH_SUM_CHUNKS || chunk > count / FIRN_SPH_SUM_CHUNK) return;
    if (which == CHANGED)
        d.partial[3 * chunk + k] = sums[own][k][0];
    else if (k == 0)
        d.partial[chunk] = sums[own][0][0] + sums[own][1][0] + sums[own][2][0];
}

// Decides after a pass. False: the solve ends.
__device__ bool decide(const firn_sph_device& d, pass which, double sum)
{
    firn_sph_control* c = d.control;
    firn_sph_cr* s = &c->cr;
    switch (which) {
    case SIZE:
        s->size = sqrt(sum);
        if (!(s->size > 0)) return false;
        s->size = fmax(s->size, firn_sph_viscosity_floor(c->gravity, c->dt, c->mass));
        return true;
    case START:
        s->rr = sum;
        s->residual = sqrt(sum) / s->size;
        return s->residual > FIRN_SPH_VISCOSITY_TOLERANCE;
    case DOT:
        s->beta = s->iterations == 0 ? 0 : (float)(sum / s->zAz);
        s->zAz = sum;
        return true;
    case TURN:
        if (!(sum > 0) || !(fabs(s->zAz) > 1e-14 * sqrt(s->rr * sum))) {
            s->converged = 0;
            return false;
        }
        s->alpha = (float)(s->zAz / sum);
        return true;
    default: break;
    }
    s->rr = sum;
    s->iterations++;
    s->residual = sqrt(sum) / s->size;
    if (!(s->residual > FIRN_SPH_VISCOSITY_TOLERANCE)) return false;
    s->converged = s->iterations < d.shear_iterations;
    return s->converged != 0;
}

__global__ void __launch_bounds__(THREADS)
    judge(const __grid_constant__ firn_sph_device d, pass which, cudaGraphConditionalHandle loop)
{
    firn_sph_control* c = d.control;
    if (!is_skipped(c, which)) {
        double sum[1];
        firn_sph_add_chunks<1>(d.partial, c->count / FIRN_SPH_SUM_CHUNK + 1, sum);
        if (threadIdx.x == 0) c->cr.active = decide(d, which, sum[0]);
    }
    if (threadIdx.x == 0 && (which == START || which == MOVE))
        cudaGraphSetConditional(loop, c->halt == 0 && c->cr.active != 0);
}

__global__ void __launch_bounds__(THREADS) brake(const __grid_constant__ firn_sph_device d)
{
    const firn_sph_control* c = d.control;
    const int k = firn_sph_thread();
    if (c->halt != 0 || c->viscous == 0 || k >= c->contact_count) return;
    firn_sph_contact_sums* t = &d.contact[k];
    if (!t->fluid) return;
    const firn_vec3 v = firn_sph_xyz(d.v_star[t->particle]);
    t->braked = firn_v3_scale(firn_v3_madd(t->drag_velocity, -t->drag, v), c->dt_real);
}

// What walls have not given of the change of all momenta, per weight. The contacts one after the
// other, as on the CPU: a warp loads them, four of its threads add.
__global__ void __launch_bounds__(THREADS) sum_left(const __grid_constant__ firn_sph_device d)
{
    __shared__ double tile[THREADS][4];
    firn_sph_control* c = d.control;
    if (is_skipped(c, CHANGED)) return;
    double sum[3];
    firn_sph_add_chunks<3>(d.partial, c->count / FIRN_SPH_SUM_CHUNK + 1, sum);
    const int lane = (int)threadIdx.x;
    double own = lane < 3 ? sum[lane] : 0;
    for (int at = 0; at < c->contact_count; at += THREADS) {
        const int k = at + lane, n = min(THREADS, c->contact_count - at);
        for (int a = 0; a < 4; a++) tile[lane][a] = 0;
        if (k < c->contact_count && d.contact[k].fluid) {
            const firn_sph_contact_sums* t = &d.contact[k];
            const double mass = (double)d.at[t->particle].w;
            const firn_vec3 given = firn_v3_madd(t->braked, -c->dt_real, t->drag_velocity);
            tile[lane][0] = mass * (double)given.x;
            tile[lane][1] = mass * (double)given.y;
            tile[lane][2] = mass * (double)given.z;
            tile[lane][3] = mass * (double)t->drag;
        }
        __syncthreads();
        for (int e = 0; lane < 4 && e < n; e++) own += lane < 3 ? -tile[e][lane] : tile[e][lane];
        __syncthreads();
    }
    if (lane < 3) c->cr.left[lane] = own;
    if (lane == 3) c->cr.weight = own;
}

__global__ void __launch_bounds__(THREADS) share_left(const __grid_constant__ firn_sph_device d)
{
    const firn_sph_control* c = d.control;
    const int k = firn_sph_thread();
    if (is_skipped(c, CHANGED) || k >= c->contact_count || !(c->cr.weight > 0)) return;
    firn_sph_contact_sums* t = &d.contact[k];
    const double* left = c->cr.left;
    const firn_vec3 per = firn_v3((float)(left[0] / c->cr.weight), (float)(left[1] / c->cr.weight),
                                  (float)(left[2] / c->cr.weight));
    if (t->fluid) t->braked = firn_v3_madd(t->braked, t->drag, per);
}

void launch_pass(const firn_sph_device* d, pass which, cudaGraphConditionalHandle loop,
                 cudaStream_t stream)
{
    run<<<firn_sph_sum_blocks(d), FIRN_SPH_SUM_THREADS, 0, stream>>>(*d, which);
    judge<<<1, THREADS, 0, stream>>>(*d, which, loop);
}

}  // namespace

cudaError_t firn_sph_launch_viscosity(const firn_sph_device* d, cudaStream_t stream)
{
    if (!d->fluids) return cudaSuccess;
    cudaGraphConditionalHandle loop;
    cudaError_t e = firn_cuda_capture_handle(stream, &loop);
    if (e != cudaSuccess) return e;
    prepare<<<d->blocks, THREADS, 0, stream>>>(*d);
    apply<<<d->blocks, THREADS, 0, stream>>>(*d, d->v_star, d->cr_Ap, false);
    explicitly<<<d->blocks, THREADS, 0, stream>>>(*d);
    launch_pass(d, SIZE, loop, stream);
    launch_pass(d, START, loop, stream);
    e = firn_cuda_capture_part(stream, loop, cudaGraphCondTypeWhile, [&](cudaStream_t inner) {
        apply<<<d->blocks, THREADS, 0, inner>>>(*d, d->cr_r, d->cr_Az, true);
        launch_pass(d, DOT, loop, inner);
        launch_pass(d, TURN, loop, inner);
        launch_pass(d, MOVE, loop, inner);
        return cudaGetLastError();
    });
    if (e != cudaSuccess || d->wall.count == 0) return e;
    const int blocks = firn_sph_contact_blocks(d);
    brake<<<blocks, THREADS, 0, stream>>>(*d);
    run<<<firn_sph_sum_blocks(d), FIRN_SPH_SUM_THREADS, 0, stream>>>(*d, CHANGED);
    sum_left<<<1, THREADS, 0, stream>>>(*d);
    share_left<<<blocks, THREADS, 0, stream>>>(*d);
    return cudaGetLastError();
}
