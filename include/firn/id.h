// SPDX-License-Identifier: MIT
// Ids: handles for the shapes, materials, snow bodies, emitters and colliders of a scene. Pass them
// by value; {0} is null. An id names an item and the scene that it belongs to. The simulations of a
// scene accept its ids; ids of another scene, and of items that were removed, are refused.
#pragma once
#include <stdint.h>

typedef struct firn_shape_id {
    uint32_t slot1;  // slot + 1; 0 is null
    uint32_t owner;  // number of the scene
} firn_shape_id;

typedef struct firn_material_id {
    uint32_t slot1;
    uint32_t owner;
} firn_material_id;

typedef struct firn_snow_id {
    uint32_t slot1;
    uint32_t owner;
} firn_snow_id;

typedef struct firn_emitter_id {
    uint32_t slot1;
    uint32_t owner;
} firn_emitter_id;

typedef struct firn_collider_id {
    uint32_t slot1;
    uint32_t owner;
} firn_collider_id;

typedef struct firn_joint_id {
    uint32_t slot1;
    uint32_t owner;
} firn_joint_id;
