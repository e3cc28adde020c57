// SPDX-License-Identifier: MIT
// Parses a scene from a file or a text, and sets single keys by the same tables.
#pragma once
#include "scene/parse/diagnostics.h"
#include "scene/parse/keys.h"

typedef struct firn_scene_options {
    const char* variant;           // null: the default
    const char* solver;            // null: as the scene says (--solver)
    const char* camera;            // null: render.camera; else that of render.cameras
    const char* const* overrides;  // "a.b=c"; list items by number: "snow.0.velocity=[0,-3,0]"
    size_t override_count;
} firn_scene_options;

// Parse a file or a text (`name` is for messages). All errors and warnings go to `diagnostics`.
// FIRN_REFUSED_SCENE if there is an error, FIRN_REFUSED_BACKEND if all that is wrong is that this
// build lacks a feature which the scene needs; `scene` is then zeroed.
firn_result firn_scene_parse_file(const char* path, const firn_scene_solver* solvers,
                                  size_t solver_count, const firn_scene_options* options,
                                  firn_scene_data* scene, firn_diagnostics* diagnostics);
firn_result firn_scene_parse_text(const char* text, size_t length, const char* name,
                                  const firn_scene_solver* solvers, size_t solver_count,
                                  const firn_scene_options* options, firn_scene_data* scene,
                                  firn_diagnostics* diagnostics);

// Sets eye and look_at so that all snow is in view; parsing does it for scenes without a camera.
void firn_scene_frame_camera(firn_scene_data* scene);  // frame_camera.c

// Selects solver `index`, with a default block. Refused: out of memory, the scene is unchanged.
firn_result firn_scene_use_solver(firn_scene_data* scene, const firn_scene_solver* solvers,
                                  int32_t index);
// Sets one key outside lists by the same tables as a file: "mpm.cell", "time.frames". The value is
// YAML text. FIRN_REFUSED_ARGUMENT: the scene is unchanged, see the diagnostics.
firn_result firn_scene_assign(firn_scene_data* scene, const firn_scene_solver* solvers,
                              size_t solver_count, const char* key, const char* value,
                              firn_diagnostics* diagnostics);

// Cross-checks that need the whole scene (units and scale plausible, snow inside colliders, ...).
// FIRN_BROKEN_MEMORY: they are incomplete.
firn_result firn_scene_data_check(const firn_scene_data* scene, firn_diagnostics* diagnostics);
