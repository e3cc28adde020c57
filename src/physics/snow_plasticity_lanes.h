// SPDX-License-Identifier: MIT
// The plastic clamp of a SIMD batch, for C and CUDA. Stomakhin 2013, section 7, eq. 11-12. A second
// form of physics/snow_plasticity.h: where snow deforms, nearly every batch holds a particle that
// yields, so the clamp has to be cheap when it acts. It needs no singular vectors: with F_hat = L
// R,
//     F_E = c(L) R = c(L) L^-1 F_hat = (I + G) F_hat,   G = g(F_hat F_hat^T),
//     g(x) = c(s)/s - 1,  s = sqrt(x),  c = clamp to [low, high],
// and a function of a symmetric matrix comes from its eigenvalues without iteration
// (math/spectrum3_lanes.h). Squaring F costs digits of small singular values only: for
// |F F^T - I| <= 0.6, all s >= 0.63, the error stays at a few epsilon. Lanes beyond that take the
// slow path through the SVD, as the scalar function does. test_snow_plasticity_lanes compares the
// two forms, test_mpm_fused the loops that use them.
#pragma once
#include "math/spectrum3_lanes.h"
#include "math/svd3_lanes.h"

typedef struct firn_snow_clamped_lanes {
    firn_mat3_lanes F_E;
    firn_lanes J_P;
    firn_lanes_mask
        inverted;  // det of the trial <= 0, or F_hat or J_P is not finite: the step must
                   //     be rejected
} firn_snow_clamped_lanes;

// Lanes where all eigenvalues of F F^T lie in [low^2, high^2] by Gershgorin's circles.
FIRN_LANES_FN firn_lanes_mask firn_snow_surely_elastic_lanes(firn_sym3_lanes E, firn_lanes low,
                                                             firn_lanes high)
{
    const firn_lanes one = firn_lanes_all(1);
    const firn_lanes xy = firn_lanes_abs(E.xy), xz = firn_lanes_abs(E.xz);
    const firn_lanes yz = firn_lanes_abs(E.yz);
    const firn_lanes x = xy + xz, y = xy + yz, z = xz + yz;
    const firn_lanes least = firn_lanes_min(E.xx - x, firn_lanes_min(E.yy - y, E.zz - z));
    const firn_lanes most = firn_lanes_max(E.xx + x, firn_lanes_max(E.yy + y, E.zz + z));
    return firn_mask_and(firn_lanes_at_most(firn_lanes_fma(low, low, -one), least),
                         firn_lanes_at_most(most, firn_lanes_fma(high, high, -one)));
}

// Principal stretches of F F^T = I + E and their clamps to [low, high], for lanes near a rotation;
// those of other lanes are meaningless. Also for sph, whose clamp differs in what it makes of them.
typedef struct firn_snow_stretches_lanes {
    firn_spectrum3_lanes e;  // of E
    firn_lanes s[3], c[3];   // in the order apart, mean + half, mean - half
} firn_snow_stretches_lanes;

FIRN_LANES_FN firn_snow_stretches_lanes firn_snow_stretches_lanes_of(const firn_sym3_lanes* E,
                                                                     firn_lanes low,
                                                                     firn_lanes high)
{
    const firn_lanes one = firn_lanes_all(1);
    firn_snow_stretches_lanes r;
    // E has the rounding of entries near 1
    r.e = firn_spectrum3_lanes_of(*E, FIRN_REAL_EPSILON * (firn_real)0.01);
    r.s[0] = firn_lanes_sqrt(one + r.e.apart);
    r.s[1] = firn_lanes_sqrt(one + (r.e.mean + r.e.half));
    r.s[2] = firn_lanes_sqrt(one + (r.e.mean - r.e.half));
    for (int k = 0; k < 3; k++) r.c[k] = firn_lanes_clamp(r.s[k], low, high);
    return r;
}

// The clamp of lanes near a rotation, det > 0: F_E = (I + G) F_hat, J_P grows by `ratio`.
typedef struct firn_snow_flow_lanes {
    firn_sym3_lanes G;
    firn_lanes ratio;
    firn_lanes_mask yields;  // false: no singular value is outside the box
} firn_snow_flow_lanes;

FIRN_LANES_FN firn_snow_flow_lanes firn_snow_flow_near_lanes(const firn_sym3_lanes* E,
                                                             firn_lanes low, firn_lanes high)
{
    const firn_snow_stretches_lanes t = firn_snow_stretches_lanes_of(E, low, high);
    const firn_lanes s0 = t.s[0], s1 = t.s[1], s2 = t.s[2], c0 = t.c[0], c1 = t.c[1], c2 = t.c[2];
    const firn_lanes d0 = c0 - s0, d1 = c1 - s1, d2 = c2 - s2;
    // one division for g = d/s and for the ratio det F_hat / det F_E: of s0 s1 s2 c0 c1 c2
    const firn_lanes s12 = s1 * s2, S = s0 * s12, C = c0 * (c1 * c2);
    const firn_lanes inverse = firn_lanes_all(1) / (S * C), over_S = C * inverse;
    const firn_lanes g0 = d0 * (s12 * over_S), g1 = d1 * (s0 * s2 * over_S);
    const firn_lanes g2 = d2 * (s0 * s1 * over_S);
    firn_snow_flow_lanes r;
    r.G = firn_spectrum3_lanes_apply(&t.e, g0, g1, g2);
    r.ratio = S * (S * inverse);
    r.yields = firn_lanes_less(firn_lanes_all(0),
                               firn_lanes_abs(d0) + firn_lanes_abs(d1) + firn_lanes_abs(d2));
    return r;
}

// The slow path: the clamp by singular values, for lanes of any size with det > 0.
FIRN_LANES_APART firn_snow_clamped_lanes firn_snow_clamp_svd_lanes(const firn_mat3_lanes* F,
                                                                   firn_lanes J_P, firn_lanes low,
                                                                   firn_lanes high)
{
    const firn_svd3_lanes svd = firn_svd3_lanes_of(F);
    const firn_vec3_lanes s = svd.s;
    const firn_vec3_lanes c =
        firn_v3_lanes(firn_lanes_clamp(s.x, low, high), firn_lanes_clamp(s.y, low, high),
                      firn_lanes_clamp(s.z, low, high));
    firn_mat3_lanes U = svd.U;
    for (int i = 0; i < 3; i++) {
        U.m[i][0] *= c.x;
        U.m[i][1] *= c.y;
        U.m[i][2] *= c.z;
    }
    const firn_lanes_mask same =
        firn_mask_and(firn_mask_and(firn_lanes_at_most(s.x, high), firn_lanes_at_most(low, s.z)),
                      firn_mask_and(firn_lanes_at_most(low, s.x), firn_lanes_at_most(s.z, high)));
    firn_snow_clamped_lanes r;
    r.F_E = firn_m3_lanes_select(same, *F, firn_m3_lanes_mul_transposed(U, svd.V));
    // factor by factor so that nothing overflows
    const firn_lanes ratio = (s.x / c.x) * (s.y / c.y) * (s.z / c.z);
    r.J_P = firn_lanes_select(same, J_P, J_P * ratio);
    r.inverted = firn_mask_not(firn_lanes_less(firn_lanes_all(0), s.z));
    return r;
}

// The lanes of `slow`, which are far from a rotation or not finite: into `r`.
FIRN_LANES_APART void firn_snow_clamp_slow_lanes(const firn_mat3_lanes* F_hat, firn_lanes J_P,
                                                 firn_lanes low, firn_lanes high,
                                                 firn_lanes_mask slow, firn_snow_clamped_lanes* r)
{
    const firn_lanes_mask upright =
        firn_mask_and(firn_lanes_less(firn_lanes_all(0), firn_m3_lanes_det(*F_hat)),
                      firn_m3_lanes_is_finite(*F_hat));
    r->inverted = firn_mask_or(r->inverted, firn_mask_and(slow, firn_mask_not(upright)));
    const firn_lanes_mask act = firn_mask_and(slow, upright);
    if (!firn_mask_any(act)) return;
    const firn_snow_clamped_lanes f = firn_snow_clamp_svd_lanes(F_hat, J_P, low, high);
    r->F_E = firn_m3_lanes_select(act, f.F_E, r->F_E);
    r->J_P = firn_lanes_select(act, f.J_P, r->J_P);
    r->inverted = firn_mask_or(r->inverted, firn_mask_and(act, f.inverted));
}

// F_hat: the elastic trial of eq. 11; J_P before the step; low = 1 - theta_c, high = 1 + theta_s.
FIRN_LANES_FN firn_snow_clamped_lanes firn_snow_clamp_lanes(firn_mat3_lanes F_hat, firn_lanes J_P,
                                                            firn_lanes low, firn_lanes high)
{
    const firn_sym3_lanes E = firn_m3_lanes_left_strain(F_hat);
    const firn_lanes_mask upright = firn_lanes_less(firn_lanes_all(0), firn_m3_lanes_det(F_hat));
    // neither holds for lanes that are not finite: E has a NaN or an infinity in each row then
    const firn_lanes_mask still =
        firn_mask_and(upright, firn_snow_surely_elastic_lanes(E, low, high));
    const firn_lanes_mask near = firn_mask_and(
        upright, firn_lanes_at_most(firn_sym3_lanes_dot_self(E), firn_lanes_all((firn_real)0.36)));
    firn_snow_clamped_lanes r;
    r.F_E = F_hat;
    r.J_P = J_P;
    r.inverted =
        firn_mask_not(firn_lanes_at_most(firn_lanes_abs(J_P), firn_lanes_all(FIRN_REAL_MAX)));
    if (firn_mask_all(still)) return r;
    const firn_snow_flow_lanes flow = firn_snow_flow_near_lanes(&E, low, high);
    const firn_lanes_mask act =
        firn_mask_and(firn_mask_and(near, firn_mask_not(still)), flow.yields);
    const firn_sym3_lanes* G = &flow.G;
    const firn_lanes rows[3][3] = {
        {G->xx, G->xy, G->xz}, {G->xy, G->yy, G->yz}, {G->xz, G->yz, G->zz}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const firn_lanes F_E = firn_lanes_fma(
                rows[i][0], F_hat.m[0][j],
                firn_lanes_fma(rows[i][1], F_hat.m[1][j],
                               firn_lanes_fma(rows[i][2], F_hat.m[2][j], F_hat.m[i][j])));
            r.F_E.m[i][j] = firn_lanes_select(act, F_E, F_hat.m[i][j]);
        }
    }
    r.J_P = firn_lanes_select(act, J_P * flow.ratio, J_P);
    const firn_lanes_mask slow = firn_mask_not(firn_mask_or(still, near));
    if (firn_mask_any(slow)) {
        // copies, so that the values of the fast path stay in registers
        const firn_mat3_lanes F_slow = F_hat;
        firn_snow_clamped_lanes rest = r;
        firn_snow_clamp_slow_lanes(&F_slow, J_P, low, high, slow, &rest);
        r = rest;
    }
    return r;
}
