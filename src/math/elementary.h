// SPDX-License-Identifier: MIT
// exp, log, sin, cos, atan2 and cube root of our own, so that results do not depend on the C
// library (STYLE.md section 12). All in double inside: only + - * and exact scaling, the same bits
// everywhere.
#pragma once
#include <string.h>

#include "math/shared.h"

// 2^k for -1022 <= k <= 1023, exact.
FIRN_FN double firn_pow2(int k)
{
    const uint64_t bits = (uint64_t)(1023 + k) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// e^x within 2 ulp of double; 0 below -708, capped at e^709 (finite) above.
FIRN_FN double firn_exp_double(double x)
{
    if (!(x > -708.0)) return x != x ? x : 0.0;
    if (x > 709.0) x = 709.0;
    // x = k ln2 + r, |r| <= ln2/2; ln2 in two parts so that k ln2 is exact in the first
    const double kf = floor(x * 1.4426950408889634 + 0.5);
    const double r = (x - kf * 6.93147180369123816490e-01) - kf * 1.90821492927058770002e-10;
    double p = 1.0 / 6227020800.0;  // Taylor to r^13: remainder < 5e-18 at |r| = 0.347
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    const double e = 1.0 + (r + r * r * p);
    const int k = (int)kf;
    return k > 1023 ? e * firn_pow2(k - 1) * 2.0 : e * firn_pow2(k);
}

FIRN_FN firn_real firn_exp(firn_real x)
{
#ifdef FIRN_DOUBLE
    return firn_exp_double(x);
#else
    const double e = firn_exp_double((double)x);
    return e > 3.4e38 ? 3.4e38f : (float)e;
#endif
}

// Natural logarithm of a normal number x > 0, within 2 ulp of double beside a rounding of 2e-16.
FIRN_FN double firn_log_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int k = (int)(bits >> 52 & 0x7ff) - 1023;
    const uint64_t mantissa = (bits & 0x000fffffffffffffull) | 0x3ff0000000000000ull;
    double m;  // x = 2^k m
    memcpy(&m, &mantissa, sizeof m);
    if (m > 1.41421356237309515) {
        m *= 0.5;
        k++;
    }
    // ln m = 2 artanh f = 2 (f + f^3/3 + f^5/5 + ...), |f| <= 0.172: remainder < 1e-18
    const double f = (m - 1) / (m + 1), f2 = f * f;
    double p = 1.0 / 23.0;
    for (int n = 21; n >= 3; n -= 2) p = p * f2 + 1.0 / n;
    const double ln_m = 2 * f + 2 * f * f2 * p;
    // ln2 in two parts, as in firn_exp_double
    return k * 6.93147180369123816490e-01 + (ln_m + k * 1.90821492927058770002e-10);
}

// sin and cos for |x| up to 1e5 (animation angles); error below 1e-15. Those of 0 from 1e15 on,
// where a double tells no fraction of a turn, and for NaN.
FIRN_FN void firn_sincos_double(double x, double* out_sin, double* out_cos)
{
    if (!(x > -1e15 && x < 1e15)) x = 0;
    // quarter turns, pi/2 in three parts (Cody and Waite)
    const double q = floor(x * 0.63661977236758134308 + 0.5);
    double r = x - q * 1.57079632673412561417e+00;
    r -= q * 6.07710050630396597660e-11;
    r -= q * 2.02226624879595063154e-21;
    const double z = r * r;
    double s = -1.0 / 1307674368000.0;  // Taylor: remainder < 1e-17 at |r| = pi/4
    s = s * z + 1.0 / 6227020800.0;
    s = s * z - 1.0 / 39916800.0;
    s = s * z + 1.0 / 362880.0;
    s = s * z - 1.0 / 5040.0;
    s = s * z + 1.0 / 120.0;
    s = s * z - 1.0 / 6.0;
    s = r + r * z * s;
    double c = 1.0 / 20922789888000.0;
    c = c * z - 1.0 / 87178291200.0;
    c = c * z + 1.0 / 479001600.0;
    c = c * z - 1.0 / 3628800.0;
    c = c * z + 1.0 / 40320.0;
    c = c * z - 1.0 / 720.0;
    c = c * z + 1.0 / 24.0;
    c = c * z - 0.5;
    c = 1.0 + z * c;
    const int quadrant = (int)((int64_t)q & 3);
    *out_sin = quadrant == 0 ? s : quadrant == 1 ? c : quadrant == 2 ? -s : -c;
    *out_cos = quadrant == 0 ? c : quadrant == 1 ? -s : quadrant == 2 ? -c : s;
}

// Angle of the point (x, y) from the x axis, in [-pi, pi]; 0 for (0, 0). Error below 5e-16.
FIRN_FN double firn_atan2_double(double y, double x)
{
    const double ay = y < 0 ? -y : y, ax = x < 0 ? -x : x;
    const double large = ax > ay ? ax : ay, small = ax > ay ? ay : ax;
    if (!(large > 0)) return 0;
    // halve the angle twice, atan t = 2 atan(t / (1 + sqrt(1 + t^2))): 0 <= t <= tan(pi/16)
    double t = small / large;
    t = t / (1 + sqrt(1 + t * t));
    t = t / (1 + sqrt(1 + t * t));
    const double z = t * t;
    double p = 0;  // Taylor to t^25: remainder < 1e-19
    for (int k = 25; k >= 3; k -= 2) p = z * (((k & 2) ? -1.0 : 1.0) / k + p);
    double angle = 4 * (t + t * p);
    if (ay > ax) angle = 1.57079632679489661923 - angle;
    if (x < 0) angle = 3.14159265358979323846 - angle;
    return y < 0 ? -angle : angle;
}

// Cube root of 1e-300 <= x <= 1e300, relative error below 1e-15; exact for cubes of integers below
// 2^17.
FIRN_FN double firn_cbrt_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = bits / 3 + 0x2a9f7893782da1ceull;  // a third of the exponent: 4 % off
    double y;
    memcpy(&y, &bits, sizeof y);
    for (int k = 0; k < 5; k++) y = y - (y - x / (y * y)) / 3;  // Newton: 4e-2, 2e-3, 3e-6, 7e-12
    const double whole = floor(y + 0.5);
    return whole * whole * whole == x ? whole : y;
}
