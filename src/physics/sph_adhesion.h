// SPDX-License-Identifier: MIT
// Adhesion between a particle and a collider: the spline of Akinci, Akinci and Teschner 2013, eq.
// 6-7,
//   A(r) = 0.007 / H^3.25 (-4 r^2/H + 6 r - 2 H)^(1/4)   for H/2 < r <= H, 0 elsewhere,
// with H the support of the kernel: it pulls what is near and leaves alone what touches.
#pragma once
#include "math/shared.h"

// [m^-3]
FIRN_FN firn_real firn_sph_adhesion(firn_real r, firn_real H)
{
    if (!(2 * r > H) || !(r <= H)) return 0;
    const firn_real q = r / H, inside = firn_max(-4 * q * q + 6 * q - 2, 0);
    return (firn_real)0.007 * firn_sqrt(firn_sqrt(inside)) / (H * H * H);
}
