// SPDX-License-Identifier: MIT
// Block `look` of a material.
#pragma once
#include "scene/data/material_look.h"
#include "scene/parse/reader.h"

typedef struct firn_text firn_text;  // core/text.h

typedef struct firn_look_item {
    int32_t kind;  // firn_material_look_kind - FIRN_SHOWN_AS_SNOW
    double ior, absorption[3], scattering, colour[3], roughness, specular;  // NaN: of the kind
} firn_look_item;
#define FIRN_LOOK_ITEM                                          \
    {                                                           \
        0, NAN, {NAN, NAN, NAN}, NAN, {NAN, NAN, NAN}, NAN, NAN \
    }

extern const firn_key_block firn_look_keys;

// The look that the block of material `node` gives; without a block that of its phase. Reports keys
// that do not fit the kind.
firn_material_look firn_look_read(firn_scene_reader* reader, const firn_doc_node* node,
                                  const firn_look_item* item);
// `before` and "look: {kind: water, ...}"; nothing where the scene gives no look.
void firn_material_look_write(firn_text* text, const char* before, const firn_material_look* look);
