// SPDX-License-Identifier: MIT
// Particles seen one by one: the grain of a snow surface, and crumbs that lie or fly alone.
// Does: sort particles by the picture's tiles, draw them into one tile. A tile belongs to one
// thread and draws its particles in their order: the sums are the same for any number of threads.
#pragma once
#include "render/preview/shade.h"
#include "render/preview/stamp.h"

#define FIRN_TILE 32  // pixels along a tile's edge
#define FIRN_TILE_PIXELS (FIRN_TILE * FIRN_TILE)

// The pixels of one tile between the stages of drawing.
typedef struct firn_tile {
    int32_t x0, y0, width, height;  // [pixels] in the picture
    firn_ray ray[FIRN_TILE_PIXELS];
    firn_body_hit body[FIRN_TILE_PIXELS];
    float snow_cover[FIRN_TILE_PIXELS];
    firn_real snow_t[FIRN_TILE_PIXELS];  // [m]
    firn_grain grain[FIRN_TILE_PIXELS];  // weighted sums
    float grain_weight[FIRN_TILE_PIXELS];
    firn_rgb tint[FIRN_TILE_PIXELS];  // weighted sum, where the snow is coloured
    float tint_weight[FIRN_TILE_PIXELS];
    firn_rgb crumb[FIRN_TILE_PIXELS];  // weighted sum
    float crumb_weight[FIRN_TILE_PIXELS];
    float crumb_clear[FIRN_TILE_PIXELS];  // share of the pixel that crumbs leave free
} firn_tile;

typedef struct firn_grains {
    int32_t nx, ny;    // tiles
    int32_t* start;    // owned; [nx * ny + 1]
    firn_local* list;  // owned; particles by tile; one that touches several is in each
    firn_stamp stamp;
} firn_grains;

firn_result firn_grains_sort(firn_grains* grains, const firn_view* view, int threads,
                             firn_error* error);
void firn_grains_destroy(firn_grains* grains);
void firn_grains_draw(const firn_grains* grains, const firn_view* view, firn_tile* tile);
