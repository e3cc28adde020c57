// SPDX-License-Identifier: MIT
// The wind of a scene, anywhere and at any time.
#pragma once
#include "math/vec3.h"

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

// Velocity of the air [m/s] at x [m] and time [s]; zero where the scene has no air. A pure function
// of its arguments: re-entrant, allocates nothing. `x` must be finite.
firn_vec3 firn_wind(const firn_scene_data* scene, firn_vec3 x, double time);
