// SPDX-License-Identifier: MIT
// The fast transfers (core/simd/records.h, state/row.h, stencil.h, tile_rows.h) behind plain
// arrays, compiled once per SIMD level (rows_kernels.c), each beside the plain one (state/tile.h,
// math/bspline.h) at the same level: that is what tests compare.
#pragma once
#include "core/simd/records.h"
#include "core/simd/simd.h"
#include "state/stencil.h"
#include "state/tile.h"

// What a particle of a cell adds to its nodes.
typedef struct rows_particle {
    firn_vec3 x;           // [m]
    firn_real value[4];    // momentum and mass
    firn_real column[12];  // three of four reals: into the other tile
} rows_particle;

// What a particle reads.
typedef struct rows_reading {
    firn_real column[3][4];  // d/dx, d/dy, d/dz of `slope`
    firn_real value[4];      // of `value`
} rows_reading;

// One row through each function of row.h.
typedef struct rows_row {
    firn_real add[16], mul[16], scale[16], madd[16];  // a + b, a b, x a, x a + b
    firn_real each[16], along[16];                    // q at every node; w[z] at node z
    firn_real sum[4];                                 // over the nodes of a
} rows_row;

typedef struct rows_kernels {
    int level, lanes;
    // [lanes][16] to [16][lanes], and back
    void (*to_lanes)(const firn_real records[][FIRN_RECORD], firn_real* lanes);
    void (*from_lanes)(const firn_real* lanes, firn_real records[][FIRN_RECORD]);
    void (*row)(const firn_real a[16], const firn_real b[16], firn_real x, const firn_real q[4],
                rows_row* out);
    firn_cell_offset (*offset)(firn_vec3 x, firn_real inverse_cell);
    firn_weights (*offset_plain)(firn_vec3 x, firn_real inverse_cell);
    void (*stencil)(firn_spline kind, const firn_real t[3], firn_real inverse_cell,
                    firn_stencil* out);
    void (*stencil_plain)(firn_spline kind, const firn_real t[3], firn_real inverse_cell,
                          firn_stencil* out);
    // w, N (x_i - x_p)
    void (*moments)(firn_spline kind, const firn_real t[3], firn_real cell, firn_stencil* out);
    void (*square)(firn_stencil* at);
    // Particles of one cell; their values go to `value`, their columns, times gradients, to
    // `force`. `affine`: times first moments N (x_i - x_p) instead.
    void (*add)(firn_spline kind, const rows_particle* p, int count, firn_real inverse_cell,
                bool affine, firn_tile* value, firn_tile* force);
    void (*add_plain)(firn_spline kind, const rows_particle* p, int count, firn_real inverse_cell,
                      bool affine, firn_tile* value, firn_tile* force);
    // `value` null: of `slope` itself.
    void (*read)(firn_spline kind, const firn_tile* slope, const firn_tile* value, firn_vec3 x,
                 firn_real inverse_cell, rows_reading* out);
    void (*read_plain)(firn_spline kind, const firn_tile* slope, const firn_tile* value,
                       firn_vec3 x, firn_real inverse_cell, rows_reading* out);
} rows_kernels;

extern const rows_kernels rows_kernels_level1;
#ifdef __x86_64__
extern const rows_kernels rows_kernels_level3, rows_kernels_level4;
#endif

// The levels that this machine runs, lowest first; null after the last.
static inline const rows_kernels* rows_kernels_get(int n)
{
#ifdef __x86_64__
    if (n == 1 && firn_simd_has(3)) return &rows_kernels_level3;
    if (n == 2 && firn_simd_has(4)) return &rows_kernels_level4;
#endif
    return n == 0 ? &rows_kernels_level1 : NULL;
}
