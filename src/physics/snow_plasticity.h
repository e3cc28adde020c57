// SPDX-License-Identifier: MIT
// The plastic clamp: deformation beyond the critical stretches moves from F_E to F_P. Stomakhin
// 2013, section 7, eq. 11-12. Only J_P = det F_P enters the model (eq. 2), so F_P is not stored.
// The form that the plain loops run and that reads like the paper; snow_plasticity_lanes.h has the
// form of the fast loops.
#pragma once
#include "math/svd3.h"
#include "physics/snow_material.h"

typedef struct firn_snow_clamped {
    firn_mat3 F_E;
    firn_real J_P;
    bool inverted;  // det of the trial <= 0, or F_hat or J_P is not finite: the step must be
                    // rejected
} firn_snow_clamped;

// True when all eigenvalues of C = F^T F lie in [low^2, high^2] by Gershgorin's circles: then no
// singular value is outside [low, high] and there is nothing to clamp.
FIRN_FN bool firn_snow_surely_elastic(firn_mat3 F, firn_real low, firn_real high)
{
    const firn_mat3 C = firn_m3_transposed_mul(F, F);
    const firn_real xy = firn_abs(C.m[0][1]), xz = firn_abs(C.m[0][2]), yz = firn_abs(C.m[1][2]);
    const firn_real low2 = low * low, high2 = high * high;
    return C.m[0][0] - xy - xz >= low2 && C.m[0][0] + xy + xz <= high2 &&
           C.m[1][1] - xy - yz >= low2 && C.m[1][1] + xy + yz <= high2 &&
           C.m[2][2] - xz - yz >= low2 && C.m[2][2] + xz + yz <= high2;
}

// F_hat: the elastic trial of eq. 11; J_P before the step.
FIRN_FN firn_snow_clamped firn_snow_clamp(firn_mat3 F_hat, firn_real J_P, firn_real theta_c,
                                          firn_real theta_s)
{
    const firn_real low = 1 - theta_c, high = 1 + theta_s;
    const firn_real det = firn_m3_det(F_hat);
    if (!(det > 0) || !firn_m3_is_finite(F_hat) || !(firn_abs(J_P) <= FIRN_REAL_MAX))
        return FIRN_LIT(firn_snow_clamped){F_hat, J_P, true};
    if (firn_snow_surely_elastic(F_hat, low, high))
        return FIRN_LIT(firn_snow_clamped){F_hat, J_P, false};
    const firn_svd3 svd = firn_svd3_of(F_hat);
    const firn_vec3 s = firn_v3(firn_clamp(svd.s.x, low, high), firn_clamp(svd.s.y, low, high),
                                firn_clamp(svd.s.z, low, high));
    if (s.x == svd.s.x && s.y == svd.s.y && s.z == svd.s.z)
        return FIRN_LIT(firn_snow_clamped){F_hat, J_P, false};
    const firn_mat3 F_E =
        firn_m3_mul_transposed(firn_m3_mul(svd.U, firn_m3_diagonal(s.x, s.y, s.z)), svd.V);
    // J_P grows by det F_hat / det F_E, factor by factor so that nothing overflows
    const firn_real ratio = (svd.s.x / s.x) * (svd.s.y / s.y) * (svd.s.z / s.z);
    return FIRN_LIT(firn_snow_clamped){F_E, J_P * ratio, !(svd.s.z > 0)};
}
