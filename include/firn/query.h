// SPDX-License-Identifier: MIT
// What a program asks of the snow between steps: heights for use as terrain, rays, how much snow
// is in a box, and triangles of its surface.
//
//     firn_ray_hit hit;
//     firn_sim_ray(sim, eye, towards, 100, &hit);        // what is under the mouse
//     firn_height_def def = firn_default_height_def();
//     firn_sim_height_box(sim, &def);                    // the rectangle of the snow
//     firn_sim_heights(sim, &def, heights);              // 256 x 256 floats
//
// Answers do not depend on the number of threads, and change nothing in the simulation. On a GPU
// the particles are copied to the host first.
#pragma once
#include "firn/defs.h"
#include "firn/export.h"
#include "firn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- height fields ----------------------------------------------------------------------------

// Height field of the snow surface over a rectangle, for use as terrain.
typedef struct firn_height_def {
    uint32_t cookie, bytes;  // set by the default function; do not change
    double x, z;             // [m] corner with the smallest coordinates
    double width, depth;     // [m] along x and z; 0 and 0: the bounding box of the snow
    int columns, rows;       // 256, 256; samples along x and z, including the edges; 2 to 16384
    double empty;            // [m] 0; value where there is no snow
    double tolerance;  // [m] 0; of firn_heights_update: particles that have moved by less, and
                       // whose radius has changed by less, stay where they are in the heights
} firn_height_def;
static inline firn_height_def firn_default_height_def(void)
{
    firn_height_def def;
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_HEIGHT), sizeof def);
    return def;
}
// Set x, z, width and depth of the def to the bounding box of the snow. Without snow they are 0.
FIRN_API firn_result firn_sim_height_box(const firn_sim* sim, firn_height_def* def);
// Compute a height field. out_heights: [rows][columns] [m], owned by the caller. A particle reaches
// its radius above its centre (field "radius"; else half the spacing of packed snow) and 1.5 times
// its radius sideways, so that packed particles leave no holes. Snow in the air, above a gap of two
// particle diameters, counts only where there is none below. Bitwise independent of the number of
// threads. FIRN_REFUSED_ARGUMENT: the def is invalid.
FIRN_API firn_result firn_sim_heights(const firn_sim* sim, const firn_height_def* def,
                                      float* out_heights);

// A height field that is kept: updates compute only the parts where particles have moved.
typedef struct firn_heights firn_heights;
// Samples of a height field.
typedef struct firn_rect {
    int column, row;    // the first ones
    int columns, rows;  // numbers; 0 and 0: none
} firn_rect;
// Create a height field; all heights are `empty` until the first update. `def` is copied; it must
// have a rectangle (firn_sim_height_box). Destroy it with firn_heights_destroy.
// FIRN_REFUSED_ARGUMENT: the def is invalid. `out_error` may be null.
FIRN_API firn_result firn_heights_create(const firn_height_def* def, firn_heights** out_heights,
                                         firn_error* out_error);
FIRN_API void firn_heights_destroy(firn_heights* heights);  // null is allowed
// Bring the heights to the current state: afterwards they are those of firn_sim_heights, bit for
// bit, if the def's tolerance is 0. Snow at rest still moves by micrometres: with a tolerance of a
// tenth of a particle's radius only what really changes is computed and reported, and no particle
// is farther than that from its place. *out_dirty, which may be null, contains all samples that
// have changed. Allocates only when the number of particles grows.
FIRN_API firn_result firn_heights_update(firn_heights* heights, const firn_sim* sim,
                                         firn_rect* out_dirty);
// Get the heights: [rows][columns] [m]. Borrowed until destroy; null if `heights` is null.
FIRN_API const float* firn_heights_data(const firn_heights* heights);

// Get the height of the snow at a point of the ground: the value that a height field has in a
// sample there. *out_height is `empty` where there is no snow.
FIRN_API firn_result firn_sim_height_at(const firn_sim* sim, double x, double z, double empty,
                                        float* out_height);

// ---- rays -------------------------------------------------------------------------------------

typedef enum firn_hit_kind { FIRN_HIT_NONE, FIRN_HIT_SNOW, FIRN_HIT_COLLIDER } firn_hit_kind;

// A ray. The direction need not have length 1.
typedef struct firn_ray {
    firn_vec3 origin;     // [m]
    firn_vec3 direction;  // not 0
    double max_distance;  // [m]; may be INFINITY
    bool skip_snow, skip_colliders;
} firn_ray;

// What a ray meets first.
typedef struct firn_ray_hit {
    firn_hit_kind kind;
    double distance;            // [m] from the origin; 0: the origin is inside
    firn_vec3 point;            // [m]
    firn_vec3 normal;           // outward, of length 1; against the ray if the origin is inside
    firn_local particle;        // index of a particle in its fields until the next step; -1: none
    uint32_t particle_id;       // its field "id"
    firn_collider_id collider;  // null: none
} firn_ray_hit;
// Find what a ray meets first: snow, or the surface of a collider where it is now. Particles have
// the shape that they have in height fields, so that a ray from above meets snow at its height;
// snow in the air is met too. If nothing is met, *out_hit has kind FIRN_HIT_NONE and max_distance.
// FIRN_REFUSED_ARGUMENT: not finite, a direction of 0, or a distance below 0.
FIRN_API firn_result firn_sim_ray(const firn_sim* sim, firn_vec3 origin, firn_vec3 direction,
                                  double max_distance, firn_ray_hit* out_hit);
// The same for many rays, on all threads of the simulation. out_hits: [count], owned by the caller.
FIRN_API firn_result firn_sim_rays(const firn_sim* sim, const firn_ray* rays, int64_t count,
                                   firn_ray_hit* out_hits);

// ---- how much snow ----------------------------------------------------------------------------

// The particles with centres in a region.
typedef struct firn_snow_amount {
    int64_t count;
    double mass;         // [kg]
    double density;      // [kg/m^3] mass by the volume of the region
    double velocity[3];  // [m/s] mean by mass; 0 without snow
    double temperature;  // [degC] mean by mass; NAN: no snow, or the solver has no temperatures
} firn_snow_amount;
// Get how much snow is in a box. FIRN_REFUSED_ARGUMENT: not finite, or low is above high.
FIRN_API firn_result firn_sim_snow_in_box(const firn_sim* sim, const double low[3],
                                          const double high[3], firn_snow_amount* out_amount);
// Get how much snow is in a ball. FIRN_REFUSED_ARGUMENT: not finite, or a radius that is not > 0.
FIRN_API firn_result firn_sim_snow_in_ball(const firn_sim* sim, const double center[3],
                                           double radius, firn_snow_amount* out_amount);

// ---- a triangle surface -----------------------------------------------------------------------

// The surface of the snow: where the share of space that snow takes passes through a threshold.
typedef struct firn_surface_def {
    uint32_t cookie, bytes;  // set by the default function; do not change
    double voxel;            // [m] 0: 1.5 spacings of packed snow; edge of the cells
    double threshold;        // [-] 0.5; of the packed snow of a particle's material
    bool anisotropic;  // false; true: kernels that follow the surface (Yu and Turk 2013), smoother
                       // and several times slower
    bool velocities, temperatures;  // false; true: vertices have them; not if `anisotropic`
    bool use_box;                   // false; true: only particles in the box below
    double low[3], high[3];         // [m]
} firn_surface_def;
static inline firn_surface_def firn_default_surface_def(void)
{
    firn_surface_def def;
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_SURFACE), sizeof def);
    return def;
}

// Triangles of the snow, counter-clockwise seen from outside.
typedef struct firn_surface_mesh {
    firn_vec3* vertices;      // [vertex_count] [m]
    firn_vec3* normals;       // [vertex_count] outward, of length 1
    firn_vec3* velocities;    // [vertex_count] [m/s]; null: not requested
    firn_real* temperatures;  // [vertex_count] [degC]; null: not requested
    int64_t vertex_count;
    int32_t* triangles;  // [triangle_count][3]
    int64_t triangle_count;
} firn_surface_mesh;
// Get the surface of the snow; free it with firn_surface_mesh_free. It is closed: each edge belongs
// to exactly two triangles. Without snow it has none. FIRN_REFUSED_ARGUMENT: the def is invalid,
// or a particle is too far away for its voxel. FIRN_REFUSED_NAME: the solver has no temperatures.
FIRN_API firn_result firn_sim_surface(const firn_sim* sim, const firn_surface_def* def,
                                      firn_surface_mesh* out_mesh);
// Free a mesh. Null is allowed.
FIRN_API void firn_surface_mesh_free(firn_surface_mesh* mesh);

#ifdef __cplusplus
}
#endif
