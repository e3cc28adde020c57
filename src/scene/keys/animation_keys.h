// SPDX-License-Identifier: MIT
// What moves a collider besides its own keys: an animation that deforms it, or the path of a glTF
// node.
#pragma once
#include "core/text.h"
#include "geometry/deform/deforming.h"
#include "scene/parse/reader.h"

// The block `animation` as the file has it.
typedef struct firn_animation_item {
    char *file, *mesh, *clip, *node, *grid, *velocity_grid;  // owned; null: not given
    int64_t first, last;                                     // last < 0: not given
    double fps, voxel;                                       // voxel 0: not given
    int32_t if_broken;
    double start, speed;
    bool loop;
    double memory;  // [MiB]
    double scale;
    int32_t up;  // 0: y, 1: z
} firn_animation_item;

// The block `motion`.
typedef struct firn_node_motion_item {
    char *file, *node, *clip;  // owned; null: not given
    double start;
} firn_node_motion_item;

extern const firn_key_block firn_animation_keys, firn_node_motion_keys;
firn_animation_item firn_animation_item_default(void);

// Opens the deforming collider of an animation block; reports errors at its node. False: not
// opened.
bool firn_animation_read(firn_scene_reader* reader, const firn_doc_node* node,
                         const firn_animation_item* item, firn_deforming** out_deforming);
// "{file: ..., voxel: 0.01}"; for the hash what its keys are made from instead of where it lies.
void firn_animation_write(firn_text* text, const firn_deforming* deforming, bool for_hash,
                          int digits);
