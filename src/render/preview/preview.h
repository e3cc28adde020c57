// SPDX-License-Identifier: MIT
// The preview: a fast approximate picture of a frame, with snow and colliders lit by sun and sky.
// Takes a few tenths of a second. For path-traced pictures see render/path/picture.h.
#pragma once
#include "core/result.h"
#include "render/image/image.h"
#include "render/preview/snow/snow_points.h"

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

// Draws the particles and the scene's colliders at `time` into a new image of the scene's size,
// which the caller destroys. `cell` is the solver's grid spacing [m]. Ids of points tie surface
// detail to particles, so that it does not flicker when particles are reordered. `value`: the field
// of render.colour_by, which colours all particles, also those of fluids; null: snow is white, and
// fluids have surfaces. Particles at non-finite positions are
// skipped. Bitwise equal for any number of threads. All pointers are borrowed for the call.
firn_result firn_preview_draw(const firn_scene_data* scene, double cell, double time,
                              const firn_snow_points* points, const firn_real* value,
                              firn_image* out_image, firn_error* error);
// Writes a preview as a PNG, atomically.
firn_result firn_preview_save(const char* path, const firn_image* image, firn_error* error);
// Draws and writes a preview.
firn_result firn_preview_write(const char* path, const firn_scene_data* scene, double cell,
                               double time, const firn_snow_points* points, const firn_real* value,
                               firn_error* error);
