// SPDX-License-Identifier: MIT
// Cubic B-splines, the grid basis of Stomakhin 2013, section 4 (after Steffen et al. 2008); and
// quadratic ones, with fewer nodes (theory/mpm.md says when). For C and CUDA.
// With cubic splines a particle has four nodes per axis: base .. base+3, base = floor(x/h) - 1;
// with quadratic ones three of these four: all but the last in the lower half of the cell, all but
// the first in the upper. So both kinds have the same base, and the weight of the unused node is 0.
// These are the weights of the plain loops and of CUDA; state/stencil.h has them for the fast loops
// of the CPU, four nodes in a vec4.
#pragma once
#include "math/vec3.h"

typedef enum firn_spline { FIRN_SPLINE_CUBIC, FIRN_SPLINE_QUADRATIC } firn_spline;

// N(x), as the paper writes it; x in cells from the node. The weights below are tested against it.
FIRN_FN firn_real firn_bspline(firn_real x)
{
    const firn_real a = firn_abs(x);
    if (a < 1) return (firn_real)0.5 * a * a * a - a * a + (firn_real)2 / 3;
    if (a < 2) return -a * a * a / 6 + a * a - 2 * a + (firn_real)4 / 3;
    return 0;
}

// N'(x): odd, hence the sign.
FIRN_FN firn_real firn_bspline_derivative(firn_real x)
{
    const firn_real a = firn_abs(x), sign = x < 0 ? (firn_real)-1 : (firn_real)1;
    if (a < 1) return sign * ((firn_real)1.5 * a * a - 2 * a);
    if (a < 2) return sign * (-(firn_real)0.5 * a * a + 2 * a - 2);
    return 0;
}

// The four values N(t + 1 - k), k = 0..3, where t in [0, 1) is the position within the cell.
FIRN_FN void firn_bspline_weights(firn_real t, firn_real w[4])
{
    const firn_real u = 1 - t, sixth = (firn_real)1 / 6;
    w[0] = u * u * u * sixth;
    w[1] = (firn_real)2 / 3 - t * t * (1 - (firn_real)0.5 * t);
    w[2] = (firn_real)2 / 3 - u * u * (1 - (firn_real)0.5 * u);
    w[3] = t * t * t * sixth;
}

// Their derivatives with respect to the position; `inverse_cell` = 1/h.
FIRN_FN void firn_bspline_slopes(firn_real t, firn_real inverse_cell, firn_real dw[4])
{
    const firn_real u = 1 - t, half = (firn_real)0.5 * inverse_cell;
    dw[0] = -u * u * half;
    dw[1] = t * (3 * t - 4) * half;
    dw[2] = -u * (3 * u - 4) * half;
    dw[3] = t * t * half;
}

// The quadratic N(x); x in cells from the node. Differentiable, with a kinked slope.
FIRN_FN firn_real firn_quadratic(firn_real x)
{
    const firn_real a = firn_abs(x), b = (firn_real)1.5 - a;
    if (a < (firn_real)0.5) return (firn_real)0.75 - a * a;
    return b > 0 ? (firn_real)0.5 * b * b : 0;
}

// Its N'(x).
FIRN_FN firn_real firn_quadratic_derivative(firn_real x)
{
    const firn_real a = firn_abs(x), sign = x < 0 ? (firn_real)-1 : (firn_real)1;
    if (a < (firn_real)0.5) return -2 * x;
    return a < (firn_real)1.5 ? sign * (a - (firn_real)1.5) : 0;
}

// Its four values N(t + 1 - k), one of them 0, without a branch: (1 - r)^2/2 - 3 r^2/2 is 3/4 - t^2
// with r = t - 1/2. Small weights are products of differences that are exact near 0.
FIRN_FN void firn_quadratic_weights(firn_real t, firn_real w[4])
{
    const firn_real half = (firn_real)0.5, r = t - half;
    const firn_real low = firn_min(r, 0), high = firn_max(r, 0);
    const firn_real a = (firn_real)1.5 - t, b = t + half;
    w[0] = half * low * low;
    w[1] = half * a * a - (firn_real)1.5 * low * low;
    w[2] = half * b * b - (firn_real)1.5 * high * high;
    w[3] = half * high * high;
}

FIRN_FN void firn_quadratic_slopes(firn_real t, firn_real inverse_cell, firn_real dw[4])
{
    const firn_real half = (firn_real)0.5, r = t - half;
    dw[0] = firn_min(r, 0) * inverse_cell;
    dw[1] = -firn_min(2 * t, (firn_real)1.5 - t) * inverse_cell;
    dw[2] = firn_min(2 - 2 * t, t + half) * inverse_cell;
    dw[3] = firn_max(r, 0) * inverse_cell;
}

// Weights and slopes of either kind.
FIRN_FN void firn_spline_weights(firn_spline kind, firn_real t, firn_real w[4])
{
    if (kind == FIRN_SPLINE_QUADRATIC) {
        firn_quadratic_weights(t, w);
    } else {
        firn_bspline_weights(t, w);
    }
}

FIRN_FN void firn_spline_slopes(firn_spline kind, firn_real t, firn_real inverse_cell,
                                firn_real dw[4])
{
    if (kind == FIRN_SPLINE_QUADRATIC) {
        firn_quadratic_slopes(t, inverse_cell, dw);
    } else {
        firn_bspline_slopes(t, inverse_cell, dw);
    }
}

// h^2 over the second moment sum_i w_ip (x_i - x_p)^2 per axis, the same for every position: the
// h^2 D^-1 of affine transfers (Jiang et al. 2015).
FIRN_FN firn_real firn_spline_affine(firn_spline kind)
{
    return kind == FIRN_SPLINE_QUADRATIC ? (firn_real)4 : (firn_real)3;
}

// Weights of one particle: node (base.x + a, base.y + b, base.z + c) has
// w_ip = w[0][a] w[1][b] w[2][c].
typedef struct firn_weights {
    int32_t base[3];  // lowest node
    firn_real t[3];   // position within the cell, [0, 1)
    firn_real w[3][4];
} firn_weights;

// Lowest node and position within the cell along one axis; |x/h| < 2^31.
FIRN_FN void firn_weights_axis(firn_real x_over_h, int32_t* base, firn_real* t)
{
#ifdef __CUDACC__
    const firn_real cell = firn_floor(x_over_h);
    *base = (int32_t)cell - 1;
    *t = x_over_h - cell;
#else  // firn_floor is a library call on baseline x86-64
    const int32_t towards_0 = (int32_t)x_over_h;
    const int32_t cell = towards_0 - ((firn_real)towards_0 > x_over_h);
    *base = cell - 1;
    *t = x_over_h - (firn_real)cell;
#endif
}

FIRN_FN firn_weights firn_weights_of(firn_spline kind, firn_vec3 x, firn_real inverse_cell)
{
    firn_weights out;
    firn_weights_axis(x.x * inverse_cell, &out.base[0], &out.t[0]);
    firn_weights_axis(x.y * inverse_cell, &out.base[1], &out.t[1]);
    firn_weights_axis(x.z * inverse_cell, &out.base[2], &out.t[2]);
    for (int d = 0; d < 3; d++) firn_spline_weights(kind, out.t[d], out.w[d]);
    return out;
}
