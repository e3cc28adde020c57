// SPDX-License-Identifier: MIT
// Particles on the surface of a collider within one tile of space: a maximal Poisson-disc sample.
// No two on the same side are closer than a radius, and no point of the surface is much farther
// than that from the nearest (surface_sample.c says how). Everything in local coordinates. The
// particles of a tile depend only on the collider, the tile and neighbouring tiles that come before
// it (boundary_tiles.h).
#pragma once
#include "geometry/sdf/phi.h"
#include "geometry/sdf/shape.h"

#define FIRN_TILE_SPACINGS 8    // [h] edge of a tile
#define FIRN_DISC_RADIUS 0.843  // [h]: see surface_sample.c
#define FIRN_DISC_HOLE 1.15     // [radii] to the nearest particle, from anywhere on the surface
// Two particles are on different sides of a thin plate, and ignore each other, if their normals
// differ by more than 120 degrees: n_a . n_b below this.
#define FIRN_DISC_SIDES (-0.5)

// A surface as a level set in local coordinates.
typedef struct firn_surface {
    const firn_shapes* shapes;  // borrowed
    firn_local shape;
    const firn_level_set* set;  // borrowed; not null: this instead of the shape
} firn_surface;

typedef struct firn_surface_point {
    firn_vec3 x;       // [m]
    firn_vec3 normal;  // outward
    firn_vec3 inside;  // position of its particle: `x`, moved below the surface
    firn_real volume;  // V_b [m^3], once the neighbouring tiles are sampled
} firn_surface_point;

// The points that a tile has or sees; grows as needed.
typedef struct firn_surface_points {
    firn_surface_point* items;  // owned
    firn_local count, capacity;
} firn_surface_points;

typedef struct firn_tile_box {
    int32_t at[3];   // low corner at `at` times the edge
    double spacing;  // h [m], in local coordinates
    uint64_t seed;
} firn_tile_box;

// Scratch memory for sampling a tile; one per thread, zeroed at first.
typedef struct firn_tile_scratch firn_tile_scratch;
struct firn_tile_scratch {
    firn_surface_points points;  // those around, then those of the tile
    firn_local* next;            // owned: lists of points by cell
    firn_local next_capacity;
    struct firn_tile_cell* cells[2];  // owned: cells that may still need a point
    firn_local cell_count[2], cell_capacity[2];
};

#ifdef __cplusplus
extern "C" {
#endif

firn_phi firn_surface_phi(const firn_surface* surface, firn_vec3 x);
// Walks x to the surface along the normal, which it gives as well; where phi is less than the
// distance this takes some steps. False: it came no nearer than `limit` [m].
bool firn_surface_project(const firn_surface* surface, double limit, firn_vec3* x,
                          firn_vec3* out_normal);
// Moves a point of the surface `depth` [m] inwards against its normal; less where the solid is
// thinner than twice that, and not at all at a sharp edge.
firn_vec3 firn_surface_sink(const firn_surface* surface, firn_vec3 x, firn_vec3 normal,
                            double depth);
// The same rule for any level set: is a point that was moved in by `depth` deep enough to stay?
FIRN_FN bool firn_surface_deep(firn_real phi, double depth)
{
    return (double)phi <= -0.8 * depth;
}
#define FIRN_SINK_TRIES 4  // each half as deep as the one before
// True if the surface does not intersect a cube, given by its centre and half its edge [m].
bool firn_surface_misses(const firn_surface* surface, firn_vec3 centre, double half);

// Which tile a coordinate belongs to: floor(x / edge).
int64_t firn_tile_index(firn_real x, double spacing);
// Is x in the tile, or no farther than `margin` [m] from it?
bool firn_tile_sees(const firn_tile_box* box, double margin, firn_vec3 x);

// Adds the tile's points behind those already in scratch->points, which are those of tiles around
// it that it must keep its distance from. FIRN_BROKEN_MEMORY is the only failure.
firn_result firn_tile_sample(const firn_surface* surface, const firn_tile_box* box,
                             firn_tile_scratch* scratch);
// V_b = factor / sum_j W_bj of points[0 .. count), j: these and those around [m^3].
void firn_tile_volumes(firn_surface_point* points, firn_local count,
                       const firn_surface_points* around, double spacing, double factor);
bool firn_surface_points_add(firn_surface_points* points, firn_surface_point point);
void firn_tile_scratch_destroy(firn_tile_scratch* scratch);

#ifdef __cplusplus
}
#endif
