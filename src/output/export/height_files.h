// SPDX-License-Identifier: MIT
// Heights of frames as files for game engines:
//     NAME.0001.png    16 bits: low + value / 65535 (high - low) [m]
//     NAME.0001.r32    32-bit floats, little-endian [m]
//     NAME.0001.json   where the rectangle lies, how many samples, low and high
// All frames of a run have the same rectangle and the same range, so that what does not move stays.
#pragma once
#include "output/frame/frame.h"

typedef struct firn_height_plan {
    firn_height_def def;  // rectangle, samples; `empty` is `low`
    double low, high;     // [m] of all the snow
    bool any;             // some snow was seen
} firn_height_plan;

firn_height_plan firn_height_plan_begin(void);
// Makes room for a frame's snow.
void firn_height_plan_add(firn_height_plan* plan, const firn_frame* frame);
// `samples`: along the longer side, 2 to 16384; they are as far apart along the other.
void firn_height_plan_finish(firn_height_plan* plan, int64_t samples);

// Writes the three files of a frame; `path` is theirs without the ending. z_up: rows are turned
// round, so that they go up along y = -z.
firn_result firn_height_files_write(const char* path, const firn_height_plan* plan,
                                    const firn_frame* frame, bool z_up, int threads,
                                    firn_error* error);
