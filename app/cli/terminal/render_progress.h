// SPDX-License-Identifier: MIT
// Progress of `firn render`: of the current picture and of all of them. On a terminal one line that
// is redrawn; elsewhere a plain line per picture; with --json an object per picture.
#pragma once
#include "cli/terminal/progress.h"

typedef struct cli_render_progress {
    cli_progress base;   // must be first: cli_progress_log casts its user pointer to it
    int64_t wait_frame;  // frame whose waiting line has been printed
} cli_render_progress;

cli_render_progress cli_render_progress_begin(bool json, bool quiet);
// firn_render_progress_fn; `user` is the cli_render_progress.
void cli_render_progress_step(void* user, const firn_render_progress* progress);
