// SPDX-License-Identifier: MIT
// Colour of a collider: the scene's, or a default.
#pragma once
#include "math/rgb.h"

typedef struct firn_collider firn_collider;  // geometry/collider/collider.h
typedef struct firn_shapes firn_shapes;      // geometry/sdf/shape.h

// Colour of posed collider `index`: the scene's, or a muted default by index; floors default to
// dark slate so that white snow stands out.
firn_rgb firn_collider_colour(const firn_collider* collider, const firn_shapes* shapes,
                              int32_t index);
// Whether it is a floor whose look the scene does not say.
bool firn_collider_is_plain_floor(const firn_collider* collider, const firn_shapes* shapes);
// Whether its surface has a pattern, and whether it is a floor, too.
bool firn_collider_has_pattern(const firn_collider* collider);
bool firn_collider_is_patterned_floor(const firn_collider* collider, const firn_shapes* shapes);
