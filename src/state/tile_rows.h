// SPDX-License-Identifier: MIT
// SIMD transfers between particles and tiles in rows of four nodes (row.h); tile.h has the scalar
// versions that they are tested against. Tensor products are evaluated one axis at a time: z is
// multiplied into a row once per particle, x once per plane, and only y remains in the inner loop:
// two or three multiply-adds per row of sixteen reals.
//
// Scatter: the particles of one cell reach the same nodes, so their sums stay in registers and are
// added to the tile once per cell. Gather: one particle at a time.
#pragma once
#include "state/row.h"
#include "state/stencil.h"

// The contribution of a particle to its nodes, N value + column[0] dN/dx + column[1] dN/dy +
// column[2] dN/dz, with the z axis multiplied in.
typedef struct firn_load {
    firn_row x, y, z;  // column[0] N_z, column[1] N_z, column[2] N'_z: into the force tile
    firn_row value;    // value N_z: into the value tile
    firn_stencil at;
} firn_load;

// `columns`: three of four reals each. out->at must be set.
static inline void firn_load_gradient(firn_load* out, const firn_real columns[12])
{
    const firn_row N = firn_row_along(out->at.w[2]);
    firn_vec4 column[3];
    memcpy(column, columns, sizeof column);
    out->x = firn_row_mul(firn_row_each(column[0]), N);
    out->y = firn_row_mul(firn_row_each(column[1]), N);
    out->z = firn_row_mul(firn_row_each(column[2]), firn_row_along(out->at.s[2]));
}

static inline void firn_load_value(firn_load* out, firn_vec4 value)
{
    out->value = firn_row_mul(firn_row_each(value), firn_row_along(out->at.w[2]));
}

static inline void firn_row_add_to(firn_vec4* at, firn_row r)
{
    firn_real* to = (firn_real*)at;
    firn_row_store(to, firn_row_add(firn_row_load(to), r));
}

// Adds the gradients of `count` particles of one cell to the tile at `corner`.
static inline void firn_tile_add_gradients(firn_vec4* corner, const firn_load* load, int count)
{
    for (int a = 0; a < 4; a++) {
        firn_row f0 = firn_row_zero(), f1 = f0, f2 = f0, f3 = f0;
        for (int k = 0; k < count; k++) {
            const firn_load* p = &load[k];
            const firn_real w = p->at.w[0][a];
            const firn_row m = firn_row_madd(p->at.s[0][a], p->x, firn_row_scale(w, p->z));
            const firn_row n = firn_row_scale(w, p->y);
            f0 = firn_row_madd(p->at.s[1][0], n, firn_row_madd(p->at.w[1][0], m, f0));
            f1 = firn_row_madd(p->at.s[1][1], n, firn_row_madd(p->at.w[1][1], m, f1));
            f2 = firn_row_madd(p->at.s[1][2], n, firn_row_madd(p->at.w[1][2], m, f2));
            f3 = firn_row_madd(p->at.s[1][3], n, firn_row_madd(p->at.w[1][3], m, f3));
        }
        firn_row_add_to(FIRN_TILE_ROW(corner, a, 0), f0);
        firn_row_add_to(FIRN_TILE_ROW(corner, a, 1), f1);
        firn_row_add_to(FIRN_TILE_ROW(corner, a, 2), f2);
        firn_row_add_to(FIRN_TILE_ROW(corner, a, 3), f3);
    }
}

// Adds their values to the tile at `corner`.
static inline void firn_tile_add_values(firn_vec4* corner, const firn_load* load, int count)
{
    for (int a = 0; a < 4; a++) {
        firn_row f0 = firn_row_zero(), f1 = f0, f2 = f0, f3 = f0;
        for (int k = 0; k < count; k++) {
            const firn_load* p = &load[k];
            const firn_row m = firn_row_scale(p->at.w[0][a], p->value);
            f0 = firn_row_madd(p->at.w[1][0], m, f0);
            f1 = firn_row_madd(p->at.w[1][1], m, f1);
            f2 = firn_row_madd(p->at.w[1][2], m, f2);
            f3 = firn_row_madd(p->at.w[1][3], m, f3);
        }
        firn_row_add_to(FIRN_TILE_ROW(corner, a, 0), f0);
        firn_row_add_to(FIRN_TILE_ROW(corner, a, 1), f1);
        firn_row_add_to(FIRN_TILE_ROW(corner, a, 2), f2);
        firn_row_add_to(FIRN_TILE_ROW(corner, a, 3), f3);
    }
}

// The gradient of the field in `slope`'s tile, column by column, then the value of the one in
// `value`'s: out = {d/dx, d/dy, d/dz, value}, four reals each. `value` null: the field itself.
static inline void firn_tile_read(const firn_vec4* slope, const firn_vec4* value,
                                  const firn_stencil* at, firn_real out[FIRN_ROW])
{
    firn_row sw = firn_row_zero(), ws = sw, ww = sw, v = sw;
    for (int a = 0; a < 4; a++) {
        firn_row w = firn_row_zero(), s = w, u = w;
        for (int b = 0; b < 4; b++) {
            const firn_row q = firn_row_load((const firn_real*)FIRN_TILE_ROW(slope, a, b));
            w = firn_row_madd(at->w[1][b], q, w);
            s = firn_row_madd(at->s[1][b], q, s);
            if (value != NULL)
                u = firn_row_madd(at->w[1][b],
                                  firn_row_load((const firn_real*)FIRN_TILE_ROW(value, a, b)), u);
        }
        sw = firn_row_madd(at->s[0][a], w, sw);
        ws = firn_row_madd(at->w[0][a], s, ws);
        ww = firn_row_madd(at->w[0][a], w, ww);
        if (value != NULL) v = firn_row_madd(at->w[0][a], u, v);
    }
    const firn_row N = firn_row_along(at->w[2]), D = firn_row_along(at->s[2]);
    const firn_row sums[4] = {firn_row_mul(sw, N), firn_row_mul(ws, N), firn_row_mul(ww, D),
                              firn_row_mul(value != NULL ? v : ww, N)};
    firn_row_sums(sums, out);
}
