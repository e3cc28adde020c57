// SPDX-License-Identifier: MIT
// Fixed corotated elasticity for a register full of particles: physics/snow_stress.h in terms of
// the left stretch L of F_E = L R_E alone, so that no rotation need be found. With L = I + X and
// F_E F_E^T = L^2 = I + E (math/polar3_lanes.h):
//     P F_E^T = 2 mu (F_E - R_E) F_E^T + lambda (J_E - 1) cof(F_E) F_E^T
//             = 2 mu (L^2 - L) + lambda (J_E - 1) J_E I,   L^2 - L = E - X
//     Psi = mu |L - I|^2 + lambda/2 (J_E - 1)^2
// Stomakhin 2013, eq. 1 and 6. For C and CUDA.
#pragma once
#include "math/polar3_lanes.h"
#include "physics/snow_hardening_lanes.h"

// tau = P F_E^T, symmetric  [Pa]: what eq. 6 multiplies with the gradient of a weight.
FIRN_LANES_FN firn_sym3_lanes firn_snow_stress_lanes(firn_mat3_lanes F_E, firn_lame_lanes lame)
{
    const firn_lanes J_E = firn_m3_lanes_det(F_E);
    const firn_left_stretch_lanes l = firn_polar3_lanes_left_stretch(F_E, J_E);
    const firn_lanes mu2 = firn_lanes_all(2) * lame.mu;
    const firn_lanes pressure = lame.lambda * (J_E - firn_lanes_all(1)) * J_E;
    firn_sym3_lanes tau;
    tau.xx = firn_lanes_fma(mu2, l.E.xx - l.X.xx, pressure);
    tau.xy = mu2 * (l.E.xy - l.X.xy);
    tau.xz = mu2 * (l.E.xz - l.X.xz);
    tau.yy = firn_lanes_fma(mu2, l.E.yy - l.X.yy, pressure);
    tau.yz = mu2 * (l.E.yz - l.X.yz);
    tau.zz = firn_lanes_fma(mu2, l.E.zz - l.X.zz, pressure);
    return tau;
}

// Psi  [J/m^3]
FIRN_LANES_FN firn_lanes firn_snow_energy_lanes(firn_mat3_lanes F_E, firn_lame_lanes lame)
{
    const firn_lanes J_E = firn_m3_lanes_det(F_E);
    const firn_left_stretch_lanes l = firn_polar3_lanes_left_stretch(F_E, J_E);
    const firn_lanes j = J_E - firn_lanes_all(1);
    return firn_lanes_fma(lame.mu, firn_sym3_lanes_dot_self(l.X),
                          firn_lanes_all((firn_real)0.5) * lame.lambda * j * j);
}
