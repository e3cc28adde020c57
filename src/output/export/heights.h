// SPDX-License-Identifier: MIT
// The top of the snow over a rectangle of the ground (firn/play.h).
#pragma once
#include "core/result.h"
#include "firn/play.h"

typedef struct firn_height_snow {
    const firn_vec3* position;  // [count] [m]; not finite: left out
    const firn_real* radius;    // [count] [m]; null: all have `alike`
    firn_real alike;            // [m]
    firn_local count;
} firn_height_snow;

// FIRN_REFUSED_ARGUMENT: not from firn_default_height_def, fewer than 2 or more than 16384 samples
// a side, a size or a value that is not finite, one side 0 and the other not.
firn_result firn_height_def_check(const firn_height_def* def, firn_error* error);
// The box of the snow, particles and all, into x, z, width and depth where both of these are 0.
// They stay 0 where there is no snow. `out_low`, `out_high`: its height [m]; may be null.
void firn_heights_find_box(const firn_height_snow* snow, firn_height_def* def, double* out_low,
                           double* out_high);
// Fills `out_heights` [rows][columns]; the box is found first where there is none.
firn_result firn_heights_make(const firn_height_snow* snow, firn_height_def* def, int threads,
                              float* out_heights, firn_error* error);
