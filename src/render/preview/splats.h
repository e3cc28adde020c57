// SPDX-License-Identifier: MIT
// Particles as splats: they add grain to the snow surface, and draw crumbs, particles that lie or
// fly alone.
// Does: sort particles into screen tiles, draw the particles of a tile. One thread draws a tile, in
// the order of the particles: sums are bitwise equal for any number of threads.
#pragma once
#include "render/preview/shade.h"
#include "render/preview/stamp.h"

#define FIRN_TILE 32  // pixels along a tile's edge
#define FIRN_TILE_PIXELS (FIRN_TILE * FIRN_TILE)

// Framebuffer of one tile between the stages of drawing.
typedef struct firn_tile {
    int32_t x0, y0, width, height;  // [pixels] in the picture
    firn_ray ray[FIRN_TILE_PIXELS];
    firn_collider_hit collider[FIRN_TILE_PIXELS];
    float snow_cover[FIRN_TILE_PIXELS];
    firn_real snow_t[FIRN_TILE_PIXELS];  // [m]
    firn_grain grain[FIRN_TILE_PIXELS];  // weighted sums
    float grain_weight[FIRN_TILE_PIXELS];
    firn_rgb tint[FIRN_TILE_PIXELS];  // weighted sum, where the snow is coloured
    float tint_weight[FIRN_TILE_PIXELS];
    firn_rgb crumb[FIRN_TILE_PIXELS];  // weighted sum
    float crumb_weight[FIRN_TILE_PIXELS];
    float crumb_clear[FIRN_TILE_PIXELS];  // fraction of the pixel not covered by crumbs
} firn_tile;

typedef struct firn_splats {
    int32_t nx, ny;    // tiles
    int32_t* start;    // owned; [nx * ny + 1]
    firn_local* list;  // owned; particles by tile; a particle is listed in every tile it touches
    firn_stamp stamp;
} firn_splats;

firn_result firn_splats_sort(firn_splats* splats, const firn_view* view, firn_error* error);
void firn_splats_destroy(firn_splats* splats);
void firn_splats_draw(const firn_splats* splats, const firn_view* view, firn_tile* tile);
