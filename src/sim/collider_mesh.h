// SPDX-License-Identifier: MIT
// Triangle meshes of colliders, for drawing.
#pragma once
#include "firn/play.h"

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h
typedef struct firn_collider firn_collider;      // geometry/collider/collider.h

// Makes the mesh that firn/play.h describes. `posed`: a collider of the scene that
// firn_collider_move has moved to `time`. On failure `out_mesh` is empty.
firn_result firn_body_mesh_make(const firn_scene_data* scene, const firn_collider* posed,
                                double time, firn_body_mesh* out_mesh, firn_error* error);
