// SPDX-License-Identifier: MIT
// What the end of step 7 does with one particle where snow ages (`ageing.time_scale`): its elastic
// strain creeps, and softened snow under pressure sinters. For C and CUDA.
#pragma once
#include "physics/snow_creep.h"
#include "physics/snow_hardening.h"
#include "physics/snow_sintering.h"
#include "solver/mpm/material/mpm_material.h"

// Constants of a step.
typedef struct firn_mpm_ageing {
    double dt;       // [s] of ageing: the step times the time scale
    firn_real beta;  // implicitness of the step, 0: explicit
} firn_mpm_ageing;

typedef struct firn_mpm_aged {
    firn_mat3 F_E;
    firn_real J_P;
    firn_real share;   // of the stiffness that steps see (firn_creep_step)
    firn_real healed;  // J_P less what sintered: hardens and softens snow
} firn_mpm_aged;

// The share bounds how far thresholds of e / share may go: no step deforms snow so much.
FIRN_FN firn_real firn_mpm_threshold(firn_real theta, firn_real share)
{
    return firn_min(theta / share, (firn_real)0.5);
}

// `s`: after the clamp, with share and `healed` of before it; `factor` on xi; `stiffness` factor on
// E_0; `density_0` mass / V_p^0 [kg/m^3]; `J_before` J_P before the clamp.
FIRN_FN firn_mpm_aged firn_mpm_age(const firn_mpm_ageing* a, const firn_mpm_material* mat,
                                   firn_mpm_aged s, firn_real factor, firn_real stiffness,
                                   firn_real density_0, firn_real J_before)
{
    const firn_real J_E = firn_m3_det(s.F_E);
    if (mat->creep.viscosity > 0) {
        const firn_real rate = factor * firn_snow_rate(mat->xi, mat->xi_t, s.healed);
        const firn_real M = (mat->lame_0.lambda + 2 * mat->lame_0.mu) * stiffness *
                            firn_snow_hardening(rate, s.healed, mat->hardening_max);
        // the law is about Cauchy stress, which is (lambda + 2 mu) e over the volume ratio J
        const firn_real J = J_E * s.J_P;
        const firn_real eta = firn_creep_viscosity(&mat->creep, density_0 / J);
        const firn_creep_step step =
            firn_creep_step_of((firn_real)(a->dt * (double)(M / (eta * J))), a->beta);
        // the stress share e stays the same where the share changes
        const firn_crept flow = firn_creep_flow(s.F_E, s.J_P, step.kept * (s.share / step.share));
        s.F_E = flow.F_E;
        s.J_P = flow.J_P;
        s.share = step.share;
    }
    s.healed *= s.J_P / J_before;
    if (J_E <= 1)  // under pressure, grains touch
        s.healed = firn_sintered_det(&mat->sintering, s.healed, factor * mat->xi_t, a->dt);
    return s;
}
