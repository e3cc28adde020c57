// SPDX-License-Identifier: MIT
// Dynamic colliders in the solves, on a GPU (rigid/sph_lumps.c); rigid_shear.cu has that of step 6.
#include "solver/load_of.h"
#include "solver/sph/cuda/rigid/device_holds.cuh"

namespace {

const int THREADS = FIRN_SPH_THREADS;
const int BRAKES = FIRN_LUMP_TERMS + 6;

__global__ void __launch_bounds__(THREADS) carry(const __grid_constant__ firn_sph_device d)
{
    __shared__ double sum[1];
    if (firn_sph_lump_idle(d)) return;
    if (threadIdx.x == 0) sum[0] = 0;
    __syncthreads();
    firn_sph_add_holds<1>(d, sum, [&](const firn_sph_hold& hold, double* own) {
        own[0] = (double)d.at[hold.particle].w * (double)hold.part;
    });
    if (threadIdx.x == 0) d.rigid.lumps[blockIdx.x].carried = sum[0];
}

// ---- friction -----------------------------------------------------------------------------------

__global__ void __launch_bounds__(THREADS)
    brake(const __grid_constant__ firn_sph_device d, firn_sph_brake how)
{
    __shared__ double sum[BRAKES];
    if (firn_sph_lump_idle(d) || firn_sph_hold_count(d) == 0) return;
    if (threadIdx.x < BRAKES) sum[threadIdx.x] = 0;
    __syncthreads();
    const double dt = d.control->dt;
    firn_sph_add_holds<BRAKES>(d, sum, [&](const firn_sph_hold& hold, double* own) {
        const int i = hold.particle;
        firn_sph_hold_brake(&hold, &d.contact[hold.contact], how, dt, d.at[i].w,
                            firn_sph_xyz(d.v_star[i]), own, own + FIRN_LUMP_TERMS);
    });
    if (threadIdx.x != 0) return;
    firn_lump* lump = &d.rigid.lumps[blockIdx.x];
    double A[FIRN_LUMP_TERMS], side[6], held[6];
    for (int t = 0; t < FIRN_LUMP_TERMS; t++) A[t] = sum[t];
    firn_lump_apply(A, lump->V, held);
    for (int a = 0; a < 6; a++) side[a] = sum[FIRN_LUMP_TERMS + a] - held[a];
    for (int t = 0; t < FIRN_LUMP_TERMS; t++) A[t] += lump->own[t];
    firn_sph_lump_solve(lump, d.rigid.pins, A, side);
}

__device__ void change_since(const firn_sph_device& d, const double (*since)[6], int k,
                             double out[6])
{
    for (int a = 0; a < 6; a++) out[a] = d.rigid.lumps[k].V[a] - since[k][a];
}

__global__ void __launch_bounds__(THREADS) drag(const __grid_constant__ firn_sph_device d)
{
    firn_sph_each_hold(d, [&](const firn_sph_hold& hold) {
        firn_sph_contact_sums* t = &d.contact[hold.contact];
        double change[6];
        change_since(d, d.rigid.before, hold.lump, change);
        t->drag_velocity = firn_v3_madd(t->drag_velocity, t->drag * hold.part,
                                        firn_lump_velocity_at(change, hold.arm));
    });
}

// V is what `since` remembers from now on.
__global__ void remember(const __grid_constant__ firn_sph_device d, double (*since)[6])
{
    if (d.control->halt != 0) return;
    for (int k = (int)threadIdx.x; k < d.rigid.head->count; k += (int)blockDim.x)
        for (int a = 0; a < 6; a++) since[k][a] = d.rigid.lumps[k].V[a];
}

// ---- pressure -----------------------------------------------------------------------------------

// Impulse per pressure [m^2 s] on a collider.
__device__ double push_of(const firn_sph_device& d, const firn_sph_hold& hold)
{
    const int i = hold.particle;
    return (double)d.control->dt_real * (double)firn_sph_psi_of(d, i) * (double)d.place[i].w;
}

__global__ void __launch_bounds__(THREADS) soften(const __grid_constant__ firn_sph_device d)
{
    __shared__ double sum[FIRN_LUMP_TERMS];
    if (firn_sph_lump_idle(d)) return;
    if (threadIdx.x < FIRN_LUMP_TERMS) sum[threadIdx.x] = 0;
    __syncthreads();
    firn_sph_add_holds<FIRN_LUMP_TERMS>(d, sum, [&](const firn_sph_hold& hold, double* own) {
        const int i = hold.particle;
        const double diagonal = -(double)d.diagonal[i];
        if (!(diagonal > 0)) return;
        const double rate =
            (double)d.relaxation * (double)d.density[i] * (double)d.control->dt_real / diagonal;
        firn_sph_hold_soften(&hold, push_of(d, hold), rate, own);
    });
    const int t = (int)threadIdx.x, k = (int)blockIdx.x;
    if (t < FIRN_LUMP_TERMS) d.rigid.soft[k][t] = sum[t];
    if (t < 6) d.rigid.start[k][t] = d.rigid.lumps[k].V[t];
}

__global__ void __launch_bounds__(THREADS) keep_sources(const __grid_constant__ firn_sph_device d)
{
    firn_sph_each_hold(d, [&](firn_sph_hold& hold) { hold.source = d.source[hold.particle]; });
}

__global__ void __launch_bounds__(THREADS) push(const __grid_constant__ firn_sph_device d)
{
    __shared__ double sum[6];
    if (firn_sph_lump_idle(d)) return;
    firn_lump* lump = &d.rigid.lumps[blockIdx.x];
    if (threadIdx.x == 0) {
        double late[6];
        for (int a = 0; a < 6; a++) late[a] = d.rigid.start[blockIdx.x][a] - lump->V[a];
        firn_lump_apply(lump->own, late, sum);
    }
    __syncthreads();
    firn_sph_add_holds<6>(d, sum, [&](const firn_sph_hold& hold, double* own) {
        firn_sph_hold_push(&hold, push_of(d, hold), (double)d.pressure[hold.particle], own);
    });
    if (threadIdx.x != 0) return;
    double A[FIRN_LUMP_TERMS];
    for (int t = 0; t < FIRN_LUMP_TERMS; t++) A[t] = lump->own[t] + d.rigid.soft[blockIdx.x][t];
    firn_sph_lump_solve(lump, d.rigid.pins, A, sum);
}

__global__ void __launch_bounds__(THREADS) sources(const __grid_constant__ firn_sph_device d)
{
    float source = 0;
    bool first = true;
    firn_sph_each_hold(d, [&](const firn_sph_hold& hold) {
        const int i = hold.particle;
        double change[6];
        if (first) source = hold.source;
        first = false;
        change_since(d, d.rigid.first, hold.lump, change);
        source += (float)((double)d.density[i] * (double)d.control->dt_real *
                          firn_sph_hold_divergence(&hold, change));
        d.source[i] = source;
    });
}

__global__ void __launch_bounds__(THREADS) follow(const __grid_constant__ firn_sph_device d)
{
    firn_sph_each_hold(d, [&](const firn_sph_hold& hold) {
        double change[6];
        change_since(d, d.rigid.first, hold.lump, change);
        d.contact_B[hold.contact].w += (float)firn_sph_hold_divergence(&hold, change);
    });
}

// ---- what the solves left over ------------------------------------------------------------------

// The load of a collider so far.
__device__ firn_collider_load load_so_far(const firn_sph_device& d, int collider)
{
    firn_impulse sum = {}, shared = {};
    const size_t each = (size_t)(d.loads.count + 1);
    for (int copy = 0; copy < FIRN_CUDA_LOADS_COPIES; copy++) {
        const firn_impulse* part = d.loads.sums + (size_t)copy * each;
        for (int k = 0; k < FIRN_IMPULSE_SUMS; k++) {
            sum.high[k] += part[collider].high[k];
            sum.low[k] += part[collider].low[k];
        }
    }
    // sph gives no weight: colliders share nothing
    return firn_load_of(&sum, &shared, 0, d.rigid.center[collider],
                        &d.bodies.bodies[collider].pose);
}

__global__ void __launch_bounds__(THREADS) balance(const __grid_constant__ firn_sph_device d)
{
    __shared__ double sum[FIRN_LUMP_TERMS];
    if (firn_sph_lump_idle(d)) return;
    const int k = (int)blockIdx.x;
    const firn_lump* lump = &d.rigid.lumps[k];
    if (threadIdx.x == 0) d.rigid.balanced[k] = 0;
    if (firn_sph_hold_count(d) == 0) return;
    if (threadIdx.x < FIRN_LUMP_TERMS) sum[threadIdx.x] = lump->own[threadIdx.x];
    __syncthreads();
    firn_sph_add_holds<FIRN_LUMP_TERMS>(d, sum, [&](const firn_sph_hold& hold, double* own) {
        firn_sph_hold_weigh(&hold, d.at[hold.particle].w, own);
    });
    if (threadIdx.x != 0) return;
    const firn_collider_load load = load_so_far(d, lump->collider);
    double left[6];
    firn_sph_lump_left(lump, load.impulse, load.angular, left);
    d.rigid.balanced[k] = firn_sph_lump_balance(lump, d.rigid.pins, left, sum, d.rigid.change[k]);
}

// Particles get their part of it, from lump after lump.
__global__ void __launch_bounds__(THREADS) give_back(const __grid_constant__ firn_sph_device d)
{
    const int k = firn_sph_thread();
    if (d.control->halt != 0 || k >= d.control->contact_count) return;
    const uint32_t begin = d.rigid.hold_first[k], end = d.rigid.hold_first[k + 1];
    for (int last = -1;;) {
        const firn_sph_hold* next = nullptr;
        for (uint32_t n = begin; n < end; n++) {
            const firn_sph_hold* hold = &d.rigid.hold[n];
            if (hold->lump > last && (next == nullptr || hold->lump < next->lump)) next = hold;
        }
        if (next == nullptr) return;
        last = next->lump;
        if (d.rigid.balanced[last] == 0) continue;
        const int i = next->particle, c = d.rigid.lumps[last].collider;
        const firn_vec3 before = firn_sph_xyz(d.motion[i]), x = firn_sph_xyz(d.at[i]);
        const firn_vec3 after = firn_v3_madd(
            before, next->part, firn_lump_velocity_at(d.rigid.change[last], next->arm));
        d.motion[i] = firn_sph_quad(after, d.motion[i].w);
        firn_impulse_take(&firn_cuda_loads_mine(d.loads)[c],
                          firn_v3_sub(x, d.bodies.bodies[c].pose.position), d.at[i].w, before,
                          after);
    }
}

// The colliders move at V until the end of the step.
__global__ void pose(const __grid_constant__ firn_sph_device d)
{
    if (d.control->halt != 0) return;
    for (int k = (int)threadIdx.x; k < d.rigid.head->count; k += (int)blockDim.x) {
        firn_lump* lump = &d.rigid.lumps[k];
        for (int a = 0; a < 6 && d.rigid.balanced[k] != 0; a++) lump->V[a] += d.rigid.change[k][a];
        firn_pose* at = &d.bodies.bodies[lump->collider].pose;
        firn_lump_pose(lump, at->position, &at->velocity, &at->spin);
    }
}

}  // namespace

void firn_sph_launch_carry(const firn_sph_device* d, cudaStream_t stream)
{
    if (d->rigid.active) carry<<<d->bodies.count, THREADS, 0, stream>>>(*d);
}

void firn_sph_launch_brake(const firn_sph_device* d, firn_sph_brake how, cudaStream_t stream)
{
    if (!d->rigid.active) return;
    brake<<<d->bodies.count, THREADS, 0, stream>>>(*d, how);
    firn_sph_launch_rub(d, stream);
}

void firn_sph_launch_rub(const firn_sph_device* d, cudaStream_t stream)
{
    if (!d->rigid.active) return;
    drag<<<firn_sph_contact_blocks(d), THREADS, 0, stream>>>(*d);
    remember<<<1, 64, 0, stream>>>(*d, d->rigid.before);
}

void firn_sph_launch_open_couple(const firn_sph_device* d, cudaStream_t stream)
{
    if (!d->rigid.active) return;
    soften<<<d->bodies.count, THREADS, 0, stream>>>(*d);
    keep_sources<<<firn_sph_contact_blocks(d), THREADS, 0, stream>>>(*d);
}

void firn_sph_launch_couple(const firn_sph_device* d, cudaStream_t stream)
{
    if (!d->rigid.active) return;
    push<<<d->bodies.count, THREADS, 0, stream>>>(*d);
    sources<<<firn_sph_contact_blocks(d), THREADS, 0, stream>>>(*d);
}

void firn_sph_launch_follow(const firn_sph_device* d, cudaStream_t stream)
{
    if (!d->rigid.active) return;
    follow<<<firn_sph_contact_blocks(d), THREADS, 0, stream>>>(*d);
    remember<<<1, 64, 0, stream>>>(*d, d->rigid.first);
}

void firn_sph_launch_balance(const firn_sph_device* d, cudaStream_t stream)
{
    if (!d->rigid.active) return;
    balance<<<d->bodies.count, THREADS, 0, stream>>>(*d);
    give_back<<<firn_sph_contact_blocks(d), THREADS, 0, stream>>>(*d);
    pose<<<1, 64, 0, stream>>>(*d);
}
