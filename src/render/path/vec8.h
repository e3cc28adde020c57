// SPDX-License-Identifier: MIT
// Eight floats side by side (gcc/clang vector types: AVX, or two halves of SSE or NEON). A mask is
// an integer vector of 0 and -1.
#pragma once
#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"  // vectors never cross a call between levels
#endif

typedef float firn_f8 __attribute__((vector_size(32)));
typedef int32_t firn_i8 __attribute__((vector_size(32)));
typedef uint32_t firn_u8 __attribute__((vector_size(32)));

static inline firn_f8 firn_f8_all(float x)
{
    return (firn_f8){x, x, x, x, x, x, x, x};
}

static inline firn_f8 firn_f8_select(firn_i8 mask, firn_f8 yes, firn_f8 no)
{
#if defined(__AVX2__)
    return (firn_f8)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)mask);
#else
    return (firn_f8)((mask & (firn_i8)yes) | (~mask & (firn_i8)no));
#endif
}

static inline firn_i8 firn_i8_select(firn_i8 mask, firn_i8 yes, firn_i8 no)
{
    return (firn_i8)firn_f8_select(mask, (firn_f8)yes, (firn_f8)no);
}

static inline firn_f8 firn_f8_min(firn_f8 a, firn_f8 b)
{
    return firn_f8_select(a < b, a, b);
}

static inline firn_f8 firn_f8_max(firn_f8 a, firn_f8 b)
{
    return firn_f8_select(a > b, a, b);
}

// One bit per lane.
static inline unsigned firn_i8_bits(firn_i8 mask)
{
#if defined(__AVX2__)
    return (unsigned)_mm256_movemask_ps((__m256)mask);
#else
    unsigned bits = 0;
    for (int k = 0; k < 8; k++) bits |= (unsigned)(mask[k] & 1) << k;
    return bits;
#endif
}

static inline firn_f8 firn_f8_of(firn_i8 i)
{
    return __builtin_convertvector(i, firn_f8);
}

static inline firn_i8 firn_i8_of_bits(unsigned bits)
{
    const firn_i8 lane = {1, 2, 4, 8, 16, 32, 64, 128};
    return (lane & (int32_t)bits) != 0;
}

static inline firn_f8 firn_f8_sqrt(firn_f8 x)
{
#if defined(__AVX2__)
    return (firn_f8)_mm256_sqrt_ps((__m256)x);
#else
    for (int k = 0; k < 8; k++) x[k] = __builtin_sqrtf(x[k]);
    return x;
#endif
}
