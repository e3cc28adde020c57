// SPDX-License-Identifier: MIT
// A row: four adjacent nodes along z with four reals each (design/0003), in one register of 64
// bytes if available, else in registers of 32 or 16. The SIMD transfers (tile_rows.h) use rows.
#pragma once
#include "core/simd/lanes.h"
#include "core/simd/vec4.h"

#define FIRN_ROW 16  // reals
#if FIRN_LANES_BYTES >= 64 && !defined(FIRN_DOUBLE)
#define FIRN_ROW_BYTES 64
#elif FIRN_LANES_BYTES >= 32
#define FIRN_ROW_BYTES 32
#else
#define FIRN_ROW_BYTES 16
#endif
#define FIRN_ROW_PART (FIRN_ROW_BYTES / FIRN_REAL_BYTES)  // reals per register
#define FIRN_ROW_PARTS (FIRN_ROW / FIRN_ROW_PART)

typedef firn_real firn_row_part __attribute__((vector_size(FIRN_ROW_BYTES)));
typedef firn_real firn_row_unaligned
    __attribute__((vector_size(FIRN_ROW_BYTES), aligned(sizeof(firn_real))));

typedef struct firn_row {
    firn_row_part part[FIRN_ROW_PARTS];
} firn_row;

static inline firn_row_part firn_row_part_all(firn_real x)
{
    return x - (firn_row_part){0};
}

// a*b + c, fused where firn_fma of math/shared.h is.
static inline firn_row_part firn_row_part_fma(firn_row_part a, firn_row_part b, firn_row_part c)
{
#if FIRN_ROW_BYTES == 64
    return (firn_row_part)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif FIRN_ROW_BYTES == 32 && defined(FIRN_DOUBLE)
    return (firn_row_part)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#elif FIRN_ROW_BYTES == 32
    return (firn_row_part)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#elif defined(__ARM_FEATURE_FMA)
    for (int k = 0; k < FIRN_ROW_PART; k++) c[k] = firn_real_fma(a[k], b[k], c[k]);
    return c;
#else
    return a * b + c;
#endif
}

static inline firn_row firn_row_zero(void)
{
    return (firn_row){0};
}

static inline firn_row firn_row_load(const firn_real* from)
{
    firn_row r;
    for (int k = 0; k < FIRN_ROW_PARTS; k++)
        r.part[k] = *(const firn_row_unaligned*)(from + k * FIRN_ROW_PART);
    return r;
}

static inline void firn_row_store(firn_real* to, firn_row r)
{
    for (int k = 0; k < FIRN_ROW_PARTS; k++)
        *(firn_row_unaligned*)(to + k * FIRN_ROW_PART) = r.part[k];
}

static inline firn_row firn_row_add(firn_row a, firn_row b)
{
    for (int k = 0; k < FIRN_ROW_PARTS; k++) a.part[k] += b.part[k];
    return a;
}

static inline firn_row firn_row_mul(firn_row a, firn_row b)
{
    for (int k = 0; k < FIRN_ROW_PARTS; k++) a.part[k] *= b.part[k];
    return a;
}

static inline firn_row firn_row_scale(firn_real x, firn_row a)
{
    const firn_row_part all = firn_row_part_all(x);
    for (int k = 0; k < FIRN_ROW_PARTS; k++) a.part[k] *= all;
    return a;
}

// x*b + c with a scalar x.
static inline firn_row firn_row_madd(firn_real x, firn_row b, firn_row c)
{
    const firn_row_part all = firn_row_part_all(x);
    for (int k = 0; k < FIRN_ROW_PARTS; k++)
        c.part[k] = firn_row_part_fma(all, b.part[k], c.part[k]);
    return c;
}

// The same four reals at all four nodes.
static inline firn_row firn_row_each(firn_vec4 q)
{
    firn_row r;
#if FIRN_ROW_BYTES == 64
    r.part[0] = (firn_row_part)_mm512_broadcast_f32x4((__m128)q);
#elif FIRN_ROW_BYTES == 32 && !defined(FIRN_DOUBLE)
    r.part[0] = r.part[1] =
        (firn_row_part)_mm256_insertf128_ps(_mm256_castps128_ps256((__m128)q), (__m128)q, 1);
#elif FIRN_ROW_PART == 4
    for (int z = 0; z < 4; z++) r.part[z] = q;
#else
    firn_real all[FIRN_ROW];
    for (int z = 0; z < 4; z++) memcpy(all + 4 * z, &q, sizeof q);
    r = firn_row_load(all);
#endif
    return r;
}

// w[z] at node z.
static inline firn_row firn_row_along(const firn_real w[4])
{
    firn_row r;
#if FIRN_ROW_BYTES == 64
    const __m512i each = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    r.part[0] = (firn_row_part)_mm512_permutexvar_ps(each, _mm512_castps128_ps512(_mm_loadu_ps(w)));
#elif FIRN_ROW_BYTES == 32 && !defined(FIRN_DOUBLE)
    for (int k = 0; k < 2; k++)
        r.part[k] =
            (firn_row_part)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_broadcast_ss(w + 2 * k)),
                                                _mm_broadcast_ss(w + 2 * k + 1), 1);
#elif FIRN_ROW_PART == 4
    for (int z = 0; z < 4; z++) r.part[z] = firn_row_part_all(w[z]);
#else
    firn_real all[FIRN_ROW];
    for (int k = 0; k < FIRN_ROW; k++) all[k] = w[k / 4];
    r = firn_row_load(all);
#endif
    return r;
}

// t[k] at the four places of axis k; the last four places repeat t[0].
static inline firn_row firn_row_along3(const firn_real t[3])
{
    firn_row r;
#if FIRN_ROW_BYTES == 64
    const __m512i each = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 0, 0, 0, 0);
    r.part[0] = (firn_row_part)_mm512_permutexvar_ps(
        each, _mm512_castps128_ps512(_mm_maskz_loadu_ps(7, t)));
#else
    const firn_real four[4] = {t[0], t[1], t[2], t[0]};
    r = firn_row_along(four);
#endif
    return r;
}

// The sum over the four nodes in the order (0 + 2) + (1 + 3).
static inline firn_vec4 firn_row_sum(firn_row a)
{
#if FIRN_ROW_BYTES == 64
    const __m512 all = (__m512)a.part[0];
    const __m256 pair = _mm512_castps512_ps256(all) + _mm512_extractf32x8_ps(all, 1);
    return (firn_vec4)_mm_add_ps(_mm256_castps256_ps128(pair), _mm256_extractf128_ps(pair, 1));
#elif FIRN_ROW_BYTES == 32 && !defined(FIRN_DOUBLE)
    const __m256 pair = (__m256)(a.part[0] + a.part[1]);
    return (firn_vec4)_mm_add_ps(_mm256_castps256_ps128(pair), _mm256_extractf128_ps(pair, 1));
#else
    firn_vec4 node[4];
    memcpy(node, &a, sizeof node);
    return (node[0] + node[2]) + (node[1] + node[3]);
#endif
}

// firn_row_sum of four rows, one behind the other.
static inline void firn_row_sums(const firn_row a[4], firn_real out[FIRN_ROW])
{
#if FIRN_ROW_BYTES == 64
    __m512 half[2];  // nodes 0 + 2 and 1 + 3 of two rows
    for (int k = 0; k < 2; k++) {
        const __m512 x = (__m512)a[2 * k].part[0], y = (__m512)a[2 * k + 1].part[0];
        half[k] = _mm512_shuffle_f32x4(x, y, 0x44) + _mm512_shuffle_f32x4(x, y, 0xee);
    }
    _mm512_storeu_ps(out, _mm512_shuffle_f32x4(half[0], half[1], 0x88) +
                              _mm512_shuffle_f32x4(half[0], half[1], 0xdd));
#else
    for (int k = 0; k < 4; k++) {
        const firn_vec4 sum = firn_row_sum(a[k]);
        memcpy(out + 4 * k, &sum, sizeof sum);
    }
#endif
}
