// SPDX-License-Identifier: MIT
// What a body looks like where the scene does not say it.
#pragma once
#include "geometry/collider/collider.h"
#include "render/image/colour.h"

// The colour of a posed collider, `index` in the scene: the scene's, or a quiet one, dark for
// floors so that white snow stands out.
firn_rgb firn_body_colour(const firn_collider* collider, const firn_shapes* shapes, int32_t index);
