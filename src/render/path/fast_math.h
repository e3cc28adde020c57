// SPDX-License-Identifier: MIT
// Single-precision maths of the path tracer: vectors, logarithm and sincos that take a few
// nanoseconds and give the same bits on every machine.
#pragma once
#include <string.h>

#include "math/shared.h"

// A function that C compiles once, for the baseline, so that a picture's bits do not depend on the
// SIMD level of the loop that calls it; in CUDA every file that includes its definition has it.
// There it is called, not inlined (FIRN_FN_APART). Arguments that it gets by address should be
// copies: what has an address given away is in a GPU's memory, not in registers.
#ifdef __CUDACC__
#define FIRN_FN_ONCE static __noinline__ __host__ __device__ __attribute__((unused))
#else
#define FIRN_FN_ONCE
#endif

typedef struct firn_f3 {
    float x, y, z;
} firn_f3;

// Without the NaN handling of fminf and fmaxf, which costs a call.
FIRN_FN float firn_f_min(float a, float b)
{
    return a < b ? a : b;
}

FIRN_FN float firn_f_max(float a, float b)
{
    return a > b ? a : b;
}

// -ln(1 - u) for u in [0, 1), a multiple of 2^-24: an exponentially distributed optical depth.
// Relative error below 3e-7 (1 ulp near the middle), 0 at u = 0.
FIRN_FN float firn_exponential(float u)
{
    const float y = 1 - u;  // exact; 2^-24 .. 1
    uint32_t bits;
    memcpy(&bits, &y, sizeof bits);
    // y = 2^k m with m in [sqrt(1/2), sqrt(2))
    const int32_t k = (int32_t)((bits - 0x3f3504f3u) & 0xff800000u) >> 23;
    bits -= (uint32_t)k << 23;
    float m;
    memcpy(&m, &bits, sizeof m);
    // ln m = 2 atanh(s), s = (m - 1) / (m + 1), |s| < 0.1716
    const float s = (m - 1) / (m + 1), z = s * s;
    const float p = s * (2 + z * (0.66666667f + z * (0.4f + z * (0.28571429f + z * 0.22222222f))));
    return -((float)k * 0.69314718f + p);
}

// sin and cos of 2 pi u for u in [0, 1), within 2e-7.
FIRN_FN void firn_sincos_2pi(float u, float* out_sin, float* out_cos)
{
    const int32_t quarter = (int32_t)(4 * u + 0.5f);
    const float r = (u - 0.25f * (float)quarter) * 6.28318531f, z = r * r;  // |r| <= pi/4
    const float s =
        r * (1 + z * (-0.16666667f + z * (8.3333333e-3f + z * (-1.984127e-4f + z * 2.7e-6f))));
    const float c = 1 + z * (-0.5f + z * (4.1666667e-2f + z * (-1.3888889e-3f + z * 2.46e-5f)));
    const bool swap = (quarter & 1) != 0;
    const float a = swap ? c : s, b = swap ? s : c;
    *out_sin = (quarter & 2) != 0 ? -a : a;
    *out_cos = ((quarter + 1) & 2) != 0 ? -b : b;
}
