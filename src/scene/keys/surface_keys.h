// SPDX-License-Identifier: MIT
// Block `surface` of a collider.
#pragma once
#include "geometry/collider/look.h"
#include "scene/parse/document.h"
#include "scene/parse/keys.h"

typedef struct firn_surface_item {
    int32_t kind;                       // FIRN_LOOK_* - 1
    double colour[3];                   // below 0: chosen
    double roughness, specular, scale;  // the first two NaN: by the kind
} firn_surface_item;

extern const firn_key_block firn_surface_keys;
firn_surface_item firn_surface_item_default(void);
// The look of a collider; chosen by pictures if its node has no block.
firn_look firn_surface_read(const firn_doc_node* node, const firn_surface_item* item);
