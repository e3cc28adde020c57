// SPDX-License-Identifier: MIT
// The stress of the shear solve (Gissler 2020, eq. 13-19), plain and as a SIMD batch, for C and
// CUDA; step06_shear.h explains it.
#pragma once
#include "math/mat3.h"
#include "math/mat3_lanes.h"

// The stress of the plain loops. With H = grad u F_E:
//   operator (not known, c = dt^2)        sigma = c G (H + H^T)                  + lambda tr(c H)
//   right-hand side (known, c = dt)       sigma = G (c (H + H^T) + 2 (F_E - 1))  + lambda tr(...)
// that is G (F** + F**^T - 2) as F_E is symmetric. lambda: 0 in the split, where step 5 has it.
FIRN_FN firn_mat3 firn_sph_stress(firn_mat3 H, firn_mat3 F, firn_real G, firn_real lambda,
                                  firn_real c, bool known)
{
    const firn_real trace = c * firn_m3_trace(H) + (known ? firn_m3_trace(F) - 3 : 0);
    firn_mat3 sigma;
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++) {
            const firn_real rest = known ? 2 * (F.m[r][s] - (r == s)) : 0;
            sigma.m[r][s] = G * (c * (H.m[r][s] + H.m[s][r]) + rest);
            if (r == s) sigma.m[r][s] += lambda * trace;
        }
    return sigma;
}

// firn_sph_stress of a SIMD batch. sigma is symmetric: the upper triangle is computed and mirrored.
FIRN_LANES_FN firn_mat3_lanes firn_sph_stress_lanes(const firn_mat3_lanes* H,
                                                    const firn_mat3_lanes* F, firn_lanes G,
                                                    firn_lanes lambda, firn_real c, bool known)
{
    const firn_lanes factor = firn_lanes_all(c), two = firn_lanes_all(2);
    firn_lanes trace = factor * (H->m[0][0] + H->m[1][1] + H->m[2][2]);
    if (known) trace += F->m[0][0] + F->m[1][1] + F->m[2][2] - firn_lanes_all(3);
    firn_mat3_lanes sigma;
    for (int r = 0; r < 3; r++)
        for (int s = r; s < 3; s++) {
            firn_lanes strain = factor * (H->m[r][s] + H->m[s][r]);
            if (known) strain += two * (r == s ? F->m[r][s] - firn_lanes_all(1) : F->m[r][s]);
            sigma.m[r][s] = sigma.m[s][r] = G * strain;
        }
    for (int r = 0; r < 3; r++) sigma.m[r][r] = firn_lanes_fma(lambda, trace, sigma.m[r][r]);
    return sigma;
}

// The row of the operator or of the right-hand side, as far as the particle's own stress makes it:
// own + factor (sigma_i L_i S + tr(sigma_i)/3 L_i B), eq. 19 for sigma_i. `factor`: 1/rho, or
// -1/rho for the operator; `own`: u_i in the operator, 0 otherwise.
FIRN_LANES_FN firn_vec3_lanes firn_sph_own_force_lanes(const firn_mat3_lanes* sigma,
                                                       const firn_mat3_lanes* T, firn_vec3_lanes S,
                                                       firn_vec3_lanes LB, firn_lanes factor,
                                                       firn_vec3_lanes own)
{
    const firn_lanes third =
        (sigma->m[0][0] + sigma->m[1][1] + sigma->m[2][2]) * firn_lanes_all((firn_real)(1.0 / 3));
    const firn_lanes wall[3] = {LB.x, LB.y, LB.z};
    firn_lanes out[3] = {own.x, own.y, own.z};
    for (int r = 0; r < 3; r++) {
        const firn_vec3_lanes T_r = firn_v3_lanes(T->m[r][0], T->m[r][1], T->m[r][2]);
        const firn_lanes force = firn_lanes_fma(third, wall[r], firn_v3_lanes_dot(T_r, S));
        out[r] = firn_lanes_fma(factor, force, out[r]);
    }
    return firn_v3_lanes(out[0], out[1], out[2]);
}
