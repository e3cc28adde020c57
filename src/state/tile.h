// SPDX-License-Identifier: MIT
// A tile: a contiguous copy of the 7x7x7 nodes that the particles of one occupied block reach,
// small enough for the L1 cache. Gathers load it once per block; scatters accumulate in it and then
// add it to the grid once.
#pragma once
#include <string.h>

#include "core/simd/vec4.h"
#include "state/sparse_grid.h"

#define FIRN_TILE_SIDE 7
#define FIRN_TILE_STRIDE 8  // z is padded so that rows start aligned

typedef struct firn_tile {
    firn_vec4 node[FIRN_TILE_SIDE][FIRN_TILE_SIDE][FIRN_TILE_STRIDE];  // 6 KB in float
} firn_tile;

// Row (x, y) of the tile: z 0..3 in the first block, 4..6 in its +z neighbour.
static inline firn_local firn_tile_row(const firn_local neighbour[8], int x, int y, int up)
{
    return neighbour[(x >> 2) << 2 | (y >> 2) << 1 | up] * FIRN_BLOCK_NODES + (x & 3) * 16 +
           (y & 3) * 4;
}

static inline void firn_tile_load(firn_tile* tile, const firn_vec4* nodes,
                                  const firn_local neighbour[8])
{
    for (int x = 0; x < FIRN_TILE_SIDE; x++) {
        for (int y = 0; y < FIRN_TILE_SIDE; y++) {
            memcpy(&tile->node[x][y][0], nodes + firn_tile_row(neighbour, x, y, 0),
                   4 * sizeof(firn_vec4));
            memcpy(&tile->node[x][y][4], nodes + firn_tile_row(neighbour, x, y, 1),
                   3 * sizeof(firn_vec4));
        }
    }
}

static inline void firn_tile_clear(firn_tile* tile)
{
    memset(tile, 0, sizeof *tile);
}

static inline void firn_tile_add(const firn_tile* tile, firn_vec4* nodes,
                                 const firn_local neighbour[8])
{
    for (int x = 0; x < FIRN_TILE_SIDE; x++) {
        for (int y = 0; y < FIRN_TILE_SIDE; y++) {
            firn_vec4* low = nodes + firn_tile_row(neighbour, x, y, 0);
            firn_vec4* high = nodes + firn_tile_row(neighbour, x, y, 1);
            for (int z = 0; z < 4; z++) low[z] += tile->node[x][y][z];
            for (int z = 0; z < 3; z++) high[z] += tile->node[x][y][z + 4];
        }
    }
}

// Offset of a particle's 4x4x4 nodes in the tile of its block.
static inline firn_vec4* firn_tile_corner(firn_tile* tile, const firn_weights* w)
{
    return &tile->node[w->base[0] & 3][w->base[1] & 3][w->base[2] & 3];
}

static inline const firn_vec4* firn_tile_corner_const(const firn_tile* tile, const firn_weights* w)
{
    return &tile->node[w->base[0] & 3][w->base[1] & 3][w->base[2] & 3];
}

#define FIRN_TILE_ROW(corner, a, b) ((corner) + ((a)*FIRN_TILE_SIDE + (b)) * FIRN_TILE_STRIDE)

// node += w_ip value
static inline void firn_tile_scatter(firn_vec4* corner, const firn_weights* w, firn_vec4 value)
{
    for (int a = 0; a < 4; a++) {
        for (int b = 0; b < 4; b++) {
            firn_vec4* row = FIRN_TILE_ROW(corner, a, b);
            const firn_vec4 q = firn_vec4_all(w->w[0][a] * w->w[1][b]) * value;
            for (int c = 0; c < 4; c++) row[c] = firn_vec4_madd(w->w[2][c], q, row[c]);
        }
    }
}

// node += w_ip (value + column[0] d_x + column[1] d_y + column[2] d_z), d = x_i - x_p  [m]
static inline void firn_tile_scatter_affine(firn_vec4* corner, const firn_weights* w,
                                            firn_vec4 value, const firn_vec4 column[3],
                                            firn_real cell)
{
    for (int a = 0; a < 4; a++) {
        const firn_real dx = ((firn_real)(a - 1) - w->t[0]) * cell;
        for (int b = 0; b < 4; b++) {
            const firn_real dy = ((firn_real)(b - 1) - w->t[1]) * cell;
            firn_vec4* row = FIRN_TILE_ROW(corner, a, b);
            const firn_vec4 all = firn_vec4_all(w->w[0][a] * w->w[1][b]);
            const firn_vec4 at =
                all * firn_vec4_madd(dx, column[0], firn_vec4_madd(dy, column[1], value));
            const firn_vec4 up = all * column[2];
            for (int c = 0; c < 4; c++) {
                const firn_real dz = ((firn_real)(c - 1) - w->t[2]) * cell;
                row[c] = firn_vec4_madd(w->w[2][c], firn_vec4_madd(dz, up, at), row[c]);
            }
        }
    }
}

// node += column[0] dw/dx + column[1] dw/dy + column[2] dw/dz; s: slopes per axis  [1/m]
static inline void firn_tile_scatter_gradient(firn_vec4* corner, const firn_weights* w,
                                              const firn_real s[3][4], const firn_vec4 column[3])
{
    for (int a = 0; a < 4; a++) {
        for (int b = 0; b < 4; b++) {
            firn_vec4* row = FIRN_TILE_ROW(corner, a, b);
            const firn_vec4 across = firn_vec4_madd(
                s[0][a] * w->w[1][b], column[0], firn_vec4_all(w->w[0][a] * s[1][b]) * column[1]);
            const firn_vec4 along = firn_vec4_all(w->w[0][a] * w->w[1][b]) * column[2];
            for (int c = 0; c < 4; c++)
                row[c] = firn_vec4_madd(w->w[2][c], across, firn_vec4_madd(s[2][c], along, row[c]));
        }
    }
}

// sum of w_ip node
static inline firn_vec4 firn_tile_gather(const firn_vec4* corner, const firn_weights* w)
{
    firn_vec4 sum = {0, 0, 0, 0};
    for (int a = 0; a < 4; a++) {
        for (int b = 0; b < 4; b++) {
            const firn_vec4* row = FIRN_TILE_ROW(corner, a, b);
            firn_vec4 line = firn_vec4_all(w->w[2][0]) * row[0];
            for (int c = 1; c < 4; c++) line = firn_vec4_madd(w->w[2][c], row[c], line);
            sum = firn_vec4_madd(w->w[0][a] * w->w[1][b], line, sum);
        }
    }
    return sum;
}

// out[d] = sum of node dw/dx_d: column d of the gradient
static inline void firn_tile_gather_gradient(const firn_vec4* corner, const firn_weights* w,
                                             const firn_real s[3][4], firn_vec4 out[3])
{
    firn_vec4 gx = {0, 0, 0, 0}, gy = gx, gz = gx;
    for (int a = 0; a < 4; a++) {
        for (int b = 0; b < 4; b++) {
            const firn_vec4* row = FIRN_TILE_ROW(corner, a, b);
            firn_vec4 line = firn_vec4_all(w->w[2][0]) * row[0];
            firn_vec4 slope = firn_vec4_all(s[2][0]) * row[0];
            for (int c = 1; c < 4; c++) {
                line = firn_vec4_madd(w->w[2][c], row[c], line);
                slope = firn_vec4_madd(s[2][c], row[c], slope);
            }
            gx = firn_vec4_madd(s[0][a] * w->w[1][b], line, gx);
            gy = firn_vec4_madd(w->w[0][a] * s[1][b], line, gy);
            gz = firn_vec4_madd(w->w[0][a] * w->w[1][b], slope, gz);
        }
    }
    out[0] = gx;
    out[1] = gy;
    out[2] = gz;
}
