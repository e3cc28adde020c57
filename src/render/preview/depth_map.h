// SPDX-License-Identifier: MIT
// Coarse depth maps for empty-space skipping: for each cell of the picture, or of a plane
// perpendicular to the sun, the depth range of the blocks that hold snow.
#pragma once
#include "render/camera.h"
#include "render/preview/snow/snow_volume.h"

#define FIRN_DEPTH_CELL_PIXELS 8  // edge of a picture's cell

typedef struct firn_depth_span {
    float near, far;  // near > far: no snow
} firn_depth_span;

typedef struct firn_depth_map {
    int32_t nx, ny;
    firn_depth_span* spans;       // owned; [ny][nx]
    firn_vec3 across, along, to;  // sun: axes of the map and direction towards the sun, unit
    double low_x, low_y, scale;   // sun: cell = (coordinate - low) * scale
} firn_depth_map;

// Distances from the eye [m]; blocks that hold only lone particles are ignored.
firn_result firn_depth_map_camera(firn_depth_map* map, const firn_snow_volume* volume,
                                  const firn_camera* camera, firn_error* error);
// Depths are coordinates along `sun` (unit) [m].
firn_result firn_depth_map_sun(firn_depth_map* map, const firn_snow_volume* volume, firn_vec3 sun,
                               firn_error* error);
void firn_depth_map_destroy(firn_depth_map* map);

FIRN_FN firn_depth_span firn_depth_map_pixel(const firn_depth_map* map, int32_t px, int32_t py)
{
    return map->spans[(py / FIRN_DEPTH_CELL_PIXELS) * map->nx + px / FIRN_DEPTH_CELL_PIXELS];
}

// Depth range of snow along the sun ray through x.
FIRN_FN firn_depth_span firn_depth_map_toward_sun(const firn_depth_map* map, firn_vec3 x)
{
    const double u = ((double)firn_v3_dot(x, map->across) - map->low_x) * map->scale;
    const double v = ((double)firn_v3_dot(x, map->along) - map->low_y) * map->scale;
    if (!(u >= 0 && v >= 0 && u < map->nx && v < map->ny)) return FIRN_LIT(firn_depth_span){1, -1};
    return map->spans[(int64_t)(int32_t)v * map->nx + (int32_t)u];
}
