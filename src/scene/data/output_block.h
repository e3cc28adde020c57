// SPDX-License-Identifier: MIT
// The block `output` of a scene: what is written for each frame.
#pragma once
#include "core/result.h"

enum { FIRN_POINTS_VTKHDF = 1, FIRN_POINTS_PLY = 2, FIRN_POINTS_VTP = 4 };
enum { FIRN_VOLUME_VDB = 1 };
typedef struct firn_output_block {
    uint32_t points;      // FIRN_POINTS_*: formats written per frame (vtkhdf is the cache itself)
    uint32_t volume;      // FIRN_VOLUME_*
    uint32_t fields;      // FIRN_OUTPUT_BIT of each field in a frame (state/field_table.h)
    int64_t compression;  // deflate level 0..9
    int64_t checkpoint_every;  // [frames] full state; 0: only at the end and on a signal
    int64_t checkpoint_keep;   // number of full states kept on disk
    double voxel;              // [m] of the volume; 0: the solver's cell
    bool stats;                // stats.csv
    bool preview;              // a picture per frame
    bool film;                 // an .mp4 at the end
} firn_output_block;
