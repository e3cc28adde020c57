// SPDX-License-Identifier: MIT
// The kinds of shapes of a scene file, each with its table of keys.
#pragma once
#include "scene/parse/keys.h"

typedef struct firn_shape_list {
    firn_local* items;  // owned; indices in the scene's shapes
    firn_local count, capacity;
} firn_shape_list;

// Values of the key `if_broken` of meshes, with their names. MEND is an old name of REPAIR.
typedef enum firn_if_broken {
    FIRN_IF_BROKEN_REFUSE,
    FIRN_IF_BROKEN_MEND,
    FIRN_IF_BROKEN_REPAIR,
    FIRN_IF_BROKEN_AUTO  // repair with a warning; for snow, refuse what cannot be decided
} firn_if_broken;
extern const char* const firn_if_broken_choices[];  // mesh_keys.c
extern const char* const firn_up_choices[];         // the same: 0 is y, 1 is z

// One key per kind: a block whose `finish` adds the shape, or a list of shapes that are combined.
extern const firn_key_block firn_shape_kinds;
extern const firn_key_block firn_text_keys;              // text_keys.c
extern const firn_key_block firn_mesh_keys;              // mesh_keys.c
extern const firn_key_block firn_level_set_keys;         // mesh_keys.c
const firn_key* firn_shape_kind_find(const char* name);  // null: none
