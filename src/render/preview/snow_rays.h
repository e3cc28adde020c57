// SPDX-License-Identifier: MIT
// Rays through the snow volume: what the eye sees, how much sun comes through.
#pragma once
#include "render/camera.h"
#include "render/preview/depth_map.h"
#include "render/preview/snow_sample.h"

typedef struct firn_snow_hit {
    float cover;  // share of the view that snow takes, 0..1
    firn_real t;  // [m] where half of that share is reached
} firn_snow_hit;

// Along the ray from t0 to t1 [m].
firn_snow_hit firn_snow_look(const firn_snow_volume* v, firn_ray ray, firn_real t0, firn_real t1);

// Smooth outward normal of the snow near x; `fallback` where there is none.
firn_vec3 firn_snow_normal(const firn_snow_volume* v, firn_vec3 x, firn_vec3 fallback);

// Optical depth from x towards the sun, from `start` [voxels] on; capped at about 20.
float firn_snow_sun_depth(const firn_snow_volume* v, const firn_depth_map* sun, firn_vec3 x,
                          float start);

// Whether any snow is near enough to be seen in a look around.
bool firn_snow_near(const firn_snow_volume* v, firn_grid_point g);
