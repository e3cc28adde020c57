// SPDX-License-Identifier: MIT
// A scene as text: its YAML, and the hash of what it means.
#pragma once
#include "core/result.h"

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

// Hash of the meaning; what only concerns output, pictures, title and number of frames stays out,
// so that those may change on --resume. 0 when memory is out.
uint64_t firn_scene_hash(const firn_scene_data* scene);
// The effective scene as YAML, owned by the caller: a copy of `effective`, or for a scene built
// from code a document written from the data. Null when memory is out.
char* firn_scene_to_yaml(const firn_scene_data* scene);
