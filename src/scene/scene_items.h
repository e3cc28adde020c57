// SPDX-License-Identifier: MIT
// Items of a scene that more than one block makes.
#pragma once
#include "scene/presets.h"
#include "scene/reader.h"

#define FIRN_MATERIALS_MAX 256  // a particle's material is one byte

// Appends a material with the preset's constants.
bool firn_scene_add_preset(firn_scene_reader* reader, const firn_preset* preset, const char* name);
