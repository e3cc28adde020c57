// SPDX-License-Identifier: MIT
// Fixed corotated elasticity of a SIMD batch, for C and CUDA. Stomakhin 2013, eq. 1 and 6. A second
// form of physics/snow_stress.h, without its rotation R_E, which costs an iteration: F_E = L R_E,
// and with L = I + X and F_E F_E^T = L^2 = I + E (math/polar3_lanes.h)
//     P F_E^T = 2 mu (F_E - R_E) F_E^T + lambda (J_E - 1) cof(F_E) F_E^T
//             = 2 mu (L^2 - L) + lambda (J_E - 1) J_E I,   L^2 - L = E - X = X + X^2
//     Psi = mu |L - I|^2 + lambda/2 (J_E - 1)^2
// The two forms are compared by test_snow_stress_lanes, in loops by test_mpm_fused.
#pragma once
#include "math/polar3_lanes.h"
#include "physics/snow_hardening_lanes.h"

// What stress, energy and derivative (physics/snow_derivative_lanes.h) need of F_E.
typedef struct firn_snow_stretch_lanes {
    firn_lanes J;       // J_E = det F_E
    firn_sym3_lanes E;  // F_E F_E^T - I
    firn_sym3_lanes X;  // L - I
} firn_snow_stretch_lanes;

FIRN_LANES_FN firn_snow_stretch_lanes firn_snow_stretch_lanes_of(firn_mat3_lanes F_E)
{
    firn_snow_stretch_lanes s;
    s.J = firn_m3_lanes_det(F_E);
    const firn_left_stretch_lanes l = firn_polar3_lanes_left_stretch(F_E, s.J);
    s.E = l.E;
    s.X = l.X;
    return s;
}

// lambda (J_E - 1) J_E  [Pa]
FIRN_LANES_FN firn_lanes firn_snow_pressure_lanes(firn_lanes J, firn_lame_lanes lame)
{
    return lame.lambda * (J - firn_lanes_all(1)) * J;
}

// tau = P F_E^T, symmetric  [Pa]: what eq. 6 multiplies with the gradient of a weight.
FIRN_LANES_FN firn_sym3_lanes firn_snow_stress_lanes(const firn_snow_stretch_lanes* s,
                                                     firn_lame_lanes lame)
{
    const firn_lanes mu2 = firn_lanes_all(2) * lame.mu;
    const firn_lanes pressure = firn_snow_pressure_lanes(s->J, lame);
    firn_sym3_lanes tau;
    tau.xx = firn_lanes_fma(mu2, s->E.xx - s->X.xx, pressure);
    tau.xy = mu2 * (s->E.xy - s->X.xy);
    tau.xz = mu2 * (s->E.xz - s->X.xz);
    tau.yy = firn_lanes_fma(mu2, s->E.yy - s->X.yy, pressure);
    tau.yz = mu2 * (s->E.yz - s->X.yz);
    tau.zz = firn_lanes_fma(mu2, s->E.zz - s->X.zz, pressure);
    return tau;
}

// The same from X alone, for kernels that keep X, 2 mu and the pressure of a particle from one step
// to the next: E - X = X + X^2.
FIRN_LANES_FN firn_sym3_lanes firn_snow_stress_lanes_from(const firn_sym3_lanes* X, firn_lanes mu2,
                                                          firn_lanes pressure)
{
    const firn_lanes xx = X->xx, xy = X->xy, xz = X->xz, yy = X->yy, yz = X->yz, zz = X->zz;
    firn_sym3_lanes q;
    q.xx = firn_lanes_fma(xx, xx, firn_lanes_fma(xy, xy, firn_lanes_fma(xz, xz, xx)));
    q.xy = firn_lanes_fma(xx, xy, firn_lanes_fma(xy, yy, firn_lanes_fma(xz, yz, xy)));
    q.xz = firn_lanes_fma(xx, xz, firn_lanes_fma(xy, yz, firn_lanes_fma(xz, zz, xz)));
    q.yy = firn_lanes_fma(xy, xy, firn_lanes_fma(yy, yy, firn_lanes_fma(yz, yz, yy)));
    q.yz = firn_lanes_fma(xy, xz, firn_lanes_fma(yy, yz, firn_lanes_fma(yz, zz, yz)));
    q.zz = firn_lanes_fma(xz, xz, firn_lanes_fma(yz, yz, firn_lanes_fma(zz, zz, zz)));
    return FIRN_LIT(firn_sym3_lanes){
        firn_lanes_fma(mu2, q.xx, pressure), mu2 * q.xy, mu2 * q.xz,
        firn_lanes_fma(mu2, q.yy, pressure), mu2 * q.yz, firn_lanes_fma(mu2, q.zz, pressure)};
}

// Psi  [J/m^3]
FIRN_LANES_FN firn_lanes firn_snow_energy_lanes(const firn_snow_stretch_lanes* s,
                                                firn_lame_lanes lame)
{
    const firn_lanes j = s->J - firn_lanes_all(1);
    return firn_lanes_fma(lame.mu, firn_sym3_lanes_dot_self(s->X),
                          firn_lanes_all((firn_real)0.5) * lame.lambda * j * j);
}
