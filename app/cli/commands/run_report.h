// SPDX-License-Identifier: MIT
// Header and footer of a run, for people (stderr) or for programs (--json, stdout).
#pragma once
#include "firn/firn.h"

typedef struct cli_run_facts {
    const firn_scene_info* scene;  // borrowed
    const char* folder;            // borrowed
    int64_t frame_end;
} cli_run_facts;

void cli_run_header(const cli_run_facts* facts, const firn_sim* sim, bool json);
// `argc`, `argv` of the command, to show how to continue after an interruption.
void cli_run_footer(const cli_run_facts* facts, const firn_sim* sim, firn_result result, bool json,
                    bool quiet, int argc, char** argv);
