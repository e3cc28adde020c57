// SPDX-License-Identifier: MIT
// Step 6 on a GPU (step06_shear.h, fast/step06_shear_simd.c): two passes over the pairs apply the
// operator, and Bi-CGSTAB (device_bicgstab.cuh) iterates as often as the device decides.
#include "solver/sph/cuda/fused_rounding.cuh"
// above all others
#include "device/cuda_graph.cuh"
#include "solver/sph/cuda/device_bicgstab.cuh"
#include "solver/sph/cuda/device_contact.cuh"
#include "solver/sph/laws/gradient.h"
#include "solver/sph/laws/stress.h"

namespace {

const int THREADS = FIRN_SPH_THREADS;

// What is computed: the operator, the right-hand side, or where to start.
enum field { OPERATOR, KNOWN, START };

// When a pass is needed.
enum when { ALWAYS, IF_SOME, IF_WHOLE, IF_SECOND };

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
    stress(const __grid_constant__ firn_sph_device d, const float4* __restrict__ u, float4* out,
           when need)
{
    const int i = firn_sph_thread();
    if (is_idle(d, need) || i >= d.control->count) return;
    const float dt = d.control->dt_real;
    const firn_mat3 F = firn_sph_plane6(d.F, i), L = firn_sph_plane9(d.L, i);
    const firn_vec3 S = firn_sph_plane3(d.S, i);
    firn_vec3 u_i = {};
    firn_mat3 H = {};
    if (FIELD != START) {
        u_i = firn_sph_xyz(u[i]);
        const firn_mat3 grad = firn_sph_gradient_from_lanes(
            firn_sph_sum_gradient(d, u, i), u_i, S, firn_sph_plane3(d.B, i), L,
            FIELD == KNOWN ? d.wall_divergence[i] : 0);
        H = firn_m3_lanes_mul(grad, F);
    }
    const firn_mat3 sigma = firn_sph_stress_lanes(&H, &F, d.shear[i], d.combined ? d.lambda[i] : 0,
                                                  FIELD == OPERATOR ? dt * dt
                                                  : FIELD == KNOWN  ? dt
                                                                    : 0,
                                                  FIELD != OPERATOR);
    const firn_mat3 T = firn_m3_lanes_mul(sigma, L);
    const float4 place = d.place[i];
    const firn_mat3 V = firn_m3_lanes_scale(T, place.w);
    const float x[3] = {place.x, place.y, place.z};
    for (int r = 0; r < 3; r++)
        d.stress[3 * (size_t)i + r] = make_float4(V.m[r][0], V.m[r][1], V.m[r][2], x[r]);
    const float factor = (FIELD == OPERATOR ? -1 : 1) / d.density[i];
    const firn_vec3 own = FIELD == OPERATOR ? u_i : firn_v3(0, 0, 0);
    out[i] = firn_sph_quad(
        firn_sph_own_force_lanes(&sigma, &T, S, firn_sph_plane3(d.LB, i), factor, own), 0);
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
    if (KNOWN_STRESS)
        return firn_v3_add(firn_sph_held(t, dt, row),
                           firn_sph_braking(t, dt, firn_sph_xyz(d.v_star[i])));
    const firn_vec3 u_i = firn_sph_xyz(u[i]);
    return firn_v3_sub(u_i, firn_sph_held(t, dt, firn_v3_sub(u_i, row)));
}

// Adds to `out` what the neighbours' stresses do, eq. 19 for sigma_j, and friction.
template <bool KNOWN_STRESS>
__global__ void __launch_bounds__(THREADS)
    force(const __grid_constant__ firn_sph_device d, const float4* u, float4* out, when need)
{
    const int i = firn_sph_thread();
    if (is_idle(d, need) || i >= d.control->count) return;
    const firn_sph_list list = firn_sph_list_of(d, i);
    const firn_vec3 x_i = firn_sph_xyz(d.place[i]);
    firn_vec3 sum = {};
#pragma unroll 2
    for (int k = 0; k < list.count; k++) {
        const float4* at = d.stress + 3 * (size_t)__ldg(list.j + 32 * k);
        const float4 a = __ldg(at), b = __ldg(at + 1), c = __ldg(at + 2);
        const firn_vec3 g = firn_v3_lanes_scale(
            firn_v3_lanes_sub(x_i, firn_v3_lanes(a.w, b.w, c.w)), __ldg(list.slope + 32 * k));
        sum.x = firn_lanes_fma(a.x, g.x, firn_lanes_fma(a.y, g.y, firn_lanes_fma(a.z, g.z, sum.x)));
        sum.y = firn_lanes_fma(b.x, g.x, firn_lanes_fma(b.y, g.y, firn_lanes_fma(b.z, g.z, sum.y)));
        sum.z = firn_lanes_fma(c.x, g.x, firn_lanes_fma(c.y, g.y, firn_lanes_fma(c.z, g.z, sum.z)));
    }
    const float factor = (KNOWN_STRESS ? 1 : -1) / d.density[i];
    const firn_vec3 row = firn_v3_lanes_madd(firn_sph_xyz(out[i]), factor, sum);
    out[i] = firn_sph_quad(rub<KNOWN_STRESS>(d, i, u, row), 0);
}

// a^G = 0 where the right-hand side is.
__global__ void __launch_bounds__(THREADS) clear(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (!firn_sph_idle(d, i) && d.control->bicg.zero != 0) d.a_G[i] = make_float4(0, 0, 0, 0);
}

void apply(const firn_sph_device* d, const float4* u, float4* out, when need, cudaStream_t stream)
{
    stress<OPERATOR><<<d->blocks, THREADS, 0, stream>>>(*d, u, out, need);
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
        apply(d, d->a_G, d->v, ALWAYS, inner);
        firn_sph_launch_bicg(d, FIRN_BICG_RESTART, loop, 0, inner);
        return cudaGetLastError();
    });
}

}  // namespace

cudaError_t firn_sph_launch_shear(const firn_sph_device* d, cudaStream_t stream)
{
    cudaGraphConditionalHandle loop;
    const cudaError_t e = firn_cuda_capture_handle(stream, &loop);
    if (e != cudaSuccess) return e;
    firn_sph_launch_grip(d, stream);
    stress<START><<<d->blocks, THREADS, 0, stream>>>(*d, nullptr, d->a_G, ALWAYS);
    force<true><<<d->blocks, THREADS, 0, stream>>>(*d, nullptr, d->a_G, ALWAYS);
    stress<KNOWN><<<d->blocks, THREADS, 0, stream>>>(*d, d->v_star, d->b, ALWAYS);
    force<true><<<d->blocks, THREADS, 0, stream>>>(*d, nullptr, d->b, ALWAYS);
    firn_sph_launch_bicg(d, FIRN_BICG_SIZE, 0, 0, stream);
    clear<<<d->blocks, THREADS, 0, stream>>>(*d);
    apply(d, d->a_G, d->v, IF_SOME, stream);
    firn_sph_launch_bicg(d, FIRN_BICG_FIT, 0, 0, stream);
    firn_sph_launch_bicg(d, FIRN_BICG_START, loop, 0, stream);
    return firn_cuda_capture_part(stream, loop, cudaGraphCondTypeWhile, [&](cudaStream_t inner) {
        return launch_iteration(d, loop, inner);
    });
}
