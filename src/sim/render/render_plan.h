// SPDX-License-Identifier: MIT
// Which frames firn_render makes pictures of.
#pragma once
#include "firn/firn.h"
#include "output/run/manifest.h"

typedef struct firn_render_plan {
    int64_t first, step, count;
    const int64_t* frames;  // borrowed from the def; null: first, first + step, ...
    bool whole;             // nothing was chosen: all frames of the run
} firn_render_plan;

// FIRN_REFUSED_NAME, with the first frame that is missing, when the run does not have them all
// (`follow`: when it never will).
firn_result firn_render_plan_make(const firn_render_def* def, const firn_manifest* run,
                                  firn_render_plan* out_plan, firn_error* error);
// The k-th frame, 0 <= k < count.
int64_t firn_render_plan_at(const firn_render_plan* plan, int64_t k);
// Frames from one picture to the next; 0: not the same everywhere, or fewer than two pictures.
int64_t firn_render_plan_stride(const firn_render_plan* plan);
// The newest frame of the run; -1: it has none yet.
int64_t firn_render_plan_newest(const firn_manifest* run);
