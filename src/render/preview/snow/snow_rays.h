// SPDX-License-Identifier: MIT
// Rays through the snow volume: camera rays, normals, optical depth towards the sun.
#pragma once
#include "render/camera.h"
#include "render/preview/depth_map.h"
#include "render/preview/snow/snow_sample.h"

typedef struct firn_snow_hit {
    float cover;  // opacity of the snow along the ray, 0..1
    firn_real t;  // [m] where half of that opacity is reached
} firn_snow_hit;

// Marches along the ray from t0 to t1 [m].
firn_snow_hit firn_snow_trace(const firn_snow_volume* v, firn_ray ray, firn_real t0, firn_real t1);

// Smoothed outward normal of the snow at x; `fallback` where the density is uniform.
firn_vec3 firn_snow_normal(const firn_snow_volume* v, firn_vec3 x, firn_vec3 fallback);

// Optical depth from x towards the sun, skipping the first `start` [voxels]; stops at about 20.
float firn_snow_sun_depth(const firn_snow_volume* v, const firn_depth_map* sun, firn_vec3 x,
                          float start);

// Whether g is close enough to the snow for ambient cones to reach it.
bool firn_snow_near(const firn_snow_volume* v, firn_grid_point g);
