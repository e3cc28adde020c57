// SPDX-License-Identifier: MIT
// Copies shapes of one scene into another.
#pragma once
#include "core/result.h"

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

// Finds or makes a shape of `to` that is equal to shape `shape` of `from`, with all that it is made
// of; level sets are shared. Copying the same shape again adds nothing. FIRN_BROKEN_MEMORY: `to`
// may have more shapes, which nothing uses.
firn_result firn_scene_import_shape(firn_scene_data* to, const firn_scene_data* from,
                                    firn_local shape, firn_local* out_shape);
