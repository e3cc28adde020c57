// SPDX-License-Identifier: MIT
// The smoothing kernel of SPH: the cubic spline whose support is twice the particles' spacing h.
// Gissler 2020, section 4, and 4.2.5 for its support; Monaghan 2005. With q = r / h:
//   W = 1/(pi h^3) * { 1 - 3/2 q^2 + 3/4 q^3   q < 1
//                    { 1/4 (2 - q)^3           q < 2
//                    { 0                       beyond
// Its integral over space is 1.
#pragma once
#include "math/shared.h"

#define FIRN_SPH_SUPPORT 2  // [h]: W is 0 from here on

// 1 / (pi h^3) = W(0) [1/m^3]
FIRN_FN firn_real firn_sph_w0(firn_real h)
{
    return (firn_real)0.31830988618379067 / (h * h * h);
}

// W(r) [1/m^3], r >= 0, h > 0 [m].
FIRN_FN firn_real firn_sph_w(firn_real r, firn_real h)
{
    const firn_real q = r / h, rest = firn_max(2 - q, 0);
    const firn_real near = 1 - (firn_real)0.75 * q * q * (2 - q);
    const firn_real far = (firn_real)0.25 * rest * rest * rest;
    return firn_sph_w0(h) * (q < 1 ? near : far);
}

// W'(r) / r [1/m^5]: the gradient of W_ij with respect to x_i is this times x_i - x_j. Never above
// 0; at r = 0 it is -3 / (pi h^5), so that no pair divides by its distance.
FIRN_FN firn_real firn_sph_dw_over_r(firn_real r, firn_real h)
{
    const firn_real q = r / h, rest = firn_max(2 - q, 0);
    const firn_real near = (firn_real)2.25 * q - 3;
    const firn_real far = -(firn_real)0.75 * rest * rest / firn_max(q, 1);
    return firn_sph_w0(h) / (h * h) * (q < 1 ? near : far);
}
