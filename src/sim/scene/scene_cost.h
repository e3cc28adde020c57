// SPDX-License-Identifier: MIT
// What a run costs besides its steps: estimates for `firn check`.
#pragma once

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

// Time that one core of an ordinary machine needs for the preview of a frame with that many
// particles [s].
double firn_scene_preview_seconds(const firn_scene_data* scene, double particles);
