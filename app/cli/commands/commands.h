// SPDX-License-Identifier: MIT
// The commands of `firn`: one file each.
#pragma once
#include "cli/options.h"

extern const cli_command cli_run;
extern const cli_command cli_render;
extern const cli_command cli_view;
extern const cli_command cli_check;
extern const cli_command cli_info;
extern const cli_command cli_measure;
extern const cli_command cli_trim;
extern const cli_command cli_diff;
extern const cli_command cli_verify;
extern const cli_command cli_export;
extern const cli_command cli_web;
extern const cli_command cli_scenes;
extern const cli_command cli_presets;
extern const cli_command cli_bench;
extern const cli_command cli_version;
extern const cli_command cli_help;

// All of them, in the order of `firn help`; null-terminated.
extern const cli_command* const cli_commands[];
const cli_command* cli_command_find(const char* name);  // null: none
// Reports an unknown command with a suggestion; returns the exit code. `topic`: one more valid
// name; null: none.
int cli_command_unknown(const char* name, const char* topic);
