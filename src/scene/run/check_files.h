// SPDX-License-Identifier: MIT
// Files that a run reads after the scene is loaded: points and textures of snow,
// and the key frames of deforming colliders.
#pragma once
#include "scene/data/scene.h"
#include "scene/parse/diagnostics.h"

// Reads each of them as a run does, and reports those that it would refuse. Adds the number of
// points to *particles. FIRN_BROKEN_MEMORY, FIRN_REFUSED_BACKEND: reported too; the result says
// that the file is not at fault. FIRN_OK otherwise.
firn_result firn_scene_check_files(const firn_scene_data* scene, firn_diagnostics* diagnostics,
                                   double* particles);
