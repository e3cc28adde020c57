// SPDX-License-Identifier: MIT
// Compares two runs: scenes, frames field by field, figures, steps.
#pragma once
#include "cli/commands/frame_list.h"
#include "firn/firn.h"

// Two runs are A and B everywhere: index 0 and 1.
typedef struct cli_frame_diff {
    int64_t frame;
    bool in[2];            // that run has the frame
    bool same;             // in both, with the same fields, bit for bit
    char field[48];        // the first field that differs; "" for none
    int64_t particles[2];  // of runs that have it
    double position;       // [m] farthest that a particle is from itself; NaN: cannot be paired
    double velocity;       // [m/s] largest difference of a particle; NaN too
    firn_frame_measure figures[2];  // where `measured`
    bool measured;
} cli_frame_diff;

typedef struct cli_run_diff {
    const char* dir[2];  // borrowed
    firn_cache_info info[2];
    char* keys;  // owned; lines of firn_yaml_differences
    int key_count;
    cli_frame_diff* frames;  // owned; those that either run has, and that were asked for
    int frame_count;
    int common, different;        // frames that both have; of them, not the same
    char no_figures[256];         // why there are none; "" where there are
    double steps[2], seconds[2];  // of stats.csv: steps, and what they took; NaN: unknown
    bool equal;                   // no key and no frame differs
} cli_run_diff;

// `list`: the frames to compare. Fills what it can; the caller destroys `out` in any case.
firn_result cli_run_diff_make(const char* a, const char* b, const cli_frame_list* list, int threads,
                              cli_run_diff* out, firn_error* error);
void cli_run_diff_destroy(cli_run_diff* diff);

// Writes a sheet: a row per frame (12 at most, evenly spread) with the picture of A, of B, and four
// times their difference. `width`, `height`: of one picture.
firn_result cli_run_diff_sheet(const cli_run_diff* diff, const char* path, int width, int height,
                               firn_error* error);

// run_diff_frame.c: compares the current frames of two replays.
void cli_frame_diff_make(firn_replay* const replays[2], cli_frame_diff* out);
// run_diff_steps.c: steps and seconds of DIR/stats.csv; NaN where there is none.
firn_result cli_stats_sum(const char* dir, double* out_steps, double* out_seconds,
                          firn_error* error);
