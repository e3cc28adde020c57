// SPDX-License-Identifier: MIT
// Bodies as triangles, for those who draw them.
#pragma once
#include "firn/play.h"
#include "scene/data/scene.h"

// The mesh that firn/play.h promises, of a body of the scene that firn_collider_move has put where
// it is at `time`. Refused or broken: `out_mesh` is empty.
firn_result firn_body_mesh_make(const firn_scene_data* scene, const firn_collider* posed,
                                double time, firn_body_mesh* out_mesh, firn_error* error);
