// SPDX-License-Identifier: MIT
// Where the keys of a scene stood, kept for messages that come after parsing; and its name.
#pragma once
#include "scene/parse/document.h"

// False when memory is out; what was kept until then stays.
bool firn_scene_keep_places(firn_scene_data* scene, const firn_doc* doc);
// "snowball-drop" for ".../snowball-drop/scene.yaml" and for "snowball-drop.yaml". Owned by caller.
char* firn_scene_name_of(const char* path);
