// SPDX-License-Identifier: MIT
// Progress of long work. On a terminal one line that is redrawn; elsewhere one plain line per
// frame; with --json one object per frame on stdout; or nothing.
#pragma once
#include "firn/defs.h"

typedef enum cli_progress_mode {
    CLI_PROGRESS_NONE,
    CLI_PROGRESS_LINE,   // redrawn, stderr
    CLI_PROGRESS_PLAIN,  // a line per frame, stderr
    CLI_PROGRESS_JSON    // an object per frame, stdout
} cli_progress_mode;

typedef struct cli_progress {
    cli_progress_mode mode;
    bool quiet;              // no log lines below warnings either
    bool drawn;              // a redrawn line stands on the terminal
    int64_t frame_begin;     // steps done before this frame; -1: not known yet
    int64_t frame_steps;     // sub-steps of this frame so far
    double drawn_at;         // [s] seconds_elapsed of the last drawing
    double frame_began_at;   // [s] seconds_elapsed
    char preview_path[512];  // of the last frame that had a picture; "" for none
} cli_progress;

// json wins over quiet, quiet over terminal.
cli_progress cli_progress_begin(bool json, bool quiet);
// firn_progress_fn and firn_log_fn; `user` is the cli_progress.
void cli_progress_step(void* user, const firn_progress* progress);
void cli_progress_log(void* user, firn_log_level level, const char* id, const char* text);
// Takes a redrawn line off the terminal, so that messages stand alone.
void cli_progress_clear(cli_progress* progress);
