// SPDX-License-Identifier: MIT
// Bodies and views as firn/play.h tells them: of a simulation and of a replay alike.
#pragma once
#include "firn/play.h"
#include "scene/data/scene.h"

// A body of the scene, `index` in its colliders. `posed`: a copy that firn_collider_move has put
// where it is at `time`.
firn_body_info firn_body_info_of(const firn_scene_data* scene, const firn_collider* posed,
                                 firn_local index, double time);
// The camera at `time`, and what else a viewer starts from.
firn_view_info firn_view_info_of(const firn_scene_data* scene, double time);
