// SPDX-License-Identifier: MIT
// Settings of the pictures of a run: its scene with overrides of the block `render` and of
// surfaces, and these settings as text, which identifies pictures that were rendered with them.
#pragma once
#include "core/result.h"

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

// Reads DIR/scene.yaml with overrides. FIRN_REFUSED_ARGUMENT: an override would change the
// simulation.
firn_result firn_render_scene_load(const char* dir, const char* const* overrides,
                                   size_t override_count, firn_scene_data* out_scene,
                                   firn_error* error);
// The same with another camera (render_camera.h); overrides may change it further.
firn_result firn_render_scene_load_by(const char* dir, const char* camera,
                                      const char* const* overrides, size_t override_count,
                                      firn_scene_data* out_scene, firn_error* error);
// Block `render` and surfaces as YAML with all keys, owned by the caller; null: out of memory.
char* firn_render_settings(const firn_scene_data* scene);
// Hash of everything else that a picture shows: colliders and their motion, the sky image.
firn_result firn_render_origin(const firn_scene_data* scene, uint64_t* out_hash, firn_error* error);
// Describes how two settings differ: "render.samples was 64 and is 256".
void firn_render_difference(const char* before, const char* now, char* out_text, size_t size);
