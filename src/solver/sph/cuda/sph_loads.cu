// SPDX-License-Identifier: MIT
// Loads on colliders on a GPU (support/sph_loads.c): reactions to what they give to the particles
// near them, after step 7.
#include "solver/sph/cuda/boundary/device_shares.cuh"
#include "solver/sph/cuda/chunk_sums.cuh"
#include "solver/sph/laws/gradient.h"
#include "solver/sph/laws/stress.h"

namespace {

const int THREADS = FIRN_SPH_THREADS;

__device__ bool is_idle(const firn_sph_device& d)
{
    return d.control->halt != 0 || d.control->contact_count == 0;
}

// The stress of the new velocities, as firn_sph_gradient_particle has their gradient.
__device__ firn_mat3 stress_of(const firn_sph_device& d, int i)
{
    const firn_sph_list list = firn_sph_list_of(d, i);
    const firn_vec3 x_i = firn_sph_xyz(d.place[i]);
    firn_mat3 sum = {};
    for (int k = 0; k < list.count; k++) {
        const uint32_t j = firn_sph_neighbour(list, k);
        const float4 near = d.place[j];
        const firn_vec3 g = firn_v3_scale(firn_v3_sub(x_i, firn_sph_xyz(near)), list.slope[32 * k]);
        const firn_vec3 u = firn_v3_scale(firn_sph_xyz(d.motion[j]), near.w);
        sum = firn_m3_add(sum, firn_m3_outer(u, g));
    }
    const firn_sph_walls walls = firn_sph_walls_of(d, i);
    const firn_mat3 grad =
        firn_sph_gradient_from(sum, firn_sph_xyz(d.motion[i]), firn_sph_plane3(d.S, i), walls.B,
                               firn_sph_plane9(d.L, i), walls.divergence);
    const firn_mat3 F = firn_sph_strain_upper(d, i);
    return firn_sph_stress(firn_m3_mul(grad, F), F, d.shear[i], d.combined ? d.lambda[i] : 0,
                           d.control->dt_real, true);
}

__global__ void __launch_bounds__(THREADS) give(const __grid_constant__ firn_sph_device d)
{
    const firn_sph_control* c = d.control;
    const int k = firn_sph_thread();
    if (c->halt != 0 || k >= c->contact_count) return;
    firn_sph_contact_sums* t = &d.contact[k];
    if (t->body == FIRN_SPH_NO_BODY) return;
    const int i = t->particle;
    if (d.fluids && firn_sph_is_fluid(d, i)) return;
    firn_sph_reaction r;
    r.sigma = stress_of(d, i);
    r.L = firn_sph_plane9(d.L, i);
    r.M = firn_sph_plane6(d.M, i);
    r.LB = firn_sph_xyz(d.contact_LB[k]);
    r.velocity = firn_sph_xyz(d.motion[i]);
    r.volume = d.place[i].w;
    r.density = d.strain1[i].w;
    r.dt = c->dt_real;
    r.rubs = !d.paper_contact;
    firn_sph_react(&r, t);
}

// Chunks of particles: the momenta that step 6 has given. A thread per axis.
__global__ void __launch_bounds__(FIRN_SPH_SUM_THREADS)
    sum_got(const __grid_constant__ firn_sph_device d)
{
    __shared__ double sums[FIRN_SPH_SUM_CHUNKS][3][2];
    if (is_idle(d)) return;
    const int count = d.control->count;
    const double dt = (double)d.control->dt_real;
    firn_sph_chunk_sums<7, 3, 2>(
        count, sums,
        [&](int i, float* value) {
            const firn_vec3 v =
                d.control->has_snow != 0 ? firn_sph_xyz(d.pull[i]) : firn_v3(0, 0, 0);
            const float all[7] = {d.at[i].x, d.at[i].y, d.at[i].z, v.x, v.y, v.z, d.at[i].w};
            for (int n = 0; n < 7; n++) value[n] = all[n];
        },
        [&](int lane, auto of, double* sum) {
            const double x[3] = {of(0), of(1), of(2)}, v[3] = {of(3), of(4), of(5)};
            double own[FIRN_SPH_GOT];
            firn_sph_momenta(of(6) * dt, x, v, own);
            sum[0] += lane == 0 ? own[0] : lane == 1 ? own[1] : own[2];
            sum[1] += lane == 0 ? own[3] : lane == 1 ? own[4] : own[5];
        });
    for (int n = (int)threadIdx.x; n < FIRN_SPH_SUM_CHUNKS * FIRN_SPH_GOT; n += (int)blockDim.x) {
        const int own = n / FIRN_SPH_GOT, k = n % FIRN_SPH_GOT;
        const int chunk = (int)blockIdx.x * FIRN_SPH_SUM_CHUNKS + own;
        if (chunk <= count / FIRN_SPH_SUM_CHUNK)
            d.partial[FIRN_SPH_GOT * chunk + k] = sums[own][k % 3][k / 3];
    }
}

// Chunks of contacts: what colliders gave of it, and how much of the rest they take. A block of
// threads per chunk computes the terms of a tile of contacts; a thread per sum adds them in order.
__global__ void __launch_bounds__(THREADS) sum_gave(const __grid_constant__ firn_sph_device d)
{
    const int TILE = 64;
    __shared__ double tile[TILE][FIRN_SPH_SUMS];
    if (is_idle(d)) return;
    const int thread = (int)threadIdx.x, first = (int)blockIdx.x * FIRN_SPH_SUM_CHUNK;
    const int count = d.control->contact_count;
    const int end = min(first + FIRN_SPH_SUM_CHUNK, count);
    double sum = 0;
    for (int at = first; at < end; at += TILE) {
        const int k = at + thread;
        if (thread < TILE && k < end) {
            const firn_sph_contact_sums* t = &d.contact[k];
            double own[FIRN_SPH_SUMS] = {};
            if (t->body != FIRN_SPH_NO_BODY)
                firn_sph_gave(t, (double)d.at[t->particle].w, firn_sph_xyz(d.at[t->particle]),
                              d.control->dt, own);
            for (int n = 0; n < FIRN_SPH_SUMS; n++) tile[thread][n] = own[n];
        }
        __syncthreads();
        if (thread < FIRN_SPH_SUMS)
            for (int n = 0; n < min(TILE, end - at); n++) sum += tile[n][thread];
        __syncthreads();
    }
    if (thread < FIRN_SPH_SUMS && first <= count)
        d.partial[FIRN_SPH_SUMS * (int)blockIdx.x + thread] = sum;
}

__device__ int chunks_of(int count)
{
    return (count + FIRN_SPH_SUM_CHUNK - 1) / FIRN_SPH_SUM_CHUNK;
}

__global__ void __launch_bounds__(THREADS) add_got(const __grid_constant__ firn_sph_device d)
{
    if (is_idle(d)) return;
    double sum[FIRN_SPH_GOT];
    firn_sph_add_chunks<FIRN_SPH_GOT>(d.partial, chunks_of(d.control->count), sum);
    if (threadIdx.x != 0) return;
    for (int k = 0; k < FIRN_SPH_GOT; k++) d.control->got[k] = sum[k];
}

__global__ void __launch_bounds__(THREADS) add_gave(const __grid_constant__ firn_sph_device d)
{
    firn_sph_control* c = d.control;
    if (is_idle(d)) return;
    double sum[FIRN_SPH_SUMS];
    firn_sph_add_chunks<FIRN_SPH_SUMS>(d.partial, chunks_of(c->contact_count), sum);
    if (threadIdx.x == 0) c->residual = firn_sph_residual_of(c->got, sum, d.spacing);
}

// Adds the impulse j [N s] on a collider near a particle, and `part` of the couple.
__device__ void take(const firn_sph_device& d, int body, int i, const double j[3],
                     const double l[3], double part)
{
    firn_impulse* taken = &firn_cuda_loads_mine(d.loads)[body];
    const firn_vec3 arm = firn_v3_sub(firn_sph_xyz(d.at[i]), d.bodies.bodies[body].pose.position);
    firn_impulse_add(taken, arm, j[0], j[1], j[2]);
    firn_impulse_turn(taken, part * l[0], part * l[1], part * l[2]);
}

__device__ void take_shared(const firn_sph_device& d, int i, const double j[3], const double l[3])
{
    firn_sph_share all[FIRN_SPH_SHARES];
    const int count = firn_sph_shares_of(d, i, all);
    const firn_sph_split split = firn_sph_split_begin(all, count, j);
    for (int k = 0; k < count; k++) {
        double own[3];
        const double part = firn_sph_split_take(&split, &all[k], j, own);
        take(d, all[k].body, i, own, l, part);
    }
}

__global__ void __launch_bounds__(THREADS) react(const __grid_constant__ firn_sph_device d)
{
    const firn_sph_control* c = d.control;
    const int k = firn_sph_thread();
    if (c->halt != 0 || k >= c->contact_count) return;
    const firn_sph_contact_sums* t = &d.contact[k];
    if (t->body == FIRN_SPH_NO_BODY) return;
    const int i = t->particle;
    const float dt = c->dt_real, m = d.at[i].w;
    firn_vec3 before = firn_v3_madd(t->braked, dt, t->adhesion);
    if (!d.combined)
        before = firn_v3_madd(
            before, -dt * firn_sph_psi_of(d, i) * d.place[i].w * d.motion[i].w / m, t->gradient);
    const double mass = (double)m;
    const firn_sph_carried open = firn_sph_open_of(t, mass, c->dt);
    double j[3], l[3];
    firn_sph_residual_at(&c->residual, &open, firn_sph_xyz(d.at[i]), j, l);
    firn_sph_take_back(t, before, mass, j, l);
    if (t->body >= 0)
        take(d, t->body, i, j, l, 1);
    else
        take_shared(d, i, j, l);
}

}  // namespace

void firn_sph_launch_loads(const firn_sph_device* d, cudaStream_t stream)
{
    if (d->wall.count == 0) return;
    const int blocks = firn_sph_contact_blocks(d);
    give<<<blocks, THREADS, 0, stream>>>(firn_sph_snow_of(d));
    sum_got<<<firn_sph_sum_blocks(d), FIRN_SPH_SUM_THREADS, 0, stream>>>(*d);
    add_got<<<1, THREADS, 0, stream>>>(*d);
    sum_gave<<<d->contact_capacity / FIRN_SPH_SUM_CHUNK + 1, THREADS, 0, stream>>>(*d);
    add_gave<<<1, THREADS, 0, stream>>>(*d);
    react<<<blocks, THREADS, 0, stream>>>(*d);
}
