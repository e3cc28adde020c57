// SPDX-License-Identifier: MIT
// What `run` and `check` share: which scene, in which variant, with which numbers changed.
#pragma once
#include "cli/options.h"
#include "firn/firn.h"

typedef struct cli_scene_options {
    const char* variant;
    const char* solver;
    cli_list set;
} cli_scene_options;

// Rows for the table of a command whose struct has a cli_scene_options called `scene`.
// clang-format off
#define CLI_SCENE_OPTIONS(type)                                                                    \
    {"solver", 0, CLI_OPTION_TEXT, offsetof(type, scene.solver), "NAME", 0, 0,                     \
     "another solver than the scene names"},                                                       \
    {"variant", 0, CLI_OPTION_TEXT, offsetof(type, scene.variant), "NAME", 0, 0,                   \
     "a variant of the scene; `firn scenes` lists them"},                                          \
    {"set", 0, CLI_OPTION_LIST, offsetof(type, scene.set), "KEY=VALUE", 0, 0,                      \
     "change one value of the scene: --set mpm.cell=0.02; may be given several times"}
// clang-format on

// Loads `path_or_name` into a new scene, owned by the caller, also after a refusal: its messages
// are then still to be printed. Returns an exit code. Usage errors (solver, form of --set) are
// told.
int cli_scene_load(const char* command, const char* path_or_name, const cli_scene_options* options,
                   firn_scene** out_scene);
