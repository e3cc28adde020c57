// SPDX-License-Identifier: MIT
// Measures of the frames of a run: mass, motion, extent, and connected fragments of snow.
#pragma once
#include "firn/firn.h"
#include "output/frame/frame.h"

// One frame, which needs the field `mass`; without `velocity`, momentum and energy are NaN.
// `def` is checked by firn_measure_run.
firn_result firn_measure_frame(const firn_frame* frame, const firn_measure_def* def,
                               firn_frame_measure* out_row, firn_error* error);
// Implements firn_cache_measure (firn.h); does not check the cookie of `def`.
firn_result firn_measure_run(const firn_measure_def* def, firn_frame_measure** out_rows,
                             int* out_count, firn_error* error);
