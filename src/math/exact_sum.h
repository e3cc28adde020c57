// SPDX-License-Identifier: MIT
// Sums of doubles without rounding: the result does not depend on the order of the additions, nor
// on how the values were divided among threads or processes. It is the exact sum, rounded once.
//
// A fixed-point number that covers all doubles, in limbs of 32 bits, each in an int64_t of its own:
//
//     limb      67        66   ...    34        33    ...     1         0
//     value   2^1070    2^1038 ...  2^14      2^-18   ...  2^-1042    2^-1074     times an int64_t
//
// The upper bits of each limb take carries: 2^30 values are added before they must be passed on
// (firn_exact_sum_settle, done here when it is due). All parts are integers, so sums of several
// processes are joined by adding their integers, in any order (MPI_SUM of FIRN_EXACT_INTEGERS).
// A superaccumulator: Kulisch and Miranker, The arithmetic of the digital computer: a new approach
// (1986); limbs with room for carries: Neal, Fast exact summation using small and large
// superaccumulators (2015).
#pragma once
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define FIRN_EXACT_LIMBS 68
#define FIRN_EXACT_INTEGERS (FIRN_EXACT_LIMBS + 3)
#define FIRN_EXACT_DUE ((int64_t)1 << 30)  // values until carries must be passed on

__extension__ typedef unsigned __int128 firn_exact_wide;

// Zeroed: 0.
typedef struct firn_exact_sum {
    int64_t limb[FIRN_EXACT_LIMBS];
    int64_t infinite[2];  // how many values were +inf, -inf
    int64_t nan;          // how many were not numbers
    int64_t added;        // values since carries were passed on; not part of the value
} firn_exact_sum;

// Passes carries on: all limbs but the last are 0 to 2^32 - 1 afterwards, the last has the sign.
static inline void firn_exact_sum_settle(firn_exact_sum* sum)
{
    int64_t carry = 0;
    for (int k = 0; k < FIRN_EXACT_LIMBS - 1; k++) {
        const int64_t all = sum->limb[k] + carry;
        sum->limb[k] = all & 0xffffffff;
        carry = all >> 32;
    }
    sum->limb[FIRN_EXACT_LIMBS - 1] += carry;
    sum->added = 0;
}

static inline void firn_exact_sum_add(firn_exact_sum* sum, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const int exponent = (int)(bits >> 52 & 0x7ff);
    const uint64_t fraction = bits & 0xfffffffffffffull;
    const bool negative = bits >> 63 != 0;
    if (exponent == 0x7ff) {
        if (fraction != 0)
            sum->nan++;
        else
            sum->infinite[negative]++;
        return;
    }
    // |value| = mantissa 2^(shift - 1074)
    const uint64_t mantissa = exponent > 0 ? fraction | 0x10000000000000ull : fraction;
    const int shift = exponent > 0 ? exponent - 1 : 0;
    int64_t* limb = sum->limb + shift / 32;
    const firn_exact_wide place = (firn_exact_wide)mantissa << (shift % 32);
    const int64_t sign = negative ? -1 : 1;
    limb[0] += sign * (int64_t)((uint64_t)place & 0xffffffff);
    limb[1] += sign * (int64_t)((uint64_t)(place >> 32) & 0xffffffff);
    limb[2] += sign * (int64_t)(uint64_t)(place >> 64);
    if (++sum->added >= FIRN_EXACT_DUE) firn_exact_sum_settle(sum);
}

// Adds another sum. Both may still have carries to pass on; they are passed on here.
static inline void firn_exact_sum_join(firn_exact_sum* sum, const firn_exact_sum* other)
{
    firn_exact_sum more = *other;
    firn_exact_sum_settle(&more);
    firn_exact_sum_settle(sum);
    for (int k = 0; k < FIRN_EXACT_LIMBS; k++) sum->limb[k] += more.limb[k];
    for (int k = 0; k < 2; k++) sum->infinite[k] += more.infinite[k];
    sum->nan += more.nan;
    firn_exact_sum_settle(sum);
}

// The sum, rounded to the nearest double, ties to even. Opposite infinities give a NaN; 0 is +0.
static inline double firn_exact_sum_value(const firn_exact_sum* sum)
{
    if (sum->nan > 0 || (sum->infinite[0] > 0 && sum->infinite[1] > 0)) return NAN;
    if (sum->infinite[0] > 0) return INFINITY;
    if (sum->infinite[1] > 0) return -INFINITY;
    firn_exact_sum m = *sum;
    firn_exact_sum_settle(&m);
    const bool negative = m.limb[FIRN_EXACT_LIMBS - 1] < 0;
    if (negative) {
        for (int k = 0; k < FIRN_EXACT_LIMBS; k++) m.limb[k] = -m.limb[k];
        firn_exact_sum_settle(&m);
    }
    int top = FIRN_EXACT_LIMBS - 1;
    while (top > 0 && m.limb[top] == 0) top--;
    // The last limb may exceed 32 bits, after 2^32 times the largest double: that is infinite.
    if (m.limb[top] >> 32 != 0) return negative ? -INFINITY : INFINITY;
    firn_exact_wide high = 0;  // the three highest limbs
    for (int k = top; k > top - 3; k--) high = high << 32 | (uint64_t)(k >= 0 ? m.limb[k] : 0);
    bool rest = false;  // anything below them
    for (int k = top - 3; k >= 0; k--) rest |= m.limb[k] != 0;
    // 64 bits of it, the last of which says whether there is more: then one rounding is exact
    int shift = 0;
    while (high >> shift > UINT64_MAX) shift++;
    const firn_exact_wide lost = high & (((firn_exact_wide)1 << shift) - 1);
    const uint64_t head = (uint64_t)(high >> shift) | (uint64_t)(rest || lost != 0);
    const double size = ldexp((double)head, shift + 32 * (top - 2) - 1074);
    return negative ? -size : size;
}
