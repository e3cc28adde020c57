// SPDX-License-Identifier: MIT
// Step 8: F' = F_E + dt grad v F_E, then what exceeds the critical stretches becomes plastic, and
// the rotation is left out. Gissler 2020, Algorithm 1 line 11, section 3.3.1. With F' = U S V^T,
//   objective: F_E = U c(S) U^T = c(sqrt(F' F'^T))     turns with the snow
//   paper:     F_E = V c(S) V^T = c(sqrt(F'^T F'))     does not (VALIDATION T40, erratum 19)
// with c the clamp to [1 - theta_c, 1 + theta_s]. F_E stays symmetric either way. An inverted F' is
// harmless: its stretches count by magnitude, as eq. 21 uses |det F_E|.
// Rotation stretches F' too, by the square of its angle. Crumbs of snow contract unless that change
// of volume is measured as all others are, by plain gradients (theory/sph.md, "Snow that spins").
// The paper's form has F' as it is.
#pragma once
#include "math/svd3.h"
#include "physics/deformation.h"
#include "solver/sph/support/velocity_gradient.h"

typedef struct firn_sph_deformation_args {
    const firn_pair_list* pairs;
    const firn_sph_work* work;  // in: volume F S B L M wall_divergence; scratch: weighted, b
    firn_sph_particles p;       // in: velocity, material, ...; out: def_grad_elastic, plastic_det
    const firn_sph_material* materials;
    bool paper;    // V S V^T, and F' as it is
    bool mixed;    // some particles are fluids: F_E = 1
    bool plastic;  // rest_density: plastic. plastic_det is det F_P, to be carried on
    firn_real dt;
} firn_sph_deformation_args;

// What F' is multiplied by. With w the angle of the step about its axis, 1 + dt (skew part of
// grad v) has the determinant 1 + w^2, while plain sums see the volume change by
// q = (w^2 tr M - w.Mw)/2: ((1 + q)/(1 + w^2))^(1/3), by the first terms of its series. M, the sum
// of V_j grad W_ij x_ji^T over snow, is positive semidefinite, and 1 inside of snow.
static inline firn_real firn_sph_rotation_factor(firn_mat3 grad, firn_mat3 M, firn_real dt)
{
    const firn_vec3 curl = {grad.m[2][1] - grad.m[1][2], grad.m[0][2] - grad.m[2][0],
                            grad.m[1][0] - grad.m[0][1]};
    const firn_vec3 w = firn_v3_scale(curl, dt / 2);
    const firn_real w2 = firn_v3_dot(w, w);
    const firn_real q = (w2 * firn_m3_trace(M) - firn_v3_dot(w, firn_m3_mul_v3(M, w))) / 2;
    const firn_real x = (w2 - q) / (1 + w2) / 3;
    return 1 - x - x * x;
}

typedef struct firn_sph_clamped {
    firn_mat3 F_E;
    firn_real ratio;  // |det F'| / det F_E: what det F_P grows by
} firn_sph_clamped;

// NaN and infinity are passed on: they come from the velocities, where step 9 detects them.
static inline firn_sph_clamped firn_sph_clamp_particle(firn_mat3 F_trial, firn_real theta_c,
                                                       firn_real theta_s, bool paper)
{
    if (!firn_m3_is_finite(F_trial)) return (firn_sph_clamped){F_trial, F_trial.m[0][0]};
    const firn_svd3 svd = firn_svd3_of(F_trial);
    const firn_real s[3] = {firn_abs(svd.s.x), firn_abs(svd.s.y), firn_abs(svd.s.z)};
    firn_real c[3], ratio = 1;
    for (int k = 0; k < 3; k++) {
        c[k] = firn_clamp(s[k], 1 - theta_c, 1 + theta_s);
        ratio *= s[k] / c[k];
    }
    const firn_mat3 Q = paper ? svd.V : svd.U;
    return (firn_sph_clamped){
        firn_m3_mul_transposed(firn_m3_mul(Q, firn_m3_diagonal(c[0], c[1], c[2])), Q), ratio};
}
