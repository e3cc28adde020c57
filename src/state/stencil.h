// SPDX-License-Identifier: MIT
// SIMD version of math/bspline.h for the fast loops: weights and slopes of a particle on its 4x4x4
// nodes, the four nodes of all axes in one row (row.h), and the offset of its nodes in the tile of
// its block. test_stencil compares the two.
#pragma once
#include "state/row.h"
#include "state/tile.h"

// The fourth line of each is padding: a row has sixteen reals.
typedef struct firn_stencil {
    firn_real w[4][4] __attribute__((aligned(64)));  // N per axis
    firn_real s[4][4];                               // N' per axis [1/m]
} firn_stencil;

// Position within the cell, [0, 1), and the first node in the tile (an index of firn_tile's nodes).
// As large as four reals, and also written as such: hence may_alias.
typedef struct __attribute__((may_alias)) firn_cell_offset {
    firn_real t[3];
    int32_t corner;
} firn_cell_offset;

static inline firn_cell_offset firn_cell_offset_of(firn_vec3 x, firn_real inverse_cell)
{
    firn_cell_offset out;
    int32_t base[3];
    firn_weights_axis(x.x * inverse_cell, &base[0], &out.t[0]);
    firn_weights_axis(x.y * inverse_cell, &base[1], &out.t[1]);
    firn_weights_axis(x.z * inverse_cell, &base[2], &out.t[2]);
    out.corner =
        ((base[0] & 3) * FIRN_TILE_SIDE + (base[1] & 3)) * FIRN_TILE_STRIDE + (base[2] & 3);
    return out;
}

// With y = (u, t, u, t), u = 1 - t:
//   N  = u^3/6, 2/3 - t^2 (1 - t/2), 2/3 - u^2 (1 - u/2), t^3/6  = y^2 (c1 y + c2) + c3
//   N' = -u^2/2, t (3t - 4)/2, -u (3u - 4)/2, t^2/2              = y (d1 y + d2), over h
// Small weights are products, not differences, to keep their relative accuracy, on which the
// velocity of nearly empty nodes depends.
static inline void firn_stencil_cubic(const firn_cell_offset* at, firn_real inverse_cell,
                                      firn_stencil* out)
{
    const firn_real sixth = (firn_real)1 / 6, half = (firn_real)0.5, two_thirds = (firn_real)2 / 3;
    const firn_row one = firn_row_each((firn_vec4){1, 0, 1, 0});
    const firn_row sign = firn_row_each((firn_vec4){-1, 1, -1, 1});
    const firn_row c1 = firn_row_each((firn_vec4){sixth, half, half, sixth});
    const firn_row c2 = firn_row_each((firn_vec4){0, -1, -1, 0});
    const firn_row c3 = firn_row_each((firn_vec4){0, two_thirds, two_thirds, 0});
    const firn_row d1 = firn_row_each((firn_vec4){-half, 3 * half, -3 * half, half});
    const firn_row d2 = firn_row_each((firn_vec4){0, -2, 2, 0});
    const firn_row t = firn_row_along3(at->t);
    const firn_row_part inverse = firn_row_part_all(inverse_cell);
    for (int k = 0; k * FIRN_ROW_PART < 12; k++) {
        const firn_row_part y = firn_row_part_fma(t.part[k], sign.part[k], one.part[k]);
        const firn_row_part ramp = firn_row_part_fma(c1.part[k], y, c2.part[k]);
        const firn_row_part N = firn_row_part_fma(y * y, ramp, c3.part[k]);
        const firn_row_part s = inverse * y * firn_row_part_fma(d1.part[k], y, d2.part[k]);
        *(firn_row_part*)(&out->w[0][0] + k * FIRN_ROW_PART) = N;
        *(firn_row_part*)(&out->s[0][0] + k * FIRN_ROW_PART) = s;
    }
}

// The quadratic spline, which is zero at the first or the last node (math/bspline.h). With
//   z = t - 1/2, 3/2 - t, t + 1/2, 1/2 - t     g = min(z, (0, 2t, 2 - 2t, 0))
//   p = z, but at most 0 outside               q = max(0, (0, 1/2 - t, t - 1/2, 0))
//   N = p^2/2 - 3/2 q^2                        N' = (1, -1, 1, -1) g, over h
// z and 2 - 2t are exact near 0, so small weights and slopes keep their relative accuracy.
static inline void firn_stencil_axis_quadratic(firn_real t, firn_real inverse_cell, firn_real w[4],
                                               firn_real s[4])
{
    const firn_real half = (firn_real)0.5;
    const firn_vec4 sign = {1, -1, 1, -1}, zero = {0, 0, 0, 0}, most = {0, 2, 2, 0};
    const firn_vec4 z = firn_vec4_madd(t, sign, (firn_vec4){-half, 3 * half, half, half});
    const firn_vec4 e = firn_vec4_madd(t, (firn_vec4){0, 2, -2, 0}, (firn_vec4){0, 0, 2, 0});
    const firn_vec4 b = firn_vec4_madd(t, (firn_vec4){0, -1, 1, 0}, (firn_vec4){0, half, -half, 0});
    const firn_vec4 p = firn_vec4_min(z, most), q = firn_vec4_max(b, zero);
    const firn_vec4 N = firn_vec4_fma(firn_vec4_all(-3 * half) * q, q, half * p * p);
    const firn_vec4 slope = firn_vec4_all(inverse_cell) * (sign * firn_vec4_min(z, e));
    memcpy(w, &N, sizeof N);
    memcpy(s, &slope, sizeof slope);
}

// A separate function, so that callers stay as small as with cubic splines alone.
static __attribute__((noinline, unused)) void firn_stencil_at_quadratic(const firn_real t[3],
                                                                        firn_real inverse_cell,
                                                                        firn_stencil* out)
{
    for (int d = 0; d < 3; d++)
        firn_stencil_axis_quadratic(t[d], inverse_cell, out->w[d], out->s[d]);
}

// The branch is the same for all particles of a run.
static inline void firn_stencil_at(firn_spline kind, const firn_cell_offset* at,
                                   firn_real inverse_cell, firn_stencil* out)
{
    if (__builtin_expect(kind == FIRN_SPLINE_QUADRATIC, 0))
        firn_stencil_at_quadratic(at->t, inverse_cell, out);
    else
        firn_stencil_cubic(at, inverse_cell, out);
}

// For affine transfers: "slopes" that are first moments, N (x_i - x_p) per axis  [m].
static inline void firn_stencil_moments(const firn_stencil* at, const firn_real t[3],
                                        firn_real cell, firn_stencil* out)
{
    memcpy(out->w, at->w, sizeof out->w);
    for (int d = 0; d < 3; d++)
        for (int k = 0; k < 4; k++)
            out->s[d][k] = at->w[d][k] * (((firn_real)(k - 1) - t[d]) * cell);
}

// Weights and slopes squared: for the diagonal of a Hessian.
static inline void firn_stencil_square(firn_stencil* at)
{
    for (int d = 0; d < 3; d++) {
        for (int k = 0; k < 4; k++) {
            at->w[d][k] *= at->w[d][k];
            at->s[d][k] *= at->s[d][k];
        }
    }
}
