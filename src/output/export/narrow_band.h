// SPDX-License-Identifier: MIT
// A level set near a closed surface: signed distances at the nodes of a sparse grid, negative
// inside, in blocks as those of state/volume/density_volume.h.
#pragma once
#include "state/surface/isosurface.h"

#define FIRN_BAND_HALF_WIDTH 3  // [voxels], OpenVDB's usual one

typedef struct firn_narrow_band {
    double voxel, background;  // [m] background: half the width of the band
    firn_local block_count;
    int32_t (*origin)[3];  // owned; [block_count]; multiples of 8, ascending
    float* phi;  // owned; [block_count][512], z fastest [m]; |phi| may exceed `background`
} firn_narrow_band;

// Exact distances to the triangles within the band, at least its half width beyond; inside is where
// the winding number is above 1/2. Bitwise independent of the number of threads. A surface without
// triangles has no blocks. FIRN_REFUSED_ARGUMENT: more than 2^23 voxels from the origin.
firn_result firn_narrow_band_make(const firn_isosurface* surface, double voxel,
                                  firn_narrow_band* out_band, firn_error* error);
void firn_narrow_band_destroy(firn_narrow_band* band);
