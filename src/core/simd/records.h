// SPDX-License-Identifier: MIT
// Transposition between two layouts of particles: AoS records (16 reals of one particle side by
// side) and SIMD batches (one real of as many particles as a register holds). In registers on
// x86-64-v3 and up in float, and in WebAssembly, a plain loop elsewhere; moves bits, rounds
// nothing.
#pragma once
#include "core/simd/lanes_gather.h"

#define FIRN_RECORD 16

// Transposes a square matrix from one array to another: gcc 12 at -O2 miscompiles the loop that
// copies the result of an in-place transposition.
#if FIRN_LANES_BYTES == 64 && !defined(FIRN_DOUBLE)
static inline void firn_records_transpose(const firn_lanes in[16], firn_lanes out[16])
{
    __m512 t[16], r[16];
    for (int k = 0; k < 16; k += 2) {  // pairs of rows
        t[k] = _mm512_unpacklo_ps((__m512)in[k], (__m512)in[k + 1]);
        t[k + 1] = _mm512_unpackhi_ps((__m512)in[k], (__m512)in[k + 1]);
    }
    for (int k = 0; k < 16; k += 4) {  // 4x4 squares
        r[k] = (__m512)_mm512_unpacklo_pd((__m512d)t[k], (__m512d)t[k + 2]);
        r[k + 1] = (__m512)_mm512_unpackhi_pd((__m512d)t[k], (__m512d)t[k + 2]);
        r[k + 2] = (__m512)_mm512_unpacklo_pd((__m512d)t[k + 1], (__m512d)t[k + 3]);
        r[k + 3] = (__m512)_mm512_unpackhi_pd((__m512d)t[k + 1], (__m512d)t[k + 3]);
    }
    for (int k = 0; k < 4; k++) {  // columns k, k+4, k+8, k+12 of rows 0-7, then of 8-15
        t[k] = _mm512_shuffle_f32x4(r[k], r[k + 4], 0x88);
        t[k + 4] = _mm512_shuffle_f32x4(r[k], r[k + 4], 0xdd);
        t[k + 8] = _mm512_shuffle_f32x4(r[k + 8], r[k + 12], 0x88);
        t[k + 12] = _mm512_shuffle_f32x4(r[k + 8], r[k + 12], 0xdd);
    }
    for (int k = 0; k < 4; k++) {
        out[k] = (firn_lanes)_mm512_shuffle_f32x4(t[k], t[k + 8], 0x88);
        out[k + 8] = (firn_lanes)_mm512_shuffle_f32x4(t[k], t[k + 8], 0xdd);
        out[k + 4] = (firn_lanes)_mm512_shuffle_f32x4(t[k + 4], t[k + 12], 0x88);
        out[k + 12] = (firn_lanes)_mm512_shuffle_f32x4(t[k + 4], t[k + 12], 0xdd);
    }
}
#elif FIRN_LANES_BYTES == 32 && !defined(FIRN_DOUBLE)
static inline void firn_records_transpose(const firn_lanes in[8], firn_lanes out[8])
{
    __m256 t[8], r[8];
    for (int k = 0; k < 8; k += 2) {
        t[k] = _mm256_unpacklo_ps((__m256)in[k], (__m256)in[k + 1]);
        t[k + 1] = _mm256_unpackhi_ps((__m256)in[k], (__m256)in[k + 1]);
    }
    for (int k = 0; k < 8; k += 4) {
        r[k] = (__m256)_mm256_unpacklo_pd((__m256d)t[k], (__m256d)t[k + 2]);
        r[k + 1] = (__m256)_mm256_unpackhi_pd((__m256d)t[k], (__m256d)t[k + 2]);
        r[k + 2] = (__m256)_mm256_unpacklo_pd((__m256d)t[k + 1], (__m256d)t[k + 3]);
        r[k + 3] = (__m256)_mm256_unpackhi_pd((__m256d)t[k + 1], (__m256d)t[k + 3]);
    }
    for (int k = 0; k < 4; k++) {
        out[k] = (firn_lanes)_mm256_permute2f128_ps(r[k], r[k + 4], 0x20);
        out[k + 4] = (firn_lanes)_mm256_permute2f128_ps(r[k], r[k + 4], 0x31);
    }
}
#elif defined(FIRN_LANES_WASM)
static inline void firn_records_transpose(const firn_lanes in[4], firn_lanes out[4])
{
    const v128_t r[4] = {(v128_t)in[0], (v128_t)in[1], (v128_t)in[2], (v128_t)in[3]};
    v128_t t[4];
    firn_lanes_transpose4(r, t);
    for (int k = 0; k < 4; k++) out[k] = (firn_lanes)t[k];
}
#endif
#if (FIRN_LANES_BYTES >= 32 && !defined(FIRN_DOUBLE)) || defined(FIRN_LANES_WASM)
#define FIRN_RECORDS_IN_REGISTERS
#endif

// out[k] holds real k of the FIRN_LANES records.
static inline void firn_records_to_lanes(const firn_real records[][FIRN_RECORD],
                                         firn_lanes out[FIRN_RECORD])
{
#if defined(FIRN_RECORDS_IN_REGISTERS)
    for (int part = 0; part < FIRN_RECORD; part += FIRN_LANES) {
        firn_lanes r[FIRN_LANES];
        for (int k = 0; k < FIRN_LANES; k++) r[k] = firn_lanes_load(records[k] + part);
        firn_records_transpose(r, out + part);
    }
#else
    for (int k = 0; k < FIRN_RECORD; k++) {
        firn_real column[FIRN_LANES];
        for (int lane = 0; lane < FIRN_LANES; lane++) column[lane] = records[lane][k];
        out[k] = firn_lanes_load(column);
    }
#endif
}

// The inverse.
static inline void firn_records_from_lanes(const firn_lanes in[FIRN_RECORD],
                                           firn_real records[][FIRN_RECORD])
{
#if defined(FIRN_RECORDS_IN_REGISTERS)
    for (int part = 0; part < FIRN_RECORD; part += FIRN_LANES) {
        firn_lanes r[FIRN_LANES];
        firn_records_transpose(in + part, r);
        for (int k = 0; k < FIRN_LANES; k++) firn_lanes_store(records[k] + part, r[k]);
    }
#else
    for (int k = 0; k < FIRN_RECORD; k++) {
        firn_real column[FIRN_LANES];
        firn_lanes_store(column, in[k]);
        for (int lane = 0; lane < FIRN_LANES; lane++) records[lane][k] = column[lane];
    }
#endif
}
