// SPDX-License-Identifier: MIT
// Selects the frames that firn_render renders.
#pragma once
#include "firn/firn.h"
#include "output/run/manifest.h"

typedef struct firn_render_plan {
    int64_t first, step, count;
    const int64_t* frames;  // borrowed from the def; null: first, first + step, ...
    bool whole;             // all frames of the run
} firn_render_plan;

// FIRN_REFUSED_NAME: the run lacks some of the frames (with `follow`: it never will have them); the
// message names the first.
firn_result firn_render_plan_make(const firn_render_def* def, const firn_manifest* run,
                                  firn_render_plan* out_plan, firn_error* error);
// The k-th frame, 0 <= k < count.
int64_t firn_render_plan_at(const firn_render_plan* plan, int64_t k);
// Number of frames between pictures; 0: not constant, or fewer than two pictures.
int64_t firn_render_plan_stride(const firn_render_plan* plan);
// The newest frame of the run; -1: none.
int64_t firn_render_plan_newest(const firn_manifest* run);
