// SPDX-License-Identifier: MIT
// Snow at rest, as exporters need it, from a scene.
#pragma once
#include "output/export/snow_mesh.h"

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

// Only the spacing and how snow is placed: nothing is owned.
firn_rest_state firn_rest_state_spacing(const firn_scene_data* scene);
// All of it; `density` is owned by the caller (firn_free). FIRN_BROKEN_MEMORY is the only failure.
firn_result firn_rest_state_make(const firn_scene_data* scene, firn_rest_state* out_rest,
                                 firn_error* error);
