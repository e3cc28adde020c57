// SPDX-License-Identifier: MIT
// Occupancy of snow on a sparse grid around the particles, for the preview.
//
//   occupancy ~ 1 in packed snow, 0.42 at the centre of a lone particle, 0 in the air
//
//   table    window of blocks, aligned in space; -1: air        [size z][size y][size x]
//   block    8^3 voxels plus a ghost layer of its neighbours' on every side, so that interpolation
//            never leaves a block: 10^3 values, x fastest
//   mid      the same at half the resolution: 4^3, with ghosts 6^3
//   coarse   one mean per block of the window
//
// A voxel is about one particle spacing wide, so that lumps of a few particles are visible.
// For physical density see state/volume/density_volume.h.
#pragma once
#include "core/result.h"
#include "render/preview/snow/snow_points.h"

#define FIRN_SNOW_BLOCK 8               // voxels along a block's edge
#define FIRN_SNOW_FINE (10 * 10 * 10)   // values of a block with its ghost layer
#define FIRN_SNOW_MID (6 * 6 * 6)       // the same for `mid`
#define FIRN_SNOW_SOLID 0.22f           // minimum `mid` of packed snow; a lone particle has <= 0.18
#define FIRN_SNOW_WINDOW_MAX (1 << 22)  // blocks in the window
#define FIRN_SNOW_BLOCKS_MAX 49152      // blocks with values: 240 MB

typedef struct firn_snow_volume {
    double low[3];    // [m] corner of the window: a multiple of the block's width
    firn_real voxel;  // [m]
    int32_t size[3];  // blocks along x, y, z; 0 when there is no snow
    int32_t* table;   // owned; [size[2]][size[1]][size[0]]: block or -1
    float* coarse;    // owned; like table
    int32_t block_count;
    int32_t (*at)[3];   // owned; [block_count]: position in the window
    float* fine;        // owned; [block_count][10][10][10]
    float* mid;         // owned; [block_count][6][6][6]
    uint8_t* solid;     // owned; [block_count] bit x + 2y + 4z: that octant has packed snow
    firn_real volume;   // [m^3] of snow that the median particle represents
    firn_real spacing;  // [m] its cube root: particle spacing in packed snow
    firn_real mass;  // [kg] of the median particle, 1 if masses are unknown; with radii: of snow of
    // that volume
    firn_real radius;  // [m] of the median particle; 0 if radii are unknown
} firn_snow_volume;

// Bitwise equal for any number of threads. Particles very far from all others may lie outside the
// window; they are still drawn as crumbs.
firn_result firn_snow_volume_build(firn_snow_volume* volume, const firn_snow_points* points,
                                   double cell, firn_error* error);
void firn_snow_volume_destroy(firn_snow_volume* volume);

// Volume of snow that a particle represents, relative to the median: 1/8 to 8;
// of powder, what it is drawn with, however small.
FIRN_FN float firn_snow_share(const firn_snow_volume* v, const firn_snow_points* points,
                              firn_local p)
{
    if (points->mass == NULL && points->radius == NULL) return 1;
    const firn_real size = points->radius != NULL ? points->radius[p] / v->radius : 1;
    const firn_real share = points->radius != NULL ? size * size * size : points->mass[p] / v->mass;
    if (firn_snow_is_powder(points, p)) return (float)firn_min(share, 1);
    return share >= 0.125f ? (float)firn_min(share, 8) : 0.125f;
}

FIRN_FN uint32_t firn_snow_id(const firn_snow_points* points, firn_local p)
{
    return points->id != NULL ? points->id[p] : (uint32_t)p;
}
