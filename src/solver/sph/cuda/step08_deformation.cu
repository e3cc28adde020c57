// SPDX-License-Identifier: MIT
// Step 8 on a GPU (step08_deformation.h, fast/step08_deformation_simd.c).
#include "solver/sph/cuda/fused_rounding.cuh"
// above all others
#include "physics/deformation.h"
#include "solver/sph/cuda/device_contact.cuh"
#include "solver/sph/laws/clamp.h"
#include "solver/sph/laws/gradient.h"
#include "solver/sph/laws/material.h"

namespace {

const int THREADS = FIRN_SPH_THREADS;

__device__ __forceinline__ firn_sph_clamped clamp_near(const firn_mat3& of, float low, float high,
                                                       bool* near)
{
    const firn_sph_clamp_lanes c = firn_sph_clamp_near_lanes(&of, low, high);
    *near = c.near;
    const firn_mat3 F = {
        {{1 + c.G.xx, c.G.xy, c.G.xz}, {c.G.xy, 1 + c.G.yy, c.G.yz}, {c.G.xz, c.G.yz, 1 + c.G.zz}}};
    return firn_sph_clamped{F, c.ratio};
}

__global__ void __launch_bounds__(THREADS) deform(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i) || d.control->has_snow == 0) return;
    if (d.fluids && firn_sph_is_fluid(d, i)) {  // fluids keep F_E = 1
        d.strain0[i] = make_float4(1, 0, 0, 1);
        d.strain1[i] = make_float4(0, 1, 0, d.strain1[i].w);
        d.strain2[i] = make_float4(0, 0, 1, d.strain2[i].w);
        return;
    }
    const firn_mat3 sum = firn_sph_sum_gradient(d, d.motion, i);  // alone: it needs registers
    const float dt = d.control->dt_real;
    const firn_sph_material* mat = &d.materials[d.tag[i].y];
    const float theta_c = d.varied != nullptr ? mat->theta_c * d.varied[i].y : mat->theta_c;
    const float theta_s = d.varied != nullptr ? mat->theta_s * d.varied[i].z : mat->theta_s;
    const firn_sph_walls walls = firn_sph_walls_of(d, i);
    const firn_mat3 grad =
        firn_sph_gradient_from_lanes(sum, firn_sph_xyz(d.motion[i]), firn_sph_plane3(d.S, i),
                                     walls.B, firn_sph_plane9(d.L, i), walls.divergence);
    firn_mat3 trial = firn_deformation_trial_lanes(firn_sph_strain_upper(d, i), dt, grad);
    if (!d.paper_clamp) {
        const firn_mat3 M = firn_sph_plane6(d.M, i);
        trial = firn_m3_lanes_scale(trial, firn_sph_rotation_factor_lanes(&grad, &M, dt));
    }
    firn_mat3 of = trial;  // F', or F'^T for the paper's form
    if (d.paper_clamp) of = firn_m3_transpose(trial);
    bool near;
    firn_sph_clamped c = clamp_near(of, 1 - theta_c, 1 + theta_s, &near);
    if (!near) c = firn_sph_clamp_particle(trial, theta_c, theta_s, d.paper_clamp);
    const float J_P = d.strain0[i].w;
    d.strain0[i] =
        make_float4(c.F_E.m[0][0], c.F_E.m[0][1], c.F_E.m[0][2], d.plastic ? J_P * c.ratio : J_P);
    d.strain1[i] = make_float4(c.F_E.m[1][0], c.F_E.m[1][1], c.F_E.m[1][2], d.strain1[i].w);
    d.strain2[i] = make_float4(c.F_E.m[2][0], c.F_E.m[2][1], c.F_E.m[2][2], d.strain2[i].w);
}

}  // namespace

void firn_sph_launch_deformation(const firn_sph_device* d, cudaStream_t stream)
{
    deform<<<d->blocks, THREADS, 0, stream>>>(firn_sph_snow_of(d));
}
