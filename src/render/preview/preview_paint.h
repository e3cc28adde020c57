// SPDX-License-Identifier: MIT
// Colours of colliders from their glTF files, for the preview: the colour of the triangle that is
// nearest to a point of the surface. Does not: metal, roughness.
#pragma once
#include "core/result.h"
#include "math/rgb.h"
#include "math/vec3.h"

typedef struct firn_scene_data firn_scene_data;          // scene/data/scene.h
typedef struct firn_collider firn_collider;              // geometry/collider/collider.h
typedef struct firn_preview_paints firn_preview_paints;  // opaque: the painted meshes of a collider

// Of a collider that is posed for `time` [s]. Null: it has none.
firn_result firn_preview_paints_create(const firn_scene_data* scene, const firn_collider* collider,
                                       double time, firn_preview_paints** out_paints,
                                       firn_error* error);
void firn_preview_paints_destroy(firn_preview_paints* paints);  // null is fine

// At x, in world coordinates. `otherwise`: where the surface near x has no material.
firn_rgb firn_preview_paints_colour(const firn_preview_paints* paints, firn_vec3 x,
                                    firn_rgb otherwise);
