// SPDX-License-Identifier: MIT
// Height of the snow surface over a rectangle of the ground (firn/query.h).
#pragma once
#include "core/result.h"
#include "firn/query.h"

typedef struct firn_height_snow {
    const firn_vec3* position;  // [count] [m]; not finite: ignored
    const firn_real* radius;    // [count] [m]; null: all have `same_radius`
    firn_real same_radius;      // [m]
    firn_local count;
} firn_height_snow;

// FIRN_REFUSED_ARGUMENT: fewer than 2 or more than 16384 samples per side, a size or a value that
// is not finite, one side 0 and the other not. The cookie is not read.
firn_result firn_height_def_check(const firn_height_def* def, firn_error* error);
// Bounds of the snow with the radii of its particles: sets x, z, width and depth if width and depth
// are 0. Without snow they stay 0. `out_low`, `out_high`: vertical bounds [m]; may be null.
void firn_heights_find_box(const firn_height_snow* snow, firn_height_def* def, double* out_low,
                           double* out_high);
// Fills `out_heights` [rows][columns]; without a rectangle in `def`, that of the snow is used.
firn_result firn_heights_make(const firn_height_snow* snow, const firn_height_def* def,
                              float* out_heights, firn_error* error);
