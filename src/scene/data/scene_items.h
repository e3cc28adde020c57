// SPDX-License-Identifier: MIT
// Materials that items of several blocks refer to.
#pragma once
#include "scene/data/presets.h"
#include "scene/parse/reader.h"

#define FIRN_MATERIALS_MAX 256  // a particle's material is one byte

// Index of the material with this name (null: the first) in `materials`, or of a preset, which is
// then added as a material. -1: there is none, which was reported.
firn_local firn_scene_find_material(firn_scene_reader* reader, const firn_doc_node* node,
                                    const char* name);
// Appends a material with the preset's constants.
bool firn_scene_add_preset(firn_scene_reader* reader, const firn_preset* preset, const char* name);
