// SPDX-License-Identifier: MIT
// core/simd/lanes.h with gcc and clang vectors: 16 floats on x86-64-v4, 8 on v3, 4 on the baseline
// and NEON (half as many doubles). Include core/simd/lanes.h, not this.
#pragma once
#include "core/simd/lanes_real.h"

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#if !defined(FIRN_DOUBLE)
#define FIRN_LANES_WASM  // WebAssembly: the vector instructions that clang does not find itself
#endif
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"  // vectors never cross a call between levels
#endif

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define FIRN_LANES_BYTES 64
#elif defined(__AVX2__) && defined(__FMA__)
#define FIRN_LANES_BYTES 32
#else
#define FIRN_LANES_BYTES 16
#endif
#define FIRN_LANES (FIRN_LANES_BYTES / FIRN_REAL_BYTES)

typedef firn_real firn_lanes __attribute__((vector_size(FIRN_LANES_BYTES)));
typedef firn_real firn_lanes_unaligned
    __attribute__((vector_size(FIRN_LANES_BYTES), aligned(sizeof(firn_real))));
#ifdef FIRN_DOUBLE
typedef int64_t firn_lanes_int __attribute__((vector_size(FIRN_LANES_BYTES)));
#else
typedef int32_t firn_lanes_int __attribute__((vector_size(FIRN_LANES_BYTES)));
#endif

// One truth value per lane.
#if FIRN_LANES_BYTES == 64 && !defined(FIRN_DOUBLE)
typedef __mmask16 firn_lanes_mask;
#elif FIRN_LANES_BYTES == 64
typedef __mmask8 firn_lanes_mask;
#else
typedef firn_lanes_int firn_lanes_mask;
#endif

FIRN_LANES_FN firn_lanes firn_lanes_all(firn_real x)
{
    return x - (firn_lanes){0};  // x in every lane; x - 0 keeps the sign of a zero
}

FIRN_LANES_FN firn_lanes firn_lanes_load(const firn_real* from)
{
    return *(const firn_lanes_unaligned*)from;
}

FIRN_LANES_FN void firn_lanes_store(firn_real* to, firn_lanes x)
{
    *(firn_lanes_unaligned*)to = x;
}

FIRN_LANES_FN firn_lanes_int firn_lanes_bits(firn_lanes x)
{
    return (firn_lanes_int)x;
}

FIRN_LANES_FN firn_lanes firn_lanes_from_bits(firn_lanes_int bits)
{
    return (firn_lanes)bits;
}

// a*b + c, fused where math/shared.h's firn_fma is.
FIRN_LANES_FN firn_lanes firn_lanes_fma(firn_lanes a, firn_lanes b, firn_lanes c)
{
#if FIRN_LANES_BYTES == 64 && defined(FIRN_DOUBLE)
    return (firn_lanes)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif FIRN_LANES_BYTES == 64
    return (firn_lanes)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif FIRN_LANES_BYTES == 32 && defined(FIRN_DOUBLE)
    return (firn_lanes)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#elif FIRN_LANES_BYTES == 32
    return (firn_lanes)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#elif defined(__ARM_FEATURE_FMA)
    for (int k = 0; k < FIRN_LANES; k++) c[k] = firn_real_fma(a[k], b[k], c[k]);
    return c;
#else
    return a * b + c;
#endif
}

FIRN_LANES_FN firn_lanes firn_lanes_sqrt(firn_lanes x)
{
#if FIRN_LANES_BYTES == 64 && defined(FIRN_DOUBLE)
    return (firn_lanes)_mm512_sqrt_pd((__m512d)x);
#elif FIRN_LANES_BYTES == 64
    return (firn_lanes)_mm512_sqrt_ps((__m512)x);
#elif FIRN_LANES_BYTES == 32 && defined(FIRN_DOUBLE)
    return (firn_lanes)_mm256_sqrt_pd((__m256d)x);
#elif FIRN_LANES_BYTES == 32
    return (firn_lanes)_mm256_sqrt_ps((__m256)x);
#elif defined(FIRN_LANES_WASM)
    return (firn_lanes)wasm_f32x4_sqrt((v128_t)x);
#else
    for (int k = 0; k < FIRN_LANES; k++)
#ifdef FIRN_DOUBLE
        x[k] = __builtin_sqrt(x[k]);
#else
        x[k] = __builtin_sqrtf(x[k]);
#endif
    return x;
#endif
}

// a < b; false where either is NaN.
FIRN_LANES_FN firn_lanes_mask firn_lanes_less(firn_lanes a, firn_lanes b)
{
#if FIRN_LANES_BYTES == 64 && defined(FIRN_DOUBLE)
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LT_OQ);
#elif FIRN_LANES_BYTES == 64
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ);
#else
    return a < b;
#endif
}

// a <= b; false where either is NaN.
FIRN_LANES_FN firn_lanes_mask firn_lanes_at_most(firn_lanes a, firn_lanes b)
{
#if FIRN_LANES_BYTES == 64 && defined(FIRN_DOUBLE)
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LE_OQ);
#elif FIRN_LANES_BYTES == 64
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ);
#else
    return a <= b;
#endif
}

FIRN_LANES_FN firn_lanes_mask firn_mask_not(firn_lanes_mask m)
{
    return (firn_lanes_mask)~m;
}

FIRN_LANES_FN firn_lanes_mask firn_mask_and(firn_lanes_mask a, firn_lanes_mask b)
{
    return (firn_lanes_mask)(a & b);
}

FIRN_LANES_FN firn_lanes_mask firn_mask_or(firn_lanes_mask a, firn_lanes_mask b)
{
    return (firn_lanes_mask)(a | b);
}

// One bit per lane, lane 0 lowest.
FIRN_LANES_FN unsigned firn_mask_bits(firn_lanes_mask m)
{
#if FIRN_LANES_BYTES == 64
    return (unsigned)m;
#elif FIRN_LANES_BYTES == 32 && defined(FIRN_DOUBLE)
    return (unsigned)_mm256_movemask_pd((__m256d)m);
#elif FIRN_LANES_BYTES == 32
    return (unsigned)_mm256_movemask_ps((__m256)m);
#elif defined(FIRN_LANES_WASM)
    return (unsigned)wasm_i32x4_bitmask((v128_t)m);
#else
    unsigned bits = 0;
    for (int k = 0; k < FIRN_LANES; k++) bits |= (unsigned)(m[k] & 1) << k;
    return bits;
#endif
}

// The inverse of firn_mask_bits.
FIRN_LANES_FN firn_lanes_mask firn_mask_from_bits(unsigned bits)
{
#if FIRN_LANES_BYTES == 64
    return (firn_lanes_mask)bits;
#else
    firn_lanes_mask m;
    for (int k = 0; k < FIRN_LANES; k++) m[k] = -(int)(bits >> k & 1);
    return m;
#endif
}

FIRN_LANES_FN firn_lanes firn_lanes_select(firn_lanes_mask m, firn_lanes yes, firn_lanes no)
{
#if FIRN_LANES_BYTES == 64 && defined(FIRN_DOUBLE)
    return (firn_lanes)_mm512_mask_blend_pd(m, (__m512d)no, (__m512d)yes);
#elif FIRN_LANES_BYTES == 64
    return (firn_lanes)_mm512_mask_blend_ps(m, (__m512)no, (__m512)yes);
#elif FIRN_LANES_BYTES == 32 && defined(FIRN_DOUBLE)
    return (firn_lanes)_mm256_blendv_pd((__m256d)no, (__m256d)yes, (__m256d)m);
#elif FIRN_LANES_BYTES == 32
    return (firn_lanes)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)m);
#elif defined(FIRN_LANES_WASM)
    return (firn_lanes)wasm_v128_bitselect((v128_t)yes, (v128_t)no, (v128_t)m);
#else
    return (firn_lanes)((m & (firn_lanes_int)yes) | (~m & (firn_lanes_int)no));
#endif
}

// As firn_min and firn_max: b where either is NaN.
FIRN_LANES_FN firn_lanes firn_lanes_min(firn_lanes a, firn_lanes b)
{
#if FIRN_LANES_BYTES == 64 && defined(FIRN_DOUBLE)
    return (firn_lanes)_mm512_min_pd((__m512d)a, (__m512d)b);
#elif FIRN_LANES_BYTES == 64
    return (firn_lanes)_mm512_min_ps((__m512)a, (__m512)b);
#elif defined(FIRN_LANES_WASM)
    return (firn_lanes)wasm_f32x4_pmin((v128_t)b, (v128_t)a);  // a < b ? a : b
#else
    return firn_lanes_select(firn_lanes_less(a, b), a, b);
#endif
}

FIRN_LANES_FN firn_lanes firn_lanes_max(firn_lanes a, firn_lanes b)
{
#if FIRN_LANES_BYTES == 64 && defined(FIRN_DOUBLE)
    return (firn_lanes)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif FIRN_LANES_BYTES == 64
    return (firn_lanes)_mm512_max_ps((__m512)a, (__m512)b);
#elif defined(FIRN_LANES_WASM)
    return (firn_lanes)wasm_f32x4_pmax((v128_t)b, (v128_t)a);  // b < a ? a : b
#else
    return firn_lanes_select(firn_lanes_less(b, a), a, b);
#endif
}

FIRN_LANES_FN firn_lanes firn_lanes_abs(firn_lanes x)
{
#ifdef FIRN_DOUBLE
    return (firn_lanes)((firn_lanes_int)x & INT64_MAX);
#else
    return (firn_lanes)((firn_lanes_int)x & INT32_MAX);
#endif
}

// Words of 32 bits, one per lane.
FIRN_LANES_FN firn_lanes_int firn_lanes_words(const uint32_t from[FIRN_LANES])
{
    firn_lanes_int words;
    for (int lane = 0; lane < FIRN_LANES; lane++) words[lane] = (int32_t)from[lane];
    return words;
}

// Lanes whose word has bit k.
FIRN_LANES_FN firn_lanes_mask firn_lanes_has_bit(firn_lanes_int words, int k)
{
    const firn_lanes_int bit = (firn_lanes_int){0} + (int32_t)(1u << k);
#if FIRN_LANES_BYTES == 64 && defined(FIRN_DOUBLE)
    return _mm512_test_epi64_mask((__m512i)words, (__m512i)bit);
#elif FIRN_LANES_BYTES == 64
    return _mm512_test_epi32_mask((__m512i)words, (__m512i)bit);
#else
    return (words & bit) != 0;
#endif
}

// Sets bit k in the words of the lanes of m.
FIRN_LANES_FN firn_lanes_int firn_lanes_set_bit(firn_lanes_int words, int k, firn_lanes_mask m)
{
    const firn_lanes_int bit = (firn_lanes_int){0} + (int32_t)(1u << k);
#if FIRN_LANES_BYTES == 64 && defined(FIRN_DOUBLE)
    return (firn_lanes_int)_mm512_mask_or_epi64((__m512i)words, m, (__m512i)words, (__m512i)bit);
#elif FIRN_LANES_BYTES == 64
    return (firn_lanes_int)_mm512_mask_or_epi32((__m512i)words, m, (__m512i)words, (__m512i)bit);
#else
    return words | (bit & m);
#endif
}
