// SPDX-License-Identifier: MIT
// Progress of long operations: on a terminal one line that is redrawn; elsewhere one plain line per
// frame; with --json one object per frame on stdout; or nothing.
#pragma once
#include "firn/firn.h"

typedef enum cli_progress_mode {
    CLI_PROGRESS_NONE,
    CLI_PROGRESS_LINE,   // redrawn, stderr
    CLI_PROGRESS_PLAIN,  // a line per frame, stderr
    CLI_PROGRESS_JSON    // an object per frame, stdout
} cli_progress_mode;

typedef struct cli_progress {
    cli_progress_mode mode;
    bool quiet;             // suppresses log lines below warnings
    bool drawn;             // the terminal shows a progress line
    int64_t frame_begin;    // steps done before this frame; -1: unknown
    int64_t frame_steps;    // sub-steps of this frame so far
    double drawn_at;        // [s] seconds_elapsed of the last drawing
    double frame_began_at;  // [s] seconds_elapsed
} cli_progress;

// `json` has precedence over `quiet`, which has precedence over the terminal.
cli_progress cli_progress_begin(bool json, bool quiet);
// firn_progress_fn and firn_log_fn; `user` is the cli_progress.
void cli_progress_step(void* user, const firn_progress* progress);
void cli_progress_log(void* user, firn_log_level level, const char* id, const char* text);
// Removes the progress line from the terminal before a message is printed.
void cli_progress_clear(cli_progress* progress);
