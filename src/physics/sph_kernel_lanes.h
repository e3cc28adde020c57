// SPDX-License-Identifier: MIT
// The cubic spline of a SIMD batch of pairs: a second form of physics/sph_kernel.h that multiplies
// with 1/h, where that divides, and returns W and its slope together. test_sph_tables compares
// densities and gradients by the two.
#pragma once
#include "math/mat3_lanes.h"
#include "physics/sph_kernel.h"

// W [1/m^3] and W'/r [1/m^5] at the distance r [m] of each lane.
typedef struct firn_sph_kernel_lanes {
    firn_lanes w, dw_over_r;
} firn_sph_kernel_lanes;

// `inverse_h`: 1/h; `w0`: firn_sph_w0(h).
FIRN_LANES_FN firn_sph_kernel_lanes firn_sph_kernel_lanes_of(firn_lanes r, firn_real inverse_h,
                                                             firn_real w0)
{
    const firn_lanes q = r * firn_lanes_all(inverse_h), one = firn_lanes_all(1);
    const firn_lanes two = firn_lanes_all(2), left = two - q;
    const firn_lanes rest = firn_lanes_max(left, firn_lanes_all(0)), rest2 = rest * rest;
    const firn_lanes_mask near = firn_lanes_less(q, one);
    const firn_lanes w_near = firn_lanes_fma(firn_lanes_all((firn_real)-0.75) * (q * q), left, one);
    const firn_lanes w_far = firn_lanes_all((firn_real)0.25) * (rest2 * rest);
    const firn_lanes d_near =
        firn_lanes_fma(firn_lanes_all((firn_real)2.25), q, firn_lanes_all(-3));
    const firn_lanes d_far = firn_lanes_all((firn_real)-0.75) * rest2 / firn_lanes_max(q, one);
    const firn_real w2 = w0 * (inverse_h * inverse_h);
    return FIRN_LIT(firn_sph_kernel_lanes){
        firn_lanes_all(w0) * firn_lanes_select(near, w_near, w_far),
        firn_lanes_all(w2) * firn_lanes_select(near, d_near, d_far)};
}
