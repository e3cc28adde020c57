// SPDX-License-Identifier: MIT
// Dynamic colliders in the shear solve, on a GPU (rigid/sph_lumps_shear.c).
#include "solver/sph/cuda/rigid/device_holds.cuh"
#include "solver/sph/laws/stress.h"

namespace {

const int THREADS = FIRN_SPH_THREADS;
const int ANSWERS = FIRN_LUMP_TERMS + FIRN_SPH_YIELD_TERMS;

// True where no snow is near a dynamic collider.
__device__ bool is_far(const firn_sph_device& d)
{
    return d.control->halt != 0 || firn_sph_hold_count(d) == 0;
}

__device__ float lambda_of(const firn_sph_device& d, int i)
{
    return d.combined ? d.lambda[i] : 0;
}

__device__ firn_sph_held_snow snow_of(const firn_sph_device& d, const firn_sph_hold& hold)
{
    const int i = hold.particle;
    const float dt = d.control->dt_real;
    firn_sph_held_snow snow;
    snow.LB = firn_sph_xyz(d.contact_LB[hold.contact]);
    snow.mass = d.at[i].w;
    snow.volume = d.place[i].w;
    snow.stiffness = firn_sph_wall_stiffness(d.shear[i], lambda_of(d, i),
                                             firn_m3_trace(firn_sph_strain_upper(d, i)), dt * dt);
    snow.rubs = !d.paper_contact;
    return snow;
}

// ---- friction of faces --------------------------------------------------------------------------

__global__ void __launch_bounds__(THREADS) press(const __grid_constant__ firn_sph_device d)
{
    __shared__ double sum[FIRN_SPH_FACE_TERMS];
    if (firn_sph_lump_idle(d) || firn_sph_hold_count(d) == 0) return;
    const int t = (int)threadIdx.x;
    if (t < FIRN_SPH_FACE_TERMS) sum[t] = 0;
    __syncthreads();
    firn_sph_add_holds<FIRN_SPH_FACE_TERMS>(d, sum, [&](const firn_sph_hold& hold, double* own) {
        const firn_sph_contact_sums* near = &d.contact[hold.contact];
        if (near->friction > 0) firn_sph_face_add(&hold, near, d.at[hold.particle].w, own);
    });
    if (t < FIRN_SPH_FACE_TERMS) d.rigid.face[blockIdx.x][t] = sum[t];
}

__global__ void __launch_bounds__(THREADS) less(const __grid_constant__ firn_sph_device d)
{
    double all = 0;
    firn_sph_contact_sums* t = nullptr;
    firn_sph_each_hold(d, [&](const firn_sph_hold& hold) {
        t = &d.contact[hold.contact];
        all += (double)hold.part * firn_sph_face_less(t, d.rigid.face[hold.lump]);
    });
    if (t != nullptr) firn_sph_grip_less(t, all);
}

// ---- in the operator ----------------------------------------------------------------------------

// How the snow near the block's collider answers to its acceleration.
__global__ void __launch_bounds__(THREADS) answer(const __grid_constant__ firn_sph_device d)
{
    __shared__ double sum[ANSWERS];
    if (firn_sph_lump_idle(d) || firn_sph_hold_count(d) == 0) return;
    const int t = (int)threadIdx.x, k = (int)blockIdx.x;
    if (t < ANSWERS) sum[t] = 0;
    __syncthreads();
    const double dt = (double)d.control->dt_real;
    firn_sph_add_holds<ANSWERS>(d, sum, [&](const firn_sph_hold& hold, double* own) {
        const firn_sph_contact_sums* near = &d.contact[hold.contact];
        if (near->fluid) return;
        const firn_sph_held_snow snow = snow_of(d, hold);
        firn_sph_hold_answer(&hold, near, &snow, dt, own, own + FIRN_LUMP_TERMS);
    });
    if (t < FIRN_LUMP_TERMS) d.rigid.answer[k][t] = sum[t];
    if (t < FIRN_SPH_YIELD_TERMS) d.rigid.yield[k][t] = sum[FIRN_LUMP_TERMS + t];
}

// The acceleration of the block's collider by the stresses and velocities of a field.
__global__ void __launch_bounds__(THREADS)
    yield(const __grid_constant__ firn_sph_device d, const float4* u, bool known)
{
    __shared__ double sum[6];
    if (firn_sph_lump_idle(d) || firn_sph_hold_count(d) == 0) return;
    if (threadIdx.x < 6) sum[threadIdx.x] = 0;
    __syncthreads();
    const float dt = d.control->dt_real;
    firn_sph_add_holds<6>(d, sum, [&](const firn_sph_hold& hold, double* own) {
        const firn_sph_contact_sums* near = &d.contact[hold.contact];
        if (near->fluid) return;
        const firn_sph_held_snow snow = snow_of(d, hold);
        const firn_vec3 slide = firn_sph_slide(near, firn_sph_xyz(u[hold.particle]), dt, known);
        firn_sph_hold_pull(&hold, near, &snow, near->trace, slide, own);
    });
    if (threadIdx.x != 0) return;
    const int k = (int)blockIdx.x;
    if (known)
        firn_sph_lump_close(&d.rigid.lumps[k], d.rigid.pins, sum, (double)dt, d.rigid.answer[k],
                            d.rigid.yield[k]);
    double A[6];
    firn_sph_lump_yield(d.rigid.yield[k], sum, A);
    for (int a = 0; a < 6; a++) (known ? d.rigid.known : d.rigid.rate)[k][a] = A[a];
}

// What the snow near colliders has of that, in its stress, in its row of `rows`, and in `follow`.
__global__ void __launch_bounds__(THREADS)
    strain(const __grid_constant__ firn_sph_device d, const __grid_constant__ firn_sph_rows rows,
           bool known)
{
    const double(*rate)[6] = known ? d.rigid.known : d.rigid.rate;
    firn_sph_contact_sums* t = nullptr;
    double w = 0;
    firn_sph_each_hold(d, [&](const firn_sph_hold& hold) {
        if (t == nullptr) {
            t = &d.contact[hold.contact];
            t->follow = firn_v3(0, 0, 0);
        }
        if (t->fluid) return;
        w += firn_sph_hold_divergence(&hold, rate[hold.lump]);
        t->follow =
            firn_v3_madd(t->follow, hold.part, firn_lump_velocity_at(rate[hold.lump], hold.arm));
    });
    if (t == nullptr || t->fluid) return;
    const int i = t->particle;
    const float dt = d.control->dt_real, V = d.place[i].w;
    const firn_sph_wall_stress more =
        firn_sph_wall_stress_of(firn_sph_strain_upper(d, i), firn_sph_plane9(d.L, i), d.shear[i],
                                lambda_of(d, i), dt * dt, (float)w);
    for (int r = 0; r < 3; r++) {
        float4* stress = &d.stress[r][i];
        stress->x += V * more.T.m[r][0];
        stress->y += V * more.T.m[r][1];
        stress->z += V * more.T.m[r][2];
    }
    const firn_vec3 row = firn_sph_wall_stress_force(
        &more, firn_sph_plane3(d.S, i), firn_sph_xyz(d.contact_LB[firn_sph_thread()]),
        firn_sph_plane3(rows.plane, i), (float)(known ? 1 : -1) / d.strain1[i].w);
    firn_sph_keep3(rows.plane, i, row);
}

// ---- around the solves --------------------------------------------------------------------------

__global__ void __launch_bounds__(THREADS) grip_again(const __grid_constant__ firn_sph_device d)
{
    const float dt = d.control->dt_real;
    firn_sph_contact_sums* t = nullptr;
    firn_vec3 v_b = firn_v3(0, 0, 0);
    firn_sph_each_hold(d, [&](const firn_sph_hold& hold) {
        if (t == nullptr) {
            t = &d.contact[hold.contact];
            v_b = firn_v3_scale(t->drag_velocity, 1 / t->drag);
        }
        double rate[6];
        for (int a = 0; a < 6; a++)
            rate[a] = d.rigid.known[hold.lump][a] + d.rigid.rate[hold.lump][a];
        v_b = firn_v3_madd(v_b, dt * hold.part, firn_lump_velocity_at(rate, hold.arm));
    });
    if (t == nullptr || !(t->friction * t->push > 0)) return;
    const int i = t->particle;
    const firn_vec3 before = firn_v3_scale(t->drag_velocity, 1 / t->drag);
    const firn_vec3 v = firn_v3_madd(firn_sph_xyz(d.v_star[i]), dt, firn_sph_xyz(d.pull[i]));
    firn_sph_grip_at(t, v, v_b, firn_sph_least_slip(dt, d.control->gravity_size));
    t->drag_velocity = firn_v3_scale(before, t->drag);
}

// Whether a second solve follows; it counts its own iterations.
__global__ void again(const __grid_constant__ firn_sph_device d, cudaGraphConditionalHandle second)
{
    firn_sph_control* c = d.control;
    const bool follows = !is_far(d);
    if (follows) {
        c->first_shear = c->bicg.iterations;
        c->bicg = firn_sph_bicg{};
    }
    cudaGraphSetConditional(second, follows);
}

__global__ void finish(const __grid_constant__ firn_sph_device d)
{
    if (is_far(d)) return;
    firn_sph_control* c = d.control;
    const double dt = (double)c->dt_real;
    for (int k = (int)threadIdx.x; k < d.rigid.head->count; k += (int)blockDim.x)
        for (int a = 0; a < 6; a++)
            d.rigid.lumps[k].V[a] += dt * (d.rigid.known[k][a] + d.rigid.rate[k][a]);
    if (threadIdx.x == 0 && c->bicg.iterations < c->first_shear)
        c->bicg.iterations = c->first_shear;
}

}  // namespace

void firn_sph_launch_open_shear(const firn_sph_device* d, cudaStream_t stream)
{
    if (!d->rigid.active) return;
    if (d->coulomb) {
        press<<<d->bodies.count, THREADS, 0, stream>>>(*d);
        less<<<firn_sph_contact_blocks(d), THREADS, 0, stream>>>(*d);
    }
    firn_sph_launch_rub(d, stream);
}

void firn_sph_launch_yield(const firn_sph_device* d, const float4* u, const firn_sph_rows* rows,
                           bool known, cudaStream_t stream)
{
    if (!d->rigid.active) return;
    if (known) answer<<<d->bodies.count, THREADS, 0, stream>>>(*d);
    yield<<<d->bodies.count, THREADS, 0, stream>>>(*d, u, known);
    strain<<<firn_sph_contact_blocks(d), THREADS, 0, stream>>>(*d, *rows, known);
}

void firn_sph_launch_grip_again(const firn_sph_device* d, cudaStream_t stream)
{
    grip_again<<<firn_sph_contact_blocks(d), THREADS, 0, stream>>>(*d);
}

void firn_sph_launch_again(const firn_sph_device* d, cudaGraphConditionalHandle second,
                           cudaStream_t stream)
{
    again<<<1, 1, 0, stream>>>(*d, second);
}

void firn_sph_launch_close_shear(const firn_sph_device* d, cudaStream_t stream)
{
    if (!d->rigid.active) return;
    finish<<<1, 64, 0, stream>>>(*d);
    firn_sph_launch_rub(d, stream);
    firn_sph_launch_follow(d, stream);
}
