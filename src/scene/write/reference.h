// SPDX-License-Identifier: MIT
// The scene format as a Markdown reference and as a JSON schema, generated from the key tables.
#pragma once
#include "scene/parse/keys.h"

// Text owned by the caller (firn_free); null when memory is out.
char* firn_scene_reference_markdown(const firn_scene_solver* solvers, size_t solver_count);
char* firn_scene_reference_schema(const firn_scene_solver* solvers, size_t solver_count);
