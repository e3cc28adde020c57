// SPDX-License-Identifier: MIT
// Items of a scene that more than one block makes.
#pragma once
#include "scene/data/presets.h"
#include "scene/parse/reader.h"

#define FIRN_MATERIALS_MAX 256  // a particle's material is one byte

// The material that an item's key `material` names (null: the first): of `materials`, else a
// preset, which then becomes a material. -1: there is none, and that was reported.
firn_local firn_scene_find_material(firn_scene_reader* reader, const firn_doc_node* node,
                                    const char* name);
// Appends a material with the preset's constants.
bool firn_scene_add_preset(firn_scene_reader* reader, const firn_preset* preset, const char* name);
