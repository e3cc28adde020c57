// SPDX-License-Identifier: MIT
// Step 2 on a GPU (step02_gradient_correction.h, fast/step02_gradient_correction_simd.c).
#include "solver/sph/cuda/fused_rounding.cuh"
// above all others
#include "solver/sph/cuda/device_contact.cuh"
#include "solver/sph/cuda/sph_device.cuh"
#include "solver/sph/laws/correction.h"

namespace {

const int THREADS = FIRN_SPH_THREADS;

// S, S2 and M.
__device__ __forceinline__ firn_mat3 sum_moments(const firn_sph_device& d, int i)
{
    const firn_sph_list list = firn_sph_list_of(d, i);
    const firn_vec3 x_i = firn_sph_xyz(d.place[i]);
    firn_vec3 S = {};
    float S2 = 0;
    firn_mat3 M = {};
#pragma unroll 2
    for (int k = 0; k < list.count; k++) {
        const float4 near = __ldg(d.place + firn_sph_neighbour(list, k));
        const firn_vec3 x_j = firn_sph_xyz(near);
        const firn_vec3 grad =
            firn_v3_lanes_scale(firn_v3_lanes_sub(x_i, x_j), __ldg(list.slope + 32 * k));
        const firn_vec3 x_ji = firn_v3_lanes_sub(x_j, x_i);
        const float g[3] = {grad.x * near.w, grad.y * near.w, grad.z * near.w};
        const float w[3] = {x_ji.x, x_ji.y, x_ji.z};
        S = firn_v3_lanes_add(S, firn_v3_lanes(g[0], g[1], g[2]));
        S2 = firn_lanes_fma(g[0], grad.x,
                            firn_lanes_fma(g[1], grad.y, firn_lanes_fma(g[2], grad.z, S2)));
#pragma unroll
        for (int r = 0; r < 3; r++)
#pragma unroll
            for (int c = 0; c < 3; c++) M.m[r][c] = firn_lanes_fma(g[r], w[c], M.m[r][c]);
    }
    firn_sph_keep3(d.S, i, S);
    d.S2[i] = S2;
    return M;
}

// `of_snow`: the second pass, over neighbours that are snow.
__global__ void __launch_bounds__(THREADS)
    correct(const __grid_constant__ firn_sph_device d, bool of_snow)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i) || (of_snow && d.control->has_snow == 0)) return;
    firn_mat3 M = sum_moments(d, i);
    const float six[6] = {M.m[0][0], M.m[0][1], M.m[0][2], M.m[1][1], M.m[1][2], M.m[2][2]};
    for (int k = 0; k < 6; k++) d.M[k][i] = six[k];
    const int t = firn_sph_contact_of(d, i);
    if (t >= 0)
        for (int k = 0; k < 9; k++) M.m[k / 3][k % 3] += d.contact[t].moment.m[k / 3][k % 3];
    bool full;
    firn_mat3 L = firn_sph_inverse_lanes(M, &full);
    if (!full) L = firn_sph_pseudo_inverse(M);
    for (int k = 0; k < 9; k++) d.L[k][i] = L.m[k / 3][k % 3];
    if (t < 0) return;
    const firn_sph_contact_sums* sums = &d.contact[t];
    firn_sph_put3(&d.contact_LB[t], firn_sph_along_normal(sums, firn_m3_mul_v3(L, sums->gradient)));
}

}  // namespace

void firn_sph_launch_gradient_correction(const firn_sph_device* d, cudaStream_t stream)
{
    correct<<<d->blocks, THREADS, 0, stream>>>(*d, false);
    if (!d->fluids) return;
    firn_sph_launch_snow_places(d, stream);
    correct<<<d->blocks, THREADS, 0, stream>>>(firn_sph_snow_of(d), true);
}
