// SPDX-License-Identifier: MIT
// Snow as light meets it: extinction on a sparse grid, trilinear between nodes.
//
//   table     window of blocks; -1: air                            [size z][size y][size x]
//   block     8^3 cells with the 9^3 nodes at their corners, x fastest; extinction in 1/cell
//
// A free path in packed snow is a millimetre, a cell a centimetre: light scatters many times before
// it leaves a cell, so whoever follows it keeps the cell's eight corners at hand (walk.h).
#pragma once
#include "core/result.h"
#include "render/path/fast_math.h"
#include "state/density_volume.h"

#define FIRN_MEDIUM_BLOCK 8               // cells along a block's edge
#define FIRN_MEDIUM_NODES (9 * 9 * 9)     // of a block
#define FIRN_MEDIUM_WINDOW_MAX (1 << 26)  // blocks in the window: 256 MB

typedef struct firn_medium {
    double low[3];    // [m] where cell (0, 0, 0) of the window begins
    double voxel;     // [m] edge of a cell
    int32_t size[3];  // [blocks]; 0: no snow at all
    int32_t* table;   // owned
    int32_t block_count;
    int32_t (*at)[3];       // owned; [block_count] place in the window
    float* nodes;           // owned; [block_count][729] extinction [1/cell]
    uint8_t (*cells)[512];  // owned; [block_count] FIRN_CELL_ flags of each cell, x fastest
    float albedo[3], g;
} firn_medium;

// Flags of a cell: a surface may be near, so ask before flying on; and, shifted by one, how rarely
// the sun is asked there: once in 2^k scatterings, and then counts 2^k times. Deep in the snow
// nearly all of its light is swallowed on the way.
enum { FIRN_CELL_GUARDED = 1, FIRN_CELL_RARE_MAX = 5 };

// `per_density`: extinction over density [m^2/kg]. Blocks too far off for the window (a crumb that
// flew a kilometre) are left out.
firn_result firn_medium_create(firn_medium* medium, const firn_density_volume* volume,
                               double per_density, const double albedo[3], double g,
                               firn_error* error);
// Sets how rarely the sun is asked (medium_depth.c); after create it is asked everywhere.
void firn_medium_find_depth(firn_medium* medium, int threads);
void firn_medium_destroy(firn_medium* medium);
int64_t firn_medium_bytes(const firn_medium* medium);

FIRN_FN firn_f3 firn_medium_to_cells(const firn_medium* m, firn_vec3 x)
{
    const double s = 1 / m->voxel;
    return FIRN_LIT(firn_f3){(float)(((double)x.x - m->low[0]) * s),
                             (float)(((double)x.y - m->low[1]) * s),
                             (float)(((double)x.z - m->low[2]) * s)};
}

FIRN_FN firn_vec3 firn_medium_to_world(const firn_medium* m, firn_f3 p)
{
    return FIRN_LIT(firn_vec3){(firn_real)(m->low[0] + m->voxel * (double)p.x),
                               (firn_real)(m->low[1] + m->voxel * (double)p.y),
                               (firn_real)(m->low[2] + m->voxel * (double)p.z)};
}
