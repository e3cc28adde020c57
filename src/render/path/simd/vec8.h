// SPDX-License-Identifier: MIT
// Vectors of eight floats or 32-bit integers (gcc/clang vector types: AVX, or two halves of SSE or
// NEON). A mask is an integer vector of 0 and -1.
#pragma once
#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"  // vectors are not passed between SIMD levels
#endif

typedef float firn_vec8f __attribute__((vector_size(32)));
typedef int32_t firn_vec8i __attribute__((vector_size(32)));
typedef uint32_t firn_vec8u __attribute__((vector_size(32)));

static inline firn_vec8f firn_vec8f_all(float x)
{
    return (firn_vec8f){x, x, x, x, x, x, x, x};
}

static inline firn_vec8f firn_vec8f_select(firn_vec8i mask, firn_vec8f yes, firn_vec8f no)
{
#if defined(__AVX2__)
    return (firn_vec8f)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)mask);
#else
    return (firn_vec8f)((mask & (firn_vec8i)yes) | (~mask & (firn_vec8i)no));
#endif
}

static inline firn_vec8i firn_vec8i_select(firn_vec8i mask, firn_vec8i yes, firn_vec8i no)
{
    return (firn_vec8i)firn_vec8f_select(mask, (firn_vec8f)yes, (firn_vec8f)no);
}

static inline firn_vec8f firn_vec8f_min(firn_vec8f a, firn_vec8f b)
{
    return firn_vec8f_select(a < b, a, b);
}

static inline firn_vec8f firn_vec8f_max(firn_vec8f a, firn_vec8f b)
{
    return firn_vec8f_select(a > b, a, b);
}

// One bit per lane.
static inline unsigned firn_vec8i_bits(firn_vec8i mask)
{
#if defined(__AVX2__)
    return (unsigned)_mm256_movemask_ps((__m256)mask);
#else
    unsigned bits = 0;
    for (int k = 0; k < 8; k++) bits |= (unsigned)(mask[k] & 1) << k;
    return bits;
#endif
}

static inline firn_vec8f firn_vec8f_of(firn_vec8i i)
{
    return __builtin_convertvector(i, firn_vec8f);
}

static inline firn_vec8i firn_vec8i_of_bits(unsigned bits)
{
    const firn_vec8i lane = {1, 2, 4, 8, 16, 32, 64, 128};
    return (lane & (int32_t)bits) != 0;
}

static inline firn_vec8f firn_vec8f_sqrt(firn_vec8f x)
{
#if defined(__AVX2__)
    return (firn_vec8f)_mm256_sqrt_ps((__m256)x);
#else
    for (int k = 0; k < 8; k++) x[k] = __builtin_sqrtf(x[k]);
    return x;
#endif
}
