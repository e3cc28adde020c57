// SPDX-License-Identifier: MIT
// Elastic and plastic part of a deformation (Gissler 2020, section 3.3.1), plain and as a SIMD
// batch, for C and CUDA; step08_deformation.h explains it.
#pragma once
#include "math/svd3.h"
#include "physics/snow_plasticity_lanes.h"

// What F' is multiplied by. With w the angle of the step about its axis, 1 + dt (skew part of
// grad v) has the determinant 1 + w^2, while plain sums see the volume change by
// q = (w^2 tr M - w.Mw)/2: ((1 + q)/(1 + w^2))^(1/3), by the first terms of its series. M, the sum
// of V_j grad W_ij x_ji^T over snow, is positive semidefinite, and 1 inside of snow.
FIRN_FN firn_real firn_sph_rotation_factor(firn_mat3 grad, firn_mat3 M, firn_real dt)
{
    const firn_vec3 curl = firn_v3(grad.m[2][1] - grad.m[1][2], grad.m[0][2] - grad.m[2][0],
                                   grad.m[1][0] - grad.m[0][1]);
    const firn_vec3 w = firn_v3_scale(curl, dt / 2);
    const firn_real w2 = firn_v3_dot(w, w);
    const firn_real q = (w2 * firn_m3_trace(M) - firn_v3_dot(w, firn_m3_mul_v3(M, w))) / 2;
    const firn_real x = (w2 - q) / (1 + w2) / 3;
    return 1 - x - x * x;
}

// The same of a SIMD batch.
FIRN_LANES_FN firn_lanes firn_sph_rotation_factor_lanes(const firn_mat3_lanes* grad,
                                                        const firn_mat3_lanes* M, firn_lanes dt)
{
    const firn_lanes half = firn_lanes_all((firn_real)0.5), one = firn_lanes_all(1);
    const firn_lanes third = firn_lanes_all((firn_real)(1.0 / 3));
    const firn_vec3_lanes curl =
        firn_v3_lanes(grad->m[2][1] - grad->m[1][2], grad->m[0][2] - grad->m[2][0],
                      grad->m[1][0] - grad->m[0][1]);
    const firn_vec3_lanes w = firn_v3_lanes_scale(curl, half * dt);
    const firn_lanes w2 = firn_v3_lanes_dot(w, w);
    const firn_lanes trace = M->m[0][0] + M->m[1][1] + M->m[2][2];
    const firn_vec3_lanes Mw = firn_v3_lanes(firn_v3_lanes_dot(firn_m3_lanes_column(*M, 0), w),
                                             firn_v3_lanes_dot(firn_m3_lanes_column(*M, 1), w),
                                             firn_v3_lanes_dot(firn_m3_lanes_column(*M, 2), w));
    const firn_lanes q = half * (w2 * trace - firn_v3_lanes_dot(w, Mw));
    const firn_lanes x = third * ((w2 - q) / (one + w2));
    return one - x - x * x;
}

typedef struct firn_sph_clamped {
    firn_mat3 F_E;
    firn_real ratio;  // |det F'| / det F_E: what det F_P grows by
} firn_sph_clamped;

// NaN and infinity are passed on: they come from the velocities, where step 9 detects them.
FIRN_FN_APART firn_sph_clamped firn_sph_clamp_particle(firn_mat3 F_trial, firn_real theta_c,
                                                       firn_real theta_s, bool paper)
{
    firn_sph_clamped out = FIRN_LIT(firn_sph_clamped){F_trial, F_trial.m[0][0]};
    if (!firn_m3_is_finite(F_trial)) return out;
    const firn_svd3 svd = firn_svd3_of(F_trial);
    const firn_real s[3] = {firn_abs(svd.s.x), firn_abs(svd.s.y), firn_abs(svd.s.z)};
    firn_real c[3];
    out.ratio = 1;
    for (int k = 0; k < 3; k++) {
        c[k] = firn_clamp(s[k], 1 - theta_c, 1 + theta_s);
        out.ratio *= s[k] / c[k];
    }
    const firn_mat3 Q = paper ? svd.V : svd.U;
    out.F_E = firn_m3_mul_transposed(firn_m3_mul(Q, firn_m3_diagonal(c[0], c[1], c[2])), Q);
    return out;
}

// The clamp of a SIMD batch, a second form of firn_sph_clamp_particle without its singular vectors,
// which cost an iteration: c(sqrt(F F^T)), of F^T for the paper's form, is a function of a
// symmetric matrix, which comes from its eigenvalues in closed form (math/spectrum3_lanes.h).
// Squaring costs half the digits of a small stretch; lanes with |F F^T - I| > 0.6 take the slow
// path through the plain function. test_sph_tables compares the two forms.
typedef struct firn_sph_clamp_lanes {
    firn_sym3_lanes G;  // F_E - 1
    firn_lanes ratio;
    firn_lanes_mask near;  // the others take the slow path
} firn_sph_clamp_lanes;

FIRN_LANES_FN firn_sph_clamp_lanes firn_sph_clamp_near_lanes(const firn_mat3_lanes* F,
                                                             firn_lanes low, firn_lanes high)
{
    const firn_lanes one = firn_lanes_all(1);
    const firn_sym3_lanes E = firn_m3_lanes_left_strain(*F);
    firn_sph_clamp_lanes out;
    out.near = firn_lanes_at_most(firn_sym3_lanes_dot_self(E), firn_lanes_all((firn_real)0.36));
    const firn_snow_stretches_lanes t = firn_snow_stretches_lanes_of(&E, low, high);
    // c - 1 has the rounding of c, an epsilon of 1. F_E is kept as 1 + G: finer would be lost there
    out.G = firn_spectrum3_lanes_apply(&t.e, t.c[0] - one, t.c[1] - one, t.c[2] - one);
    out.ratio = (t.s[0] * t.s[1] * t.s[2]) / (t.c[0] * t.c[1] * t.c[2]);
    return out;
}
