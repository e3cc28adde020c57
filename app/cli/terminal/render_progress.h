// SPDX-License-Identifier: MIT
// Progress of `firn render`: how far the picture is, and how far all of them are. On a terminal one
// line that is redrawn; elsewhere a plain line per picture; with --json an object per picture.
#pragma once
#include "cli/terminal/progress.h"

typedef struct cli_render_progress {
    cli_progress base;   // first: firn_log_fn is cli_progress_log, which takes it for its own
    int64_t wait_frame;  // that it waits for it was told: once, not at every look
} cli_render_progress;

cli_render_progress cli_render_progress_begin(bool json, bool quiet);
// firn_render_progress_fn; `user` is the cli_render_progress.
void cli_render_progress_step(void* user, const firn_render_progress* progress);
