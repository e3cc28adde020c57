// SPDX-License-Identifier: MIT
// The preview: one quick picture of a frame, snow lit by a sun and a sky on whatever it lies on.
#pragma once
#include "scene/scene.h"

// Picture of `count` particles and of the scene's colliders at `time`, written as a PNG (atomically).
// The same bits for any number of threads.
firn_result firn_preview_write(const char* path, const firn_scene_data* scene, double cell,
                               double time, const firn_vec3* x, const firn_real* mass,
                               const firn_real* density, firn_local count, int threads,
                               firn_error* error);
