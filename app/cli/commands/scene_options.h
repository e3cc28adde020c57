// SPDX-License-Identifier: MIT
// Options shared by `run`, `view` and `check`: solver, variant and overrides of a scene.
#pragma once
#include "cli/options.h"
#include "firn/firn.h"

typedef struct cli_scene_options {
    const char* variant;
    const char* solver;
    cli_list set;
    uint64_t memory;      // of firn_load_def; an option of `check`
    const char* backend;  // the same
    int64_t ranks;        // the same
} cli_scene_options;

// Rows of the option table of a command whose struct has a cli_scene_options called `scene`.
// clang-format off
#define CLI_SCENE_OPTIONS(type)                                                                    \
    {"solver", 0, CLI_OPTION_TEXT, offsetof(type, scene.solver), "NAME", 0, 0,                     \
     "use this solver instead of the scene's"},                                                    \
    {"variant", 0, CLI_OPTION_TEXT, offsetof(type, scene.variant), "NAME", 0, 0,                   \
     "use a variant of the scene; `firn scenes` lists them"},                                      \
    {"set", 0, CLI_OPTION_LIST, offsetof(type, scene.set), "KEY=VALUE", 0, 0,                      \
     "override a value of the scene: --set mpm.cell=0.02; may be repeated"}
// clang-format on

// Loads `path_or_name` into a new scene, owned by the caller. After a refusal too, so that the
// caller can print its messages. Returns an exit code. Reports usage errors (solver, form of
// --set).
int cli_scene_load(const char* command, const char* path_or_name, const cli_scene_options* options,
                   firn_scene** out_scene);
// The options as a definition for firn_scene_load; borrows their strings.
firn_load_def cli_scene_load_def(const cli_scene_options* options);
