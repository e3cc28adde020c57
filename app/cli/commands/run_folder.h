// SPDX-License-Identifier: MIT
// The folder of a run: its default path, whether it already contains a run, and its files.
#pragma once
#include "cli/options.h"
#include "firn/firn.h"

// "runs/<scene>" or "runs/<scene>-<variant>"; owned by the caller. Null: out of memory.
char* cli_run_folder_default(const firn_scene_info* scene);

// Reports on stderr and returns CLI_EXIT_USAGE if `dir` contains a run and neither `resume` nor
// `overwrite` is set, or if the run cannot continue at the first of `frames`.
int cli_run_folder_check(const char* dir, bool resume, bool overwrite, const cli_frames* frames);

// Files of one kind in a run's folder and its sub-folders.
typedef struct cli_files {
    int64_t count;
    char* first;  // owned; path of the first in alphabetical order; null for none
} cli_files;
cli_files cli_run_folder_files(const char* dir, const char* extension);  // ".mp4"
void cli_files_free(cli_files* files);
