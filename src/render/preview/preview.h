// SPDX-License-Identifier: MIT
// The preview: one quick picture of a frame, snow lit by a sun and a sky on whatever it lies on.
// Does: a few tenths of a second per picture. Does not: trace light paths; that is the path
// tracer's.
#pragma once
#include "core/result.h"
#include "render/preview/snow_points.h"
#include "scene/data/scene.h"

// Picture of the particles and of the scene's colliders at `time`, written as a PNG (atomically).
// `cell` is the solver's grid spacing [m]. The id of a point ties the surface's grain to the
// particle, so that it does not flicker when particles are reordered. `value`: the field of
// render.colour_by, which colours the snow; null: it is white. Particles at non-finite positions
// are left out. The same bits for any number of threads. All pointers are borrowed for the call.
firn_result firn_preview_write(const char* path, const firn_scene_data* scene, double cell,
                               double time, const firn_snow_points* points, const firn_real* value,
                               int threads, firn_error* error);
