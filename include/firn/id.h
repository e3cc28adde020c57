// SPDX-License-Identifier: MIT
// Ids: handles for the shapes, materials, colliders and snow bodies of a scene. Pass them by value.
// {0} is null.
#pragma once
#include <stdint.h>

typedef struct firn_shape_id {
    uint32_t slot1;  // slot + 1; 0 is null
} firn_shape_id;

typedef struct firn_material_id {
    uint32_t slot1;
} firn_material_id;

typedef struct firn_collider_id {
    uint32_t slot1;
} firn_collider_id;

typedef struct firn_snow_id {
    uint32_t slot1;
} firn_snow_id;
