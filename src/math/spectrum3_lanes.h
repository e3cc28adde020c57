// SPDX-License-Identifier: MIT
// Eigenvalues of a SIMD batch of symmetric 3x3 matrices without iteration, and functions of such
// matrices. For C and CUDA.
//
// The textbook formula (Smith 1961) loses half the digits of two eigenvalues that nearly agree. It
// is exact to rounding for the third, which is at least sqrt(3) p away from both, p = |A - mean|/
// sqrt(6). So only that one is taken from it. Its projector is the adjugate of A - lambda I over
// the trace of that; what is left of A is a 2x2 problem, whose eigenvalues are mean +- half the
// length of the remainder. Every step has an absolute error of a few epsilon times |A|.
#pragma once
#include "math/mat3_lanes.h"

// A = apart P + mean (I - P) + D, where P projects on the eigenvector that stands apart, D P = 0,
// and D has the eigenvalues +-half. So f(A) = f(apart) P + f_mean (I - P) + slope D with
// f_mean = (f(mean + half) + f(mean - half))/2, slope = (f(mean + half) - f(mean - half))/(2 half).
typedef struct firn_spectrum3_lanes {
    firn_lanes apart, mean, half;  // eigenvalues: apart, mean + half, mean - half
    firn_sym3_lanes P, D;
} firn_spectrum3_lanes;

// The root y in [sqrt 3, 2] of y^3 - 3 y = 2 r for r in [0, 1], that is 2 cos(acos(r)/3),
// interpolated at Chebyshev's points: error 4e-9. Pairs of terms, for a short chain of operations.
FIRN_LANES_FN firn_lanes firn_spectrum3_lanes_root(firn_lanes r)
{
    const firn_real c0 = (firn_real)1.73205081, c1 = (firn_real)0.333332742;
    const firn_real c2 = (firn_real)-0.0962088829, c3 = (firn_real)0.0492085936;
    const firn_real c4 = (firn_real)-0.0302145503, c5 = (firn_real)0.0187666611;
    const firn_real c6 = (firn_real)-0.00985938231, c7 = (firn_real)0.00352971373;
    const firn_real c8 = (firn_real)-0.000605708398;
    const firn_lanes r2 = r * r, r4 = r2 * r2;
    const firn_lanes c01 = firn_lanes_fma(firn_lanes_all(c1), r, firn_lanes_all(c0));
    const firn_lanes c23 = firn_lanes_fma(firn_lanes_all(c3), r, firn_lanes_all(c2));
    const firn_lanes c45 = firn_lanes_fma(firn_lanes_all(c5), r, firn_lanes_all(c4));
    const firn_lanes c67 = firn_lanes_fma(firn_lanes_all(c7), r, firn_lanes_all(c6));
    const firn_lanes high = firn_lanes_fma(firn_lanes_fma(firn_lanes_all(c8), r2, c67), r2, c45);
    firn_lanes y = firn_lanes_fma(high, r4, firn_lanes_fma(c23, r2, c01));
#ifdef FIRN_DOUBLE  // a round of Newton squares the error
    const firn_lanes y2 = y * y, three = firn_lanes_all(3);
    const firn_lanes miss = firn_lanes_fma(y, y2 - three, firn_lanes_all(-2) * r);
    y = y - miss / firn_lanes_fma(three, y2, -three);
#endif
    return y;
}

// The adjugate of A - c I.
FIRN_LANES_FN firn_sym3_lanes firn_sym3_lanes_adjugate(firn_sym3_lanes A, firn_lanes c)
{
    const firn_lanes xx = A.xx - c, yy = A.yy - c, zz = A.zz - c;
    firn_sym3_lanes r;
    r.xx = firn_lanes_fma(yy, zz, -(A.yz * A.yz));
    r.xy = firn_lanes_fma(A.xz, A.yz, -(A.xy * zz));
    r.xz = firn_lanes_fma(A.xy, A.yz, -(A.xz * yy));
    r.yy = firn_lanes_fma(xx, zz, -(A.xz * A.xz));
    r.yz = firn_lanes_fma(A.xy, A.xz, -(A.yz * xx));
    r.zz = firn_lanes_fma(xx, yy, -(A.xy * A.xy));
    return r;
}

// `rounding`: the size of the entries' own error, which need not be resolved; > 1e-12 in float, so
// that its cube does not vanish. Entries below 1e6.
FIRN_LANES_FN firn_spectrum3_lanes firn_spectrum3_lanes_of(firn_sym3_lanes A, firn_real rounding)
{
    const firn_lanes third = firn_lanes_all((firn_real)1 / 3),
                     half = firn_lanes_all((firn_real)0.5);
    const firn_lanes mean = (A.xx + A.yy + A.zz) * third;
    // less the mean, by differences: however small they are, the trace left is smaller
    const firn_lanes xy = A.xx - A.yy, xz = A.xx - A.zz, yz = A.yy - A.zz;
    A.xx = (xy + xz) * third;
    A.yy = (yz - xy) * third;
    A.zz = (xz + yz) * -third;
    const firn_lanes p2 =
        firn_lanes_max(firn_sym3_lanes_dot_self(A) * firn_lanes_all((firn_real)1 / 6),
                       firn_lanes_all(rounding * rounding));
    const firn_lanes p = firn_lanes_sqrt(p2);
    const firn_lanes zero = firn_lanes_all(0);
    const firn_sym3_lanes C = firn_sym3_lanes_adjugate(A, zero);
    const firn_lanes det = firn_lanes_fma(A.xx, C.xx, firn_lanes_fma(A.xy, C.xy, A.xz * C.xz));
    const firn_lanes r = firn_lanes_min(half * firn_lanes_abs(det) / (p * p2), firn_lanes_all(1));
    const firn_lanes y = p * firn_spectrum3_lanes_root(r);
    const firn_lanes apart = firn_lanes_select(firn_lanes_less(det, zero), -y, y);
    const firn_lanes rest = -half * apart;  // mean of the other two: A has no trace now

    firn_spectrum3_lanes s;
    const firn_sym3_lanes Q = firn_sym3_lanes_adjugate(A, apart);
    const firn_lanes scale = firn_lanes_all(1) / (Q.xx + Q.yy + Q.zz);
    s.P = FIRN_LIT(firn_sym3_lanes){Q.xx * scale, Q.xy * scale, Q.xz * scale,
                                    Q.yy * scale, Q.yz * scale, Q.zz * scale};
    const firn_lanes step = rest - apart;
    s.D.xx = firn_lanes_fma(step, s.P.xx, A.xx - rest);
    s.D.xy = firn_lanes_fma(step, s.P.xy, A.xy);
    s.D.xz = firn_lanes_fma(step, s.P.xz, A.xz);
    s.D.yy = firn_lanes_fma(step, s.P.yy, A.yy - rest);
    s.D.yz = firn_lanes_fma(step, s.P.yz, A.yz);
    s.D.zz = firn_lanes_fma(step, s.P.zz, A.zz - rest);
    s.half = firn_lanes_sqrt(half * firn_sym3_lanes_dot_self(s.D));
    s.apart = mean + apart;
    s.mean = mean + rest;
    return s;
}

// f(A) from the values of f at the eigenvalues apart, mean + half and mean - half. The slope is
// harmless where the last two agree but for rounding: |D| is about `half` then.
FIRN_LANES_FN firn_sym3_lanes firn_spectrum3_lanes_apply(const firn_spectrum3_lanes* s,
                                                         firn_lanes f_apart, firn_lanes f_plus,
                                                         firn_lanes f_minus)
{
    const firn_lanes f_mean = firn_lanes_all((firn_real)0.5) * (f_plus + f_minus);
    const firn_lanes slope =
        (f_plus - f_minus) / firn_lanes_max(s->half + s->half, firn_lanes_all(FIRN_REAL_TINY));
    const firn_lanes step = f_apart - f_mean;
    firn_sym3_lanes r;
    r.xx = firn_lanes_fma(slope, s->D.xx, firn_lanes_fma(step, s->P.xx, f_mean));
    r.xy = firn_lanes_fma(slope, s->D.xy, step * s->P.xy);
    r.xz = firn_lanes_fma(slope, s->D.xz, step * s->P.xz);
    r.yy = firn_lanes_fma(slope, s->D.yy, firn_lanes_fma(step, s->P.yy, f_mean));
    r.yz = firn_lanes_fma(slope, s->D.yz, step * s->P.yz);
    r.zz = firn_lanes_fma(slope, s->D.zz, firn_lanes_fma(step, s->P.zz, f_mean));
    return r;
}
