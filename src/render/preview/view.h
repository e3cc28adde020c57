// SPDX-License-Identifier: MIT
// Everything that a preview is drawn from: constant while it is drawn, shared by all threads.
#pragma once
#include "render/daylight.h"
#include "render/preview/depth_map.h"
#include "render/preview/fluid/fluid_layer.h"
#include "render/preview/preview_colliders.h"
#include "render/preview/sky_cones.h"
#include "render/preview/snow/snow_light.h"
#include "render/preview/snow/snow_medium.h"
#include "render/preview/snow/snow_volume.h"
#include "render/preview/tint.h"

typedef struct firn_view {
    firn_camera camera;
    firn_daylight day;
    int32_t tone;  // firn_tone_name
    firn_sky_cones cones;
    firn_preview_colliders colliders;  // owned
    firn_snow_points points;           // borrowed
    firn_tint tint;
    firn_snow_volume volume;  // owned
    firn_depth_map eye_map;   // owned
    firn_depth_map sun_map;   // owned
    firn_snow_medium medium;
    firn_snow_light light;   // owned
    firn_fluids fluids;      // owned
    firn_fluid_layer layer;  // owned
} firn_view;
