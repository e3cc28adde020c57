// SPDX-License-Identifier: MIT
// Creep: snow under a load flows slowly and settles. A Maxwell body: the elastic strain e = F_E -
// R_E, which carries the stress, flows away at the rate
//     de/dt = -e / tau,   tau = eta(rho) J / (lambda + 2 mu),   J = V / V_p^0,
// so that snow that cannot spread settles with de_z/dt = sigma_z / eta, the law of snow cover
// models (Vionnet et al. 2012, eq. 5). Shear flows with the same tau: the viscosities have the
// ratio of the elastic constants, which is assumed. The volume that F_E loses goes to J_P, so that
// density = mass / (V_p^0 det F_E J_P) does not change by the flow itself. design/0015 has the
// integration. For C and CUDA.
#pragma once
#include "math/elementary.h"
#include "math/polar3.h"
#include "physics/snow_material.h"

// eta(rho) = eta_0 rho/rho_0 exp(growth (rho - rho_0)) [Pa s]: with 0.023 m^3/kg,
// firn_measured_viscosity of any density and the temperature of eta_0.
FIRN_FN firn_real firn_creep_viscosity(const firn_creep_law* law, firn_real density)
{
    return law->viscosity * (density / law->density) *
           firn_exp(law->growth * (density - law->density));
}

// A step with strain increments d, exact for a constant rate of strain:
//     e' = a e + d (1 - a)/x,   a = exp(-x),  x = dt / tau.
// The solver stores e / share, so that its own elastic step e + d needs no change:
// stress = share (lambda, mu) e, then e <- a e.
typedef struct firn_creep_step {
    firn_real kept;   // a [-]
    firn_real share;  // of the stiffness that a step sees [-]
} firn_creep_step;

// Explicit steps see the stress after the flow, so that their share exceeds 1; beyond this limit,
// x = 1.26, they creep too slowly.
#define FIRN_CREEP_SHARE_MAX ((firn_real)2)

// `beta`: implicitness of the step. Forces balance at strain (1 - beta) a e' + beta e', whose rate
// of flow is then exact for any x.
FIRN_FN firn_creep_step firn_creep_step_of(firn_real x, firn_real beta)
{
    if (!(x > 0)) return FIRN_LIT(firn_creep_step){1, 1};
    // 1 - exp(-x) without cancellation
    const firn_real third = (firn_real)1 / 3, fourth = (firn_real)0.25;
    const firn_real flowed = x < (firn_real)0.1
                                 ? x * (1 - (firn_real)0.5 * x * (1 - third * x * (1 - fourth * x)))
                                 : 1 - firn_exp(-x);
    const firn_real share = flowed / (x * firn_max(1 - (1 - beta) * flowed, (firn_real)1e-6));
    return FIRN_LIT(firn_creep_step){1 - flowed, firn_min(share, FIRN_CREEP_SHARE_MAX)};
}

typedef struct firn_crept {
    firn_mat3 F_E;
    firn_real J_P;
} firn_crept;

// F_E <- R_E + kept (F_E - R_E); the volume goes to J_P.
FIRN_FN firn_crept firn_creep_flow(firn_mat3 F_E, firn_real J_P, firn_real kept)
{
    const firn_mat3 R = firn_polar3_rotation(F_E);
    firn_mat3 F;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) F.m[i][j] = firn_fma(kept, F_E.m[i][j] - R.m[i][j], R.m[i][j]);
    return FIRN_LIT(firn_crept){F, J_P * (firn_m3_det(F_E) / firn_m3_det(F))};
}
