// SPDX-License-Identifier: MIT
// The folder of a run, as the command line sees it: where it is, whether a run is there already,
// and what lies in it.
#pragma once
#include "cli/options.h"
#include "firn/firn.h"

// "runs/<scene>" or "runs/<scene>-<variant>".
void cli_run_folder_default(const firn_scene_info* scene, char* out_path, size_t size);

// Tells on stderr and gives CLI_EXIT_USAGE when a run is in `dir` and neither resuming nor
// overwriting was asked for, or when the run cannot go on at the first of `frames`.
int cli_run_folder_check(const char* dir, bool resume, bool overwrite, const cli_frames* frames);

// Files of one kind in a run's folder or in the folders below it.
typedef struct cli_files {
    int64_t count;
    char first[1024];  // path of the first in alphabetical order; "" when there are none
} cli_files;
cli_files cli_run_folder_files(const char* dir, const char* extension);  // ".mp4"
