// SPDX-License-Identifier: MIT
// Height fields of frames as files for game engines:
//     NAME.0001.png    16 bits: low + value / 65535 (high - low) [m]
//     NAME.0001.r32    32-bit floats, little-endian [m]
//     NAME.0001.json   rectangle, numbers of samples, low and high
// All frames of a run share one rectangle and one range: what does not move keeps its values.
#pragma once
#include "output/frame/frame.h"
#include "state/surface/heights.h"

typedef struct firn_height_plan {
    firn_height_def def;  // rectangle, samples; `empty` is `low`
    double low, high;     // [m] of all the snow
    bool any;             // there is some snow
} firn_height_plan;

// The snow of a frame; borrows its arrays.
firn_height_snow firn_height_snow_of(const firn_frame* frame);
firn_height_plan firn_height_plan_begin(void);
// Extends the rectangle and the range to the snow of a frame.
void firn_height_plan_add(firn_height_plan* plan, const firn_frame* frame);
// `samples`: along the longer side, 2 to 16384; the spacing is the same along the other.
void firn_height_plan_finish(firn_height_plan* plan, int64_t samples);

// Writes the three files of a frame; `path` has no extension. z_up: rows are reversed, so that they
// ascend along y = -z.
firn_result firn_height_files_write(const char* path, const firn_height_plan* plan,
                                    const firn_frame* frame, bool z_up, firn_error* error);
