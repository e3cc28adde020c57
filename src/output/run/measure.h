// SPDX-License-Identifier: MIT
// Figures of a run's frames: mass, motion, extent, and into how many pieces the snow is broken.
#pragma once
#include "firn/firn.h"
#include "output/frame/frame.h"

// One frame, which needs the field `mass`; without `velocity` what moves is not a number.
// `threads`: for the volume. `def` is checked by firn_measure_run.
firn_result firn_measure_frame(const firn_frame* frame, const firn_measure_def* def, int threads,
                               firn_frame_measure* out_row, firn_error* error);
// What firn_cache_measure promises (firn.h); the def's cookie is not looked at.
firn_result firn_measure_run(const firn_measure_def* def, int threads,
                             firn_frame_measure** out_rows, int* out_count, firn_error* error);
