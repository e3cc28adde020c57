// SPDX-License-Identifier: MIT
// Means over frames of the forces and torques on colliders, from the rows of stats.csv.
#pragma once
#include "core/result.h"
#include "firn/run.h"

typedef struct firn_load_means {
    int64_t first, frames;     // frames first to first + frames - 1
    int colliders;             // 0: there is no stats.csv, or it has no forces
    firn_collider_mean* each;  // owned [frames][colliders]; NaN: no step of the frame
    double* seconds;           // owned [frames] that the means are over
} firn_load_means;

// Of the run in `dir`. Frame n has the steps from (n - 1)/fps to n/fps; the first frame of a run
// has none. FIRN_REFUSED_IO, FIRN_BROKEN_MEMORY: `out_means` is zeroed.
firn_result firn_load_means_read(const char* dir, double fps, int64_t first, int64_t frames,
                                 firn_load_means* out_means, firn_error* error);
void firn_load_means_destroy(firn_load_means* means);
