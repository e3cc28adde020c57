// SPDX-License-Identifier: MIT
// Information on colliders and camera for firn/play.h, for simulations and replays.
#pragma once
#include "firn/play.h"

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h
typedef struct firn_collider firn_collider;      // geometry/collider/collider.h

// Describes collider `index` of the scene. `posed`: a copy that firn_collider_move has moved to
// `time`.
firn_body_info firn_body_info_of(const firn_scene_data* scene, const firn_collider* posed,
                                 firn_local index, double time);
// Describes the camera at `time` and other settings that a viewer needs.
firn_view_info firn_view_info_of(const firn_scene_data* scene, double time);
