// SPDX-License-Identifier: MIT
// The participating medium: extinction on a sparse grid, trilinear between nodes.
//
//   table     window of blocks; -1: empty                          [size z][size y][size x]
//   block     8^3 cells with the 9^3 nodes at their corners, x fastest; extinction in 1/cell
//
// The mean free path in packed snow is a millimetre, a cell is a centimetre: light scatters many
// times within a cell, so walk.h caches the cell's eight corners.
#pragma once
#include "core/result.h"
#include "render/path/fast_math.h"
#include "state/volume/density_volume.h"

#define FIRN_MEDIUM_BLOCK 8               // cells along a block's edge
#define FIRN_MEDIUM_NODES (9 * 9 * 9)     // of a block
#define FIRN_MEDIUM_WINDOW_MAX (1 << 26)  // blocks in the window: 256 MB

typedef struct firn_medium {
    double low[3];    // [m] where cell (0, 0, 0) of the window begins
    double voxel;     // [m] edge of a cell
    int32_t size[3];  // [blocks]; 0: no snow at all
    int32_t* table;   // owned
    int32_t block_count;
    int32_t (*at)[3];  // owned; [block_count] position in the window
    float* nodes;      // owned; [block_count][729] extinction [1/cell]
    float* corners;    // of a GPU only: [block_count][512][8] nodes of each cell; null: not there
    uint8_t (*cells)[512];  // owned; [block_count] FIRN_CELL_ flags of each cell, x fastest
    float albedo[3], g;
    float glints;  // share of the sun's light that single crystals send to the camera (glints.h)
    bool rare_by_sun;  // how k of the cells was chosen: by the depth towards the sun
} firn_medium;

// Flags of a cell. Bit 0: a surface may be near, so trace surfaces before flying on. Bits 1 and up:
// k; NEE is done rarely, with a probability in proportion to 2^-k (firn_path_nee_probability),
// where little of the lights' light arrives.
enum { FIRN_CELL_NEAR_SURFACE = 1, FIRN_CELL_NEE_MAX = 5, FIRN_CELL_NEE_SUN_MAX = 6 };

// `per_density`: extinction / density [m^2/kg]. Blocks outside the largest possible window (a
// particle that flew a kilometre) are dropped.
firn_result firn_medium_create(firn_medium* medium, const firn_density_volume* volume,
                               double per_density, const double albedo[3], double g,
                               firn_error* error);
// Set k of each cell; after create it is 0 everywhere. By depth: light from anywhere
// (medium/nee_by_depth.c). By sun: `sun` (unit, towards it) is the only light that is sampled
// (medium/nee_by_sun.c).
void firn_medium_set_nee_by_depth(firn_medium* medium);
void firn_medium_set_nee_by_sun(firn_medium* medium, firn_f3 sun);
void firn_medium_destroy(firn_medium* medium);
int64_t firn_medium_bytes(const firn_medium* medium);

// Extinction at the eight corners of a cell, x fastest.
typedef struct firn_medium_corners {
    float v[8];
} firn_medium_corners;

// A GPU reads what the threads of a warp ask for line by line, and each is at another cell: there
// the corners of a cell are also kept side by side, which are two reads instead of eight.
FIRN_FN firn_medium_corners firn_medium_corners_at(const firn_medium* m, int32_t block, int32_t x,
                                                   int32_t y, int32_t z)
{
#ifdef __CUDA_ARCH__
    if (m->corners != NULL) {
        const float4* q =
            (const float4*)(m->corners + ((size_t)block * 512 + (size_t)((z * 8 + y) * 8 + x)) * 8);
        const float4 low = q[0], high = q[1];
        return firn_medium_corners{{low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w}};
    }
#endif
    const float* n = m->nodes + (size_t)block * FIRN_MEDIUM_NODES + (size_t)((z * 9 + y) * 9 + x);
    return FIRN_LIT(firn_medium_corners){{n[0], n[1], n[9], n[10], n[81], n[82], n[90], n[91]}};
}

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

// Extinction at node (x, y, z) of the window; 0 outside.
FIRN_FN float firn_medium_node(const firn_medium* m, int32_t x, int32_t y, int32_t z)
{
    const int32_t bx = x >> 3, by = y >> 3, bz = z >> 3;
    if (bx < 0 || by < 0 || bz < 0 || bx >= m->size[0] || by >= m->size[1] || bz >= m->size[2])
        return 0;
    const int32_t block = m->table[((int64_t)bz * m->size[1] + by) * m->size[0] + bx];
    if (block < 0) return 0;
    return m->nodes[(size_t)block * FIRN_MEDIUM_NODES +
                    (size_t)(((z & 7) * 9 + (y & 7)) * 9 + (x & 7))];
}
