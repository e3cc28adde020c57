// SPDX-License-Identifier: MIT
// The *_lanes.h headers behind plain arrays, compiled once per SIMD level over vectors
// (lanes_kernels.c) and over one plain real (one_lane_kernels.c), each beside its scalar
// counterpart at the same level: that is what tests compare.
#pragma once
#include "core/simd/lanes.h"
#include "core/simd/simd.h"
#include "math/svd3.h"
#include "physics/snow_plasticity.h"

// Products of two matrices, in the order of math/mat3.h.
typedef struct lanes_products {
    firn_mat3 mul, mul_transposed, cofactor, left_strain;
    firn_real det, dot;
} lanes_products;

// A symmetric matrix taken apart (math/spectrum3_lanes.h).
typedef struct lanes_spectrum {
    firn_real value[3];  // apart, mean + half, mean - half
    firn_mat3 P, D;
} lanes_spectrum;

// What the clamp is given for one particle.
typedef struct lanes_trial {
    firn_mat3 F_hat;
    firn_real J_P, theta_c, theta_s;
} lanes_trial;

// What the laws of elasticity are given for one particle, and what they say of it.
typedef struct lanes_elastic {
    firn_mat3 F_E, grad_u;
    firn_lame lame;
} lanes_elastic;

typedef struct lanes_response {
    firn_mat3 tau;         // P F_E^T
    firn_mat3 tau_from_X;  // the same by firn_snow_stress_lanes_from
    firn_mat3 T;           // dP(grad_u F_E) F_E^T
    firn_real energy;
} lanes_response;

// `count` is a multiple of FIRN_LANES_MOST everywhere.
typedef struct lanes_kernels {
    int level, lanes;
    void (*products)(int count, const firn_mat3* A, const firn_mat3* B, lanes_products* out);
    void (*products_scalar)(int count, const firn_mat3* A, const firn_mat3* B, lanes_products* out);
    void (*svd)(int count, const firn_mat3* F, firn_svd3* out);
    void (*svd_scalar)(int count, const firn_mat3* F, firn_svd3* out);
    void (*rotation)(int count, const firn_mat3* F, firn_mat3* out);
    void (*rotation_scalar)(int count, const firn_mat3* F, firn_mat3* out);
    void (*left_stretch)(int count, const firn_mat3* F, firn_mat3* out);
    void (*spectrum)(int count, const firn_mat3* A, lanes_spectrum* out);
    void (*exp)(int count, const firn_real* x, firn_real* out);
    void (*hardening)(int count, const firn_real* xi, const firn_real* J_P, const firn_real* cap,
                      firn_real* out);
    void (*clamp)(int count, const lanes_trial* trial, firn_snow_clamped* out);
    void (*clamp_scalar)(int count, const lanes_trial* trial, firn_snow_clamped* out);
    void (*respond)(int count, const lanes_elastic* of, lanes_response* out);
    void (*respond_scalar)(int count, const lanes_elastic* of, lanes_response* out);
} lanes_kernels;

extern const lanes_kernels lanes_kernels_level1, one_lane_kernels_level1;
#ifdef __x86_64__
extern const lanes_kernels lanes_kernels_level3, one_lane_kernels_level3;
extern const lanes_kernels lanes_kernels_level4, one_lane_kernels_level4;
#endif

// The levels that this machine runs, lowest first, one lane after the vectors of its level; null
// after the last.
static inline const lanes_kernels* lanes_kernels_get(int n)
{
#ifdef __x86_64__
    if (firn_simd_has(3) && n == 2) return &lanes_kernels_level3;
    if (firn_simd_has(3) && n == 3) return &one_lane_kernels_level3;
    if (firn_simd_has(4) && n == 4) return &lanes_kernels_level4;
    if (firn_simd_has(4) && n == 5) return &one_lane_kernels_level4;
#endif
    if (n == 1) return &one_lane_kernels_level1;
    return n == 0 ? &lanes_kernels_level1 : NULL;
}
