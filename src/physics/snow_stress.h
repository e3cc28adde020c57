// SPDX-License-Identifier: MIT
// Fixed corotated elasticity: energy, stress and its derivative. Stomakhin 2013, eq. 1 (energy
// after Stomakhin et al. 2012). P = dPsi/dF_E; eq. 8 needs dP. VALIDATION T08 to T10, T13. The
// form that the plain loops run and that reads like the paper; snow_stress_lanes.h and
// snow_derivative_lanes.h have the form of the fast loops.
#pragma once
#include "math/polar3.h"
#include "physics/snow_material.h"

// Psi = mu |F_E - R_E|^2 + lambda/2 (J_E - 1)^2  [J/m^3]
FIRN_FN firn_real firn_snow_energy(firn_mat3 F_E, firn_mat3 R_E, firn_lame lame)
{
    const firn_mat3 D = firn_m3_sub(F_E, R_E);
    const firn_real j = firn_m3_det(F_E) - 1;
    return lame.mu * firn_m3_dot(D, D) + (firn_real)0.5 * lame.lambda * j * j;
}

// P = 2 mu (F_E - R_E) + lambda (J_E - 1) cof(F_E)  [Pa]
FIRN_FN firn_mat3 firn_snow_stress(firn_mat3 F_E, firn_mat3 R_E, firn_lame lame)
{
    const firn_mat3 C = firn_m3_cofactor(F_E);
    const firn_real J_E = firn_v3_dot(firn_m3_column(F_E, 0), firn_m3_column(C, 0));
    const firn_real pressure = lame.lambda * (J_E - 1);
    firn_mat3 P;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            P.m[i][j] = firn_fma(2 * lame.mu, F_E.m[i][j] - R_E.m[i][j], pressure * C.m[i][j]);
    return P;
}

// Inverse of the symmetric matrix that relates dR to dF (VALIDATION T10):
// [[S00+S11, S12, -S02], [S12, S00+S22, S01], [-S02, S01, S11+S22]], as its six entries
// (00, 01, 02, 11, 12, 22). Its eigenvalues are s_i + s_j, so it is regular unless two signed
// stretches cancel, which the plastic clamp rules out.
typedef struct firn_spin_solve {
    firn_real a00, a01, a02, a11, a12, a22;
} firn_spin_solve;

FIRN_FN firn_spin_solve firn_snow_spin_solve(firn_mat3 S)
{
    const firn_real m00 = S.m[0][0] + S.m[1][1], m01 = S.m[1][2], m02 = -S.m[0][2];
    const firn_real m11 = S.m[0][0] + S.m[2][2], m12 = S.m[0][1], m22 = S.m[1][1] + S.m[2][2];
    const firn_real c00 = m11 * m22 - m12 * m12, c01 = m02 * m12 - m01 * m22;
    const firn_real c02 = m01 * m12 - m02 * m11;
    const firn_real det = m00 * c00 + m01 * c01 + m02 * c02;
    const firn_real i = firn_abs(det) > FIRN_REAL_TINY ? 1 / det : 0;
    return FIRN_LIT(firn_spin_solve){c00 * i,
                                     c01 * i,
                                     c02 * i,
                                     (m00 * m22 - m02 * m02) * i,
                                     (m01 * m02 - m00 * m12) * i,
                                     (m00 * m11 - m01 * m01) * i};
}

// dR = R W, W = R^T dR skew, from K = R^T dF - dF^T R.
FIRN_FN firn_mat3 firn_snow_rotation_derivative(firn_mat3 R, firn_spin_solve A, firn_mat3 dF)
{
    const firn_mat3 T = firn_m3_transposed_mul(R, dF);
    const firn_real k0 = T.m[0][1] - T.m[1][0], k1 = T.m[0][2] - T.m[2][0];
    const firn_real k2 = T.m[1][2] - T.m[2][1];
    const firn_real a = A.a00 * k0 + A.a01 * k1 + A.a02 * k2;  // W01
    const firn_real b = A.a01 * k0 + A.a11 * k1 + A.a12 * k2;  // W02
    const firn_real c = A.a02 * k0 + A.a12 * k1 + A.a22 * k2;  // W12
    firn_mat3 dR;
    for (int i = 0; i < 3; i++) {
        dR.m[i][0] = -a * R.m[i][1] - b * R.m[i][2];
        dR.m[i][1] = a * R.m[i][0] - c * R.m[i][2];
        dR.m[i][2] = b * R.m[i][0] + c * R.m[i][1];
    }
    return dR;
}

// d cof(F) in direction dF, column by column, valid at singular F too.
FIRN_FN firn_mat3 firn_snow_cofactor_derivative(firn_mat3 F, firn_mat3 dF)
{
    const firn_vec3 f0 = firn_m3_column(F, 0), f1 = firn_m3_column(F, 1), f2 = firn_m3_column(F, 2);
    const firn_vec3 d0 = firn_m3_column(dF, 0), d1 = firn_m3_column(dF, 1);
    const firn_vec3 d2 = firn_m3_column(dF, 2);
    return firn_m3_from_columns(firn_v3_add(firn_v3_cross(d1, f2), firn_v3_cross(f1, d2)),
                                firn_v3_add(firn_v3_cross(d2, f0), firn_v3_cross(f2, d0)),
                                firn_v3_add(firn_v3_cross(d0, f1), firn_v3_cross(f0, d1)));
}

// dP = 2 mu (dF - dR) + lambda cof(F) (cof(F) : dF) + lambda (J - 1) dcof(F)  [Pa]
FIRN_FN firn_mat3 firn_snow_stress_derivative(firn_mat3 F_E, firn_mat3 R_E, firn_spin_solve A,
                                              firn_lame lame, firn_mat3 dF)
{
    const firn_mat3 C = firn_m3_cofactor(F_E);
    const firn_real J_E = firn_v3_dot(firn_m3_column(F_E, 0), firn_m3_column(C, 0));
    const firn_mat3 dR = firn_snow_rotation_derivative(R_E, A, dF);
    const firn_mat3 dC = firn_snow_cofactor_derivative(F_E, dF);
    const firn_real along = lame.lambda * firn_m3_dot(C, dF), pressure = lame.lambda * (J_E - 1);
    firn_mat3 dP;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            dP.m[i][j] = firn_fma(2 * lame.mu, dF.m[i][j] - dR.m[i][j],
                                  firn_fma(along, C.m[i][j], pressure * dC.m[i][j]));
    return dP;
}
