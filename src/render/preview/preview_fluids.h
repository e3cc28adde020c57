// SPDX-License-Identifier: MIT
// Fluids in the preview: which particles are snow, and the fluids of a pixel.
#pragma once
#include "render/preview/fluid/fluid_layer.h"
#include "render/preview/splats.h"

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

// Copies of the points that are snow, where there are fluids.
typedef struct firn_preview_snow {
    firn_vec3* x;                        // owned
    firn_real *mass, *density, *radius;  // owned
    uint32_t* id;                        // owned
} firn_preview_snow;

// Builds the fluids of the view, and leaves it only the points of snow, which refer to `snow`.
// Without fluids nothing changes. After a failure the caller destroys both.
firn_result firn_preview_split(firn_preview_snow* snow, firn_view* view,
                               const firn_scene_data* scene, double cell, double time,
                               firn_error* error);
void firn_preview_snow_destroy(firn_preview_snow* snow);

// The fluids that a pixel's ray enters before it meets a collider, from near to far.
typedef struct firn_fluid_pixel {
    int32_t count;
    bool behind_snow;
    int32_t fluid[FIRN_FLUIDS_MAX];
    firn_fluid_span span[FIRN_FLUIDS_MAX];
} firn_fluid_pixel;
firn_fluid_pixel firn_fluid_pixel_find(const firn_view* view, const firn_tile* tile, int32_t pixel);
// Their radiance before a background of radiance c at distance `end` [m].
firn_rgb firn_fluid_pixel_shade(const firn_view* view, const firn_fluid_pixel* pixel, firn_ray ray,
                                firn_real end, firn_rgb c, firn_sky_memo* memo);
