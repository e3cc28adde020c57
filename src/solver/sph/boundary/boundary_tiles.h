// SPDX-License-Identifier: MIT
// Tiles of space with the boundary particles of one collider. Colliders may be large or infinite,
// so a tile is created when snow comes near it, and then stays. The particles of a tile depend only
// on the collider and the tile, not on the order of requests, because tiles are sampled in a fixed
// order (drawn in boundary_tiles.c).
#pragma once
#include "geometry/sampling/cell_table.h"
#include "geometry/sampling/surface_sample.h"

typedef struct firn_collider firn_collider;  // geometry/collider/collider.h

#define FIRN_TILES_MAX (1 << 22)  // tiles per collider

typedef struct firn_tile {
    int32_t at[3];
    firn_local count;
    firn_surface_point* points;  // owned [count]
    int64_t first;               // of an active one: how many points the active ones before it have
    bool empty;                  // the surface does not intersect it
    bool active;                 // snow came near; otherwise only its neighbours need it
    bool complete;               // the volumes are computed
} firn_tile;

typedef struct firn_tiles {
    double depth;    // [m] of particles below the surface; set before the first visit
    double spacing;  // h [m] in local coordinates
    double factor;   // phi of V_b
    uint64_t seed;
    firn_tile* items;  // owned
    firn_local count, capacity;
    firn_cell_table table;    // index of the tile at a cell
    firn_cell_table visited;  // cells of edge 4 h around which all tiles exist
    double reach;             // [m] radius of these visits
    uint64_t* active;         // owned; keys of the active tiles, ascending
    firn_local active_count, active_capacity;
    int64_t point_count;  // of the active tiles
    uint64_t* found;      // owned; scratch: keys of cells that were not visited
    firn_local found_capacity;
} firn_tiles;

#ifdef __cplusplus
extern "C" {
#endif

// Creates tiles wherever the surface is within `reach` [m] of one of the points `near`, both in
// world space, for the collider's pose. *out_grew: there are more active tiles than before. On
// failure (memory, FIRN_TILES_MAX) all tiles are dropped and rebuilt on the next request.
firn_result firn_tiles_visit(firn_tiles* tiles, const firn_surface* surface,
                             const firn_collider* collider, const firn_vec3* near,
                             firn_local near_count, double reach, bool* out_grew,
                             firn_error* error);
// Creates tiles for the whole surface within a box in local coordinates. Failures as above.
firn_result firn_tiles_fill(firn_tiles* tiles, const firn_surface* surface, firn_box3 box,
                            firn_error* error);
const firn_tile* firn_tiles_at(const firn_tiles* tiles, uint64_t key);
void firn_tiles_clear(firn_tiles* tiles);  // removes tiles; spacing, factor, depth and seed stay
void firn_tiles_destroy(firn_tiles* tiles);

#ifdef __cplusplus
}
#endif
