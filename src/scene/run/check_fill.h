// SPDX-License-Identifier: MIT
// Snow that a run would refuse to fill (empty shapes, factors that are too extreme), or whose
// particles have another mass than its shape.
#pragma once
#include "scene/data/scene.h"
#include "scene/parse/diagnostics.h"
#include "scene/run/seed.h"

// Fills each volume of snow as a run with cells of `cell` [m] does, and reports those that it would
// refuse; `lattice` and `pitch` as in seed.h. Volumes with large bounds, where filling takes time,
// are not tried: a wide shape that is too thin for any particle is found by the run only.
void firn_scene_check_fill(const firn_scene_data* scene, double cell, bool lattice,
                           firn_seed_pitch pitch, firn_diagnostics* diagnostics);
