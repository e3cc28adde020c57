// SPDX-License-Identifier: MIT
// The kinds of shapes a scene file knows, each with the table of its keys.
#pragma once
#include "scene/parse/keys.h"

typedef struct firn_shape_list {
    firn_local* items;  // owned; indices in the scene's shapes
    firn_local count, capacity;
} firn_shape_list;

// One key per kind: a block whose `finish` adds the shape, or a list of shapes that are combined.
extern const firn_key_block firn_shape_kinds;
extern const firn_key_block firn_text_keys;              // text_keys.c
extern const firn_key_block firn_mesh_keys;              // mesh_keys.c
extern const firn_key_block firn_level_set_keys;         // mesh_keys.c
const firn_key* firn_shape_kind_find(const char* name);  // null: none
