// SPDX-License-Identifier: MIT
// vec4: four reals side by side, one node or particle (x, y, z and one more; lanes.h has the other
// layout, one component of many particles). gcc/clang vector types; the same source for SSE, AVX,
// NEON. C only: CUDA has float4.
#pragma once
#include "firn/types.h"

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__ARM_FEATURE_FMA) && defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

// Vectors never cross a call between files compiled for different levels, so their ABI is no
// concern.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

typedef firn_real firn_vec4 __attribute__((vector_size(4 * sizeof(firn_real))));

static inline firn_vec4 firn_vec4_all(firn_real x)
{
    return (firn_vec4){x, x, x, x};
}

// a*b + c, fused where math/shared.h's firn_fma is.
static inline firn_vec4 firn_vec4_fma(firn_vec4 a, firn_vec4 b, firn_vec4 c)
{
#if defined(__FMA__)
#ifdef FIRN_DOUBLE
    return (firn_vec4)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
    return (firn_vec4)_mm_fmadd_ps((__m128)a, (__m128)b, (__m128)c);
#endif
#elif defined(__ARM_FEATURE_FMA) && defined(__aarch64__) && !defined(FIRN_DOUBLE)
    return (firn_vec4)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
#elif defined(__ARM_FEATURE_FMA)
    firn_vec4 r;
    for (int i = 0; i < 4; i++)
        r[i] = (firn_real)__builtin_fma((double)a[i], (double)b[i], (double)c[i]);
    return r;
#else
    return a * b + c;
#endif
}

// x*b + c with a scalar x.
static inline firn_vec4 firn_vec4_madd(firn_real x, firn_vec4 b, firn_vec4 c)
{
    return firn_vec4_fma(firn_vec4_all(x), b, c);
}

// As firn_min and firn_max: b where the two do not compare.
static inline firn_vec4 firn_vec4_min(firn_vec4 a, firn_vec4 b)
{
#if defined(__SSE2__) && !defined(FIRN_DOUBLE)
    return (firn_vec4)_mm_min_ps((__m128)a, (__m128)b);
#elif defined(__AVX__) && defined(FIRN_DOUBLE)
    return (firn_vec4)_mm256_min_pd((__m256d)a, (__m256d)b);
#elif defined(__wasm_simd128__) && !defined(FIRN_DOUBLE)
    return (firn_vec4)wasm_f32x4_pmin((v128_t)b, (v128_t)a);
#else
    for (int i = 0; i < 4; i++) a[i] = a[i] < b[i] ? a[i] : b[i];
    return a;
#endif
}

static inline firn_vec4 firn_vec4_max(firn_vec4 a, firn_vec4 b)
{
#if defined(__SSE2__) && !defined(FIRN_DOUBLE)
    return (firn_vec4)_mm_max_ps((__m128)a, (__m128)b);
#elif defined(__AVX__) && defined(FIRN_DOUBLE)
    return (firn_vec4)_mm256_max_pd((__m256d)a, (__m256d)b);
#elif defined(__wasm_simd128__) && !defined(FIRN_DOUBLE)
    return (firn_vec4)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
#else
    for (int i = 0; i < 4; i++) a[i] = a[i] > b[i] ? a[i] : b[i];
    return a;
#endif
}

// Four doubles, for sums over many particles.
typedef double firn_vec4d __attribute__((vector_size(4 * sizeof(double))));

static inline firn_vec4d firn_vec4d_of(firn_vec4 q)
{
    return __builtin_convertvector(q, firn_vec4d);
}
