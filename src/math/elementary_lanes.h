// SPDX-License-Identifier: MIT
// e^x of a SIMD batch, for C and CUDA: a second form of firn_exp (math/elementary.h) without
// branches and, in float, without doubles. The same range, within one unit in the last place of the
// type: test_elementary_lanes.
#pragma once
#include "core/simd/lanes.h"
#include "math/shared.h"

// (e^r - 1 - r) / r^2 by Taylor's series for |r| <= ln2/2. Constants in the code instead of a
// table, which a GPU would have to read from memory.
FIRN_LANES_FN firn_lanes firn_lanes_exp_series(firn_lanes r)
{
    firn_lanes p;
#ifdef FIRN_DOUBLE  // to r^13: remainder < 5e-18
    p = firn_lanes_all(1.0 / 6227020800.0);
    p = firn_lanes_fma(p, r, firn_lanes_all(1.0 / 479001600.0));
    p = firn_lanes_fma(p, r, firn_lanes_all(1.0 / 39916800.0));
    p = firn_lanes_fma(p, r, firn_lanes_all(1.0 / 3628800.0));
    p = firn_lanes_fma(p, r, firn_lanes_all(1.0 / 362880.0));
    p = firn_lanes_fma(p, r, firn_lanes_all(1.0 / 40320.0));
    p = firn_lanes_fma(p, r, firn_lanes_all(1.0 / 5040.0));
#else  // to r^7: remainder < 6e-9
    p = firn_lanes_all(1.0f / 5040);
#endif
    p = firn_lanes_fma(p, r, firn_lanes_all((firn_real)1 / 720));
    p = firn_lanes_fma(p, r, firn_lanes_all((firn_real)1 / 120));
    p = firn_lanes_fma(p, r, firn_lanes_all((firn_real)1 / 24));
    p = firn_lanes_fma(p, r, firn_lanes_all((firn_real)1 / 6));
    return firn_lanes_fma(p, r, firn_lanes_all((firn_real)0.5));
}

// 0 for x below -86.6 (float) or -708, where the result leaves the normal numbers; at most 3.4e38
// (float) or e^709. A NaN stays one.
FIRN_LANES_FN firn_lanes firn_lanes_exp(firn_lanes x)
{
#ifdef FIRN_DOUBLE
    const firn_real least = -708.0, most = 709.0, cap = FIRN_REAL_MAX;
    // 1.5 * 2^52: adding it rounds to an integer, which is then in the lowest bits
    const firn_real shift = 6755399441055744.0;
    const firn_real ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
    const firn_lanes_int bias = 1022 - firn_lanes_bits(firn_lanes_all(shift));
    const int mantissa = 52;
#else
    const firn_real least = -86.6f, most = 88.8f, cap = 3.4e38f;
    const firn_real shift = 12582912.0f;                                 // as above, 1.5 * 2^23
    const firn_real ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;  // high has 10 bits
    const firn_lanes_int bias = 126 - firn_lanes_bits(firn_lanes_all(shift));
    const int mantissa = 23;
#endif
    const firn_lanes one = firn_lanes_all(1), zero = firn_lanes_all(0);
    const firn_lanes z = firn_lanes_clamp(x, firn_lanes_all(least), firn_lanes_all(most));
    // x = k ln2 + r; k ln2_high is exact
    const firn_lanes up =
        firn_lanes_fma(z, firn_lanes_all((firn_real)1.4426950408889634), firn_lanes_all(shift));
    const firn_lanes k = up - firn_lanes_all(shift);
    const firn_lanes high = firn_lanes_fma(k, firn_lanes_all(-ln2_high), z);
    const firn_lanes r = firn_lanes_fma(k, firn_lanes_all(-ln2_low), high);
    const firn_lanes rest = firn_lanes_fma(k, firn_lanes_all(-ln2_low), high - r);  // what r lost
    const firn_lanes p = firn_lanes_exp_series(r);
    const firn_lanes e = one + (r + firn_lanes_fma(r * r, p, rest));
    // 2 e^r times 2^(k-1): k reaches one more than exponents do, and no step leaves the normal
    // range
    const firn_lanes scale = firn_lanes_from_bits((firn_lanes_bits(up) + bias) << mantissa);
    firn_lanes out = firn_lanes_min((e + e) * scale, firn_lanes_all(cap));
    out = firn_lanes_select(firn_lanes_less(x, firn_lanes_all(least)), zero, out);
    return firn_lanes_select(firn_lanes_at_most(x, x), out, x);
}
