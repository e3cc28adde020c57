// SPDX-License-Identifier: MIT
// Step 6 on a GPU (step06_shear.h, fast/step06_shear_simd.c): two passes over the pairs apply the
// operator, and Bi-CGSTAB (device_bicgstab.cuh) iterates as often as the device decides.
#include "solver/sph/cuda/fused_rounding.cuh"
// above all others
#include "device/cuda_graph.cuh"
#include "solver/sph/cuda/device_bicgstab.cuh"
#include "solver/sph/cuda/rigid/device_holds.cuh"
#include "solver/sph/laws/gradient.h"
#include "solver/sph/laws/stress.h"

namespace {

const int THREADS = FIRN_SPH_THREADS;

// What is computed: the operator, the right-hand side, or where to start.
enum field { OPERATOR, KNOWN, START };

// When a pass is needed.
enum when { ALWAYS, IF_SOME, IF_WHOLE, IF_SECOND };

typedef firn_sph_rows rows;

__device__ __forceinline__ firn_vec3 row_at(const rows& to, int i)
{
    return to.record != nullptr ? firn_sph_xyz(to.record[i]) : firn_sph_plane3(to.plane, i);
}

__device__ __forceinline__ void keep_row(const rows& to, int i, firn_vec3 row)
{
    if (to.record != nullptr)
        firn_sph_put3(&to.record[i], row);
    else
        firn_sph_keep3(to.plane, i, row);
}

__device__ __forceinline__ bool is_idle(const firn_sph_device& d, when need)
{
    const firn_sph_control* c = d.control;
    const firn_sph_bicg* s = &c->bicg;
    return c->halt != 0 || (need == IF_SOME && s->zero != 0) ||
           (need == IF_WHOLE && s->broken != 0) ||
           (need == IF_SECOND && (s->broken != 0 || s->second == 0));
}

// The stresses V sigma L of all particles, with a coordinate as fourth real, for their neighbours;
// and in `out` what a particle's own stress does.
template <field FIELD>
__global__ void __launch_bounds__(THREADS)
    stress(const __grid_constant__ firn_sph_device d, const float4* __restrict__ u,
           const __grid_constant__ rows out, when need)
{
    const int i = firn_sph_thread();
    if (is_idle(d, need) || i >= d.control->count) return;
    const float dt = d.control->dt_real;
    firn_mat3 H = {};
    if (FIELD != START) H = firn_sph_sum_gradient(d, u, i);  // alone: it needs registers
    const firn_sph_walls walls = firn_sph_walls_of(d, i);
    const firn_mat3 F = firn_sph_strain_upper(d, i), L = firn_sph_plane9(d.L, i);
    const firn_vec3 S = firn_sph_plane3(d.S, i);
    firn_vec3 u_i = {};
    if (FIELD != START) {
        u_i = firn_sph_xyz(u[i]);
        const firn_mat3 grad = firn_sph_gradient_from_lanes(H, u_i, S, walls.B, L,
                                                            FIELD == KNOWN ? walls.divergence : 0);
        H = firn_m3_lanes_mul(grad, F);
    }
    const firn_mat3 sigma = firn_sph_stress_lanes(&H, &F, d.shear[i], d.combined ? d.lambda[i] : 0,
                                                  FIELD == OPERATOR ? dt * dt
                                                  : FIELD == KNOWN  ? dt
                                                                    : 0,
                                                  FIELD != OPERATOR);
    if (FIELD != START && d.rigid.active) {
        const int k = firn_sph_contact_of(d, i);
        if (k >= 0) d.contact[k].trace = sigma.m[0][0] + sigma.m[1][1] + sigma.m[2][2];
    }
    const firn_mat3 T = firn_m3_lanes_mul(sigma, L);
    const float4 place = d.place[i];
    const firn_mat3 V = firn_m3_lanes_scale(T, place.w);
    const float x[3] = {place.x, place.y, place.z};
#pragma unroll
    for (int r = 0; r < 3; r++) d.stress[r][i] = make_float4(V.m[r][0], V.m[r][1], V.m[r][2], x[r]);
    const float factor = (FIELD == OPERATOR ? -1 : 1) / d.density[i];
    const firn_vec3 own = FIELD == OPERATOR ? u_i : firn_v3(0, 0, 0);
    keep_row(out, i, firn_sph_own_force_lanes(&sigma, &T, S, walls.LB, factor, own));
}

// Friction in the row of a particle near colliders: of the operator (u: what it is applied to), or
// of a known stress.
template <bool KNOWN_STRESS>
__device__ __forceinline__ firn_vec3 rub(const firn_sph_device& d, int i, const float4* u,
                                         firn_vec3 row)
{
    const int k = d.paper_contact ? -1 : firn_sph_contact_of(d, i);
    if (k < 0 || !(d.contact[k].drag > 0)) return row;
    const firn_sph_contact_sums* t = &d.contact[k];
    const float dt = d.control->dt_real;
    // `follow` is 0 but for snow near dynamic colliders
    const bool follows = d.rigid.active && firn_sph_hold_count(d) > 0;
    if (KNOWN_STRESS) {
        const firn_vec3 rubbed = firn_v3_add(firn_sph_held(t, dt, row),
                                             firn_sph_braking(t, dt, firn_sph_xyz(d.v_star[i])));
        return follows ? firn_v3_add(rubbed, firn_sph_followed(t, dt)) : rubbed;
    }
    const firn_vec3 u_i = firn_sph_xyz(u[i]);
    const firn_vec3 rubbed = firn_v3_sub(u_i, firn_sph_held(t, dt, firn_v3_sub(u_i, row)));
    return follows ? firn_v3_sub(rubbed, firn_sph_followed(t, dt)) : rubbed;
}

// Adds to `out` what the neighbours' stresses do, eq. 19 for sigma_j, and friction.
template <bool KNOWN_STRESS>
__global__ void __launch_bounds__(THREADS)
    force(const __grid_constant__ firn_sph_device d, const float4* u,
          const __grid_constant__ rows out, when need)
{
    const int i = firn_sph_thread();
    if (is_idle(d, need) || i >= d.control->count) return;
    const firn_sph_list list = firn_sph_list_of(d, i);
    const firn_vec3 x_i = firn_sph_xyz(d.place[i]);
    firn_vec3 sum = {};
#pragma unroll 4
    for (int k = 0; k < list.count; k++) {
        const uint32_t j = firn_sph_neighbour(list, k);
        const float4 a = __ldg(d.stress[0] + j), b = __ldg(d.stress[1] + j);
        const float4 c = __ldg(d.stress[2] + j);
        const firn_vec3 g = firn_v3_lanes_scale(
            firn_v3_lanes_sub(x_i, firn_v3_lanes(a.w, b.w, c.w)), __ldg(list.slope + 32 * k));
        sum.x = firn_lanes_fma(a.x, g.x, firn_lanes_fma(a.y, g.y, firn_lanes_fma(a.z, g.z, sum.x)));
        sum.y = firn_lanes_fma(b.x, g.x, firn_lanes_fma(b.y, g.y, firn_lanes_fma(b.z, g.z, sum.y)));
        sum.z = firn_lanes_fma(c.x, g.x, firn_lanes_fma(c.y, g.y, firn_lanes_fma(c.z, g.z, sum.z)));
    }
    const float factor = (KNOWN_STRESS ? 1 : -1) / d.density[i];
    const firn_vec3 row = firn_v3_lanes_madd(row_at(out, i), factor, sum);
    firn_vec3 rubbed = rub<KNOWN_STRESS>(d, i, u, row);
    if (d.fluids && firn_sph_is_fluid(d, i))  // they have no part in the solve: a = 0
        rubbed = KNOWN_STRESS ? firn_v3(0, 0, 0) : firn_sph_xyz(u[i]);
    keep_row(out, i, rubbed);
}

// a^G = 0 where the right-hand side is.
__global__ void __launch_bounds__(THREADS) clear(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (!firn_sph_idle(d, i) && d.control->bicg.zero != 0)
        firn_sph_put3(&d.pull[i], firn_v3(0, 0, 0));
}

rows to_planes(float* const plane[3])
{
    return rows{nullptr, {plane[0], plane[1], plane[2]}};
}

void apply(const firn_sph_device* d, const float4* u, float* const plane[3], when need,
           cudaStream_t stream)
{
    const rows out = to_planes(plane);
    stress<OPERATOR><<<d->blocks, THREADS, 0, stream>>>(*d, u, out, need);
    firn_sph_launch_yield(d, u, &out, false, stream);
    force<false><<<d->blocks, THREADS, 0, stream>>>(*d, u, out, need);
}

cudaError_t launch_iteration(const firn_sph_device* d, cudaGraphConditionalHandle loop,
                             cudaStream_t stream)
{
    cudaGraphConditionalHandle again;
    const cudaError_t e = firn_cuda_capture_handle(stream, &again);
    if (e != cudaSuccess) return e;
    firn_sph_launch_bicg_turn(d, stream);
    apply(d, d->p, d->v, IF_WHOLE, stream);
    firn_sph_launch_bicg(d, FIRN_BICG_ALPHA, 0, 0, stream);
    firn_sph_launch_bicg(d, FIRN_BICG_HALF, 0, 0, stream);
    apply(d, d->s, d->t, IF_SECOND, stream);
    firn_sph_launch_bicg(d, FIRN_BICG_OMEGA, 0, 0, stream);
    firn_sph_launch_bicg(d, FIRN_BICG_MOVE, loop, again, stream);
    return firn_cuda_capture_part(stream, again, cudaGraphCondTypeIf, [&](cudaStream_t inner) {
        apply(d, d->pull, d->v, ALWAYS, inner);
        firn_sph_launch_bicg(d, FIRN_BICG_RESTART, loop, 0, inner);
        return cudaGetLastError();
    });
}

__global__ void if_snow(const __grid_constant__ firn_sph_device d, cudaGraphConditionalHandle some)
{
    cudaGraphSetConditional(some, d.control->halt == 0 && d.control->has_snow != 0);
}

// Solves from the acceleration that is known so far.
cudaError_t launch_from(const firn_sph_device* d, cudaStream_t stream)
{
    cudaGraphConditionalHandle loop;
    cudaError_t e = firn_cuda_capture_handle(stream, &loop);
    if (e != cudaSuccess) return e;
    const rows b = to_planes(d->b);
    stress<KNOWN><<<d->blocks, THREADS, 0, stream>>>(*d, d->v_star, b, ALWAYS);
    firn_sph_launch_yield(d, d->v_star, &b, true, stream);
    force<true><<<d->blocks, THREADS, 0, stream>>>(*d, nullptr, b, ALWAYS);
    firn_sph_launch_bicg(d, FIRN_BICG_SIZE, 0, 0, stream);
    clear<<<d->blocks, THREADS, 0, stream>>>(*d);
    apply(d, d->pull, d->v, IF_SOME, stream);
    firn_sph_launch_bicg(d, FIRN_BICG_FIT, 0, 0, stream);
    firn_sph_launch_bicg(d, FIRN_BICG_START, loop, 0, stream);
    e = firn_cuda_capture_part(stream, loop, cudaGraphCondTypeWhile, [&](cudaStream_t inner) {
        return launch_iteration(d, loop, inner);
    });
    if (e == cudaSuccess && d->rigid.active) apply(d, d->pull, d->t, ALWAYS, stream);
    return e;
}

// Coulomb's friction on dynamic colliders needs a second solve.
cudaError_t launch_again(const firn_sph_device* d, cudaStream_t stream)
{
    cudaGraphConditionalHandle second;
    const cudaError_t e = firn_cuda_capture_handle(stream, &second);
    if (e != cudaSuccess) return e;
    firn_sph_launch_again(d, second, stream);
    return firn_cuda_capture_part(stream, second, cudaGraphCondTypeIf, [&](cudaStream_t inner) {
        firn_sph_launch_grip_again(d, inner);
        return launch_from(d, inner);
    });
}

cudaError_t launch_solve(const firn_sph_device* d, cudaStream_t stream)
{
    firn_sph_launch_grip(d, stream);
    firn_sph_launch_open_shear(d, stream);
    const rows x = {d->pull, {}};
    stress<START><<<d->blocks, THREADS, 0, stream>>>(*d, nullptr, x, ALWAYS);
    force<true><<<d->blocks, THREADS, 0, stream>>>(*d, nullptr, x, ALWAYS);
    cudaError_t e = launch_from(d, stream);
    if (e == cudaSuccess && d->rigid.active && d->coulomb) e = launch_again(d, stream);
    if (e == cudaSuccess) firn_sph_launch_close_shear(d, stream);
    return e;
}

}  // namespace

cudaError_t firn_sph_launch_shear(const firn_sph_device* all, cudaStream_t stream)
{
    if (!all->fluids) return launch_solve(all, stream);
    cudaGraphConditionalHandle some;
    const cudaError_t e = firn_cuda_capture_handle(stream, &some);
    if (e != cudaSuccess) return e;
    if_snow<<<1, 1, 0, stream>>>(*all, some);
    const firn_sph_device snow = firn_sph_snow_of(all);
    return firn_cuda_capture_part(stream, some, cudaGraphCondTypeIf,
                                  [&](cudaStream_t inner) { return launch_solve(&snow, inner); });
}
