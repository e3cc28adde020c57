// SPDX-License-Identifier: MIT
// What pictures of a run are made of: its scene with another block `render` or other surfaces, and
// these as a text by which a picture that is already there is known again.
#pragma once
#include "scene/data/scene.h"

// DIR/scene.yaml with overrides. FIRN_REFUSED_ARGUMENT: an override would change the simulation.
firn_result firn_render_scene_load(const char* dir, const char* const* overrides,
                                   size_t override_count, firn_scene_data* out_scene,
                                   firn_error* error);
// Block `render` and surfaces as YAML with every key, owned by the caller; null: memory is out.
char* firn_render_settings(const firn_scene_data* scene);
// Of what else a picture shows: bodies and how they move, the sky's picture.
firn_result firn_render_origin(const firn_scene_data* scene, uint64_t* out_hash, firn_error* error);
// How two settings differ, for people: "render.samples was 64 and is 256".
void firn_render_difference(const char* before, const char* now, char* out_text, size_t size);
