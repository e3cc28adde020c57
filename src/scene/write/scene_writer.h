// SPDX-License-Identifier: MIT
// What the files that write a scene share (scene_write.c, shape_write.c).
#pragma once
#include "core/text.h"
#include "scene/data/scene.h"

// Enough to tell two numbers apart that a person would write, few enough that rounding in a unit's
// conversion or in firn_real does not show.
#define FIRN_HASH_DIGITS 7

typedef struct firn_scene_writer {
    firn_text text;
    const firn_scene_data* scene;
    int digits;  // of doubles
    bool for_hash;
    uint64_t* shape_hashes;  // owned; [node_count]; for_hash only
} firn_scene_writer;

// `name: value`, without a new line.
void firn_write_reals(firn_scene_writer* w, const char* name, const firn_real* v, int count);
void firn_write_vec3(firn_scene_writer* w, const char* name, firn_vec3 v);
void firn_write_rotation(firn_scene_writer* w, firn_quat q);
void firn_write_double(firn_scene_writer* w, const char* name, double value);
void firn_write_doubles(firn_scene_writer* w, const char* name, const double* v);  // three
// A shape with all that it is made of; for the hash, its number in shape_hashes.
void firn_write_shape(firn_scene_writer* w, firn_local shape);
// An item of the list `emitters` (source_write.c).
void firn_write_emitter(firn_scene_writer* w, const firn_emitter* emitter);
// Fills shape_hashes; the text is empty again. `text.failed` when memory is out.
void firn_write_hash_shapes(firn_scene_writer* w);
