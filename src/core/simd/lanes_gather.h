// SPDX-License-Identifier: MIT
// SIMD batches from scattered records of four reals, one record per lane. Moves bits, rounds
// nothing. Records are loaded whole and transposed in registers, which costs less than a gather
// instruction for each of their reals.
#pragma once
#include "core/simd/lanes.h"

#if defined(FIRN_LANES_WASM)
// Transposes four registers of four floats.
FIRN_LANES_FN void firn_lanes_transpose4(const v128_t r[4], v128_t out[4])
{
    const v128_t a = wasm_i32x4_shuffle(r[0], r[1], 0, 4, 1, 5);
    const v128_t b = wasm_i32x4_shuffle(r[0], r[1], 2, 6, 3, 7);
    const v128_t c = wasm_i32x4_shuffle(r[2], r[3], 0, 4, 1, 5);
    const v128_t d = wasm_i32x4_shuffle(r[2], r[3], 2, 6, 3, 7);
    out[0] = wasm_i64x2_shuffle(a, c, 0, 2);
    out[1] = wasm_i64x2_shuffle(a, c, 1, 3);
    out[2] = wasm_i64x2_shuffle(b, d, 0, 2);
    out[3] = wasm_i64x2_shuffle(b, d, 1, 3);
}
#endif

// Writes first + b for every bit b of `bits`, ascending, and returns their number. `to`
// needs room for FIRN_LANES of them, however few there are.
FIRN_LANES_FN int firn_lanes_list(int32_t* to, int32_t first, unsigned bits)
{
#if FIRN_LANES_BYTES == 64 && !defined(FIRN_DOUBLE)
    const __m512i ascending =
        _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i index = _mm512_add_epi32(_mm512_set1_epi32(first), ascending);
    // in a register first: the form that compresses into memory is slow on some machines
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32((__mmask16)bits, index));
    return __builtin_popcount(bits);
#else
    int count = 0;
    for (; bits != 0; bits &= bits - 1) to[count++] = first + __builtin_ctz(bits);
    return count;
#endif
}

// Bit k of the result: list[k] is `value`, for the first `count` of them, 64 at most. The list is
// readable 15 beyond its end.
FIRN_LANES_FN uint64_t firn_lanes_find(const int32_t* list, int count, int32_t value)
{
    uint64_t found = 0;
#if FIRN_LANES_BYTES == 64
    for (int k = 0; k < count; k += 16)
        found |= (uint64_t)_mm512_cmpeq_epi32_mask(_mm512_loadu_si512(list + k),
                                                   _mm512_set1_epi32(value))
                 << k;
#elif FIRN_LANES_BYTES == 32
    for (int k = 0; k < count; k += 8) {
        const __m256i some = _mm256_loadu_si256((const __m256i*)(const void*)(list + k));
        const __m256i same = _mm256_cmpeq_epi32(some, _mm256_set1_epi32(value));
        found |= (uint64_t)(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(same)) << k;
    }
#elif defined(FIRN_LANES_WASM)
    for (int k = 0; k < count; k += 4) {
        const v128_t same = wasm_i32x4_eq(wasm_v128_load(list + k), wasm_i32x4_splat(value));
        found |= (uint64_t)(unsigned)wasm_i32x4_bitmask(same) << k;
    }
#else
    for (int k = 0; k < count; k++) found |= (uint64_t)(list[k] == value) << k;
#endif
    return count < 64 ? found & (((uint64_t)1 << count) - 1) : found;
}

// out[c] = base[stride index[lane] + c]. `base` and the stride, in reals, are aligned as a record
// of four is.
FIRN_LANES_FN void firn_lanes_gather4(const firn_real* base, size_t stride, const int32_t* index,
                                      firn_lanes out[4])
{
#if FIRN_LANES_BYTES == 64 && !defined(FIRN_DOUBLE)
    __m512 r[4];
    for (int k = 0; k < 4; k++) {  // lanes k, k + 4, k + 8, k + 12
        __m512 a = _mm512_castps128_ps512(_mm_load_ps(base + stride * (size_t)index[k]));
        a = _mm512_insertf32x4(a, _mm_load_ps(base + stride * (size_t)index[k + 4]), 1);
        a = _mm512_insertf32x4(a, _mm_load_ps(base + stride * (size_t)index[k + 8]), 2);
        r[k] = _mm512_insertf32x4(a, _mm_load_ps(base + stride * (size_t)index[k + 12]), 3);
    }
    const __m512d a = (__m512d)_mm512_unpacklo_ps(r[0], r[1]);
    const __m512d b = (__m512d)_mm512_unpackhi_ps(r[0], r[1]);
    const __m512d c = (__m512d)_mm512_unpacklo_ps(r[2], r[3]);
    const __m512d d = (__m512d)_mm512_unpackhi_ps(r[2], r[3]);
    out[0] = (firn_lanes)_mm512_unpacklo_pd(a, c);
    out[1] = (firn_lanes)_mm512_unpackhi_pd(a, c);
    out[2] = (firn_lanes)_mm512_unpacklo_pd(b, d);
    out[3] = (firn_lanes)_mm512_unpackhi_pd(b, d);
#elif FIRN_LANES_BYTES == 32 && !defined(FIRN_DOUBLE)
    __m256 r[4];
    for (int k = 0; k < 4; k++) {  // lanes k, k + 4
        const __m256 a = _mm256_castps128_ps256(_mm_load_ps(base + stride * (size_t)index[k]));
        r[k] = _mm256_insertf128_ps(a, _mm_load_ps(base + stride * (size_t)index[k + 4]), 1);
    }
    const __m256d a = (__m256d)_mm256_unpacklo_ps(r[0], r[1]);
    const __m256d b = (__m256d)_mm256_unpackhi_ps(r[0], r[1]);
    const __m256d c = (__m256d)_mm256_unpacklo_ps(r[2], r[3]);
    const __m256d d = (__m256d)_mm256_unpackhi_ps(r[2], r[3]);
    out[0] = (firn_lanes)_mm256_unpacklo_pd(a, c);
    out[1] = (firn_lanes)_mm256_unpackhi_pd(a, c);
    out[2] = (firn_lanes)_mm256_unpacklo_pd(b, d);
    out[3] = (firn_lanes)_mm256_unpackhi_pd(b, d);
#elif defined(FIRN_LANES_WASM)
    v128_t r[4], columns[4];
    for (int k = 0; k < 4; k++) r[k] = wasm_v128_load(base + stride * (size_t)index[k]);
    firn_lanes_transpose4(r, columns);
    for (int k = 0; k < 4; k++) out[k] = (firn_lanes)columns[k];
#else
    for (int k = 0; k < 4; k++) {
        firn_real column[FIRN_LANES];
        for (int lane = 0; lane < FIRN_LANES; lane++)
            column[lane] = base[stride * (size_t)index[lane] + (size_t)k];
        out[k] = firn_lanes_load(column);
    }
#endif
}

// The inverse for FIRN_LANES consecutive records: record p of `base` gets the four reals of lane p.
FIRN_LANES_FN void firn_lanes_store4(firn_real* base, firn_lanes x, firn_lanes y, firn_lanes z,
                                     firn_lanes w)
{
#if FIRN_LANES_BYTES == 64 && !defined(FIRN_DOUBLE)
    const __m512d a = (__m512d)_mm512_unpacklo_ps((__m512)x, (__m512)y);
    const __m512d b = (__m512d)_mm512_unpackhi_ps((__m512)x, (__m512)y);
    const __m512d c = (__m512d)_mm512_unpacklo_ps((__m512)z, (__m512)w);
    const __m512d d = (__m512d)_mm512_unpackhi_ps((__m512)z, (__m512)w);
    const __m512 r[4] = {(__m512)_mm512_unpacklo_pd(a, c), (__m512)_mm512_unpackhi_pd(a, c),
                         (__m512)_mm512_unpacklo_pd(b, d), (__m512)_mm512_unpackhi_pd(b, d)};
    for (int k = 0; k < 4; k++) {
        _mm_store_ps(base + 4 * k, _mm512_extractf32x4_ps(r[k], 0));
        _mm_store_ps(base + 4 * (k + 4), _mm512_extractf32x4_ps(r[k], 1));
        _mm_store_ps(base + 4 * (k + 8), _mm512_extractf32x4_ps(r[k], 2));
        _mm_store_ps(base + 4 * (k + 12), _mm512_extractf32x4_ps(r[k], 3));
    }
#elif FIRN_LANES_BYTES == 32 && !defined(FIRN_DOUBLE)
    const __m256d a = (__m256d)_mm256_unpacklo_ps((__m256)x, (__m256)y);
    const __m256d b = (__m256d)_mm256_unpackhi_ps((__m256)x, (__m256)y);
    const __m256d c = (__m256d)_mm256_unpacklo_ps((__m256)z, (__m256)w);
    const __m256d d = (__m256d)_mm256_unpackhi_ps((__m256)z, (__m256)w);
    const __m256 r[4] = {(__m256)_mm256_unpacklo_pd(a, c), (__m256)_mm256_unpackhi_pd(a, c),
                         (__m256)_mm256_unpacklo_pd(b, d), (__m256)_mm256_unpackhi_pd(b, d)};
    for (int k = 0; k < 4; k++) {
        _mm_store_ps(base + 4 * k, _mm256_extractf128_ps(r[k], 0));
        _mm_store_ps(base + 4 * (k + 4), _mm256_extractf128_ps(r[k], 1));
    }
#elif defined(FIRN_LANES_WASM)
    const v128_t columns[4] = {(v128_t)x, (v128_t)y, (v128_t)z, (v128_t)w};
    v128_t r[4];
    firn_lanes_transpose4(columns, r);
    for (int k = 0; k < 4; k++) wasm_v128_store(base + 4 * k, r[k]);
#else
    const firn_lanes columns[4] = {x, y, z, w};
    for (int k = 0; k < 4; k++) {
        firn_real column[FIRN_LANES];
        firn_lanes_store(column, columns[k]);
        for (int lane = 0; lane < FIRN_LANES; lane++) base[4 * lane + k] = column[lane];
    }
#endif
}

// FIRN_LANES consecutive records as batches.
FIRN_LANES_FN void firn_lanes_load4(const firn_real* base, firn_lanes out[4])
{
    int32_t index[FIRN_LANES];
    for (int lane = 0; lane < FIRN_LANES; lane++) index[lane] = lane;
    firn_lanes_gather4(base, 4, index, out);
}
