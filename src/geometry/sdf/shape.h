// SPDX-License-Identifier: MIT
// Shapes as level sets: phi(x) < 0 inside, 0 on the surface, > 0 outside. |phi| is the distance to
// the surface, or a lower bound of it where an exact one has no closed form (height fields;
// booleans near edges that they cut): a ball of radius |phi| around x never crosses the surface.
// Does: hold trees of analytic shapes in one flat array (copies to a GPU as it is), evaluate
// distance, gradient and bounds. Does not: move (collider.h), fill with particles (seeding.h).
#pragma once
#include "core/result.h"
#include "math/box3.h"
#include "math/quat.h"

typedef struct firn_level_set firn_level_set;  // geometry/levelset/level_set.h

typedef enum firn_shape_kind {
    FIRN_SHAPE_PLANE,         // p = point, normal: the half space below
    FIRN_SHAPE_SPHERE,        // p = center, radius
    FIRN_SHAPE_BOX,           // p = center, half size, corner radius; rotation q
    FIRN_SHAPE_CAPSULE,       // p = a, b, radius
    FIRN_SHAPE_CYLINDER,      // p = a, b (centres of the end discs), radius, edge radius
    FIRN_SHAPE_CONE,          // p = a, b, radius at a, radius at b (0 for a tip)
    FIRN_SHAPE_WEDGE,         // p = center of base, width (x), height (y), depth (z): a prism with
                              //     its ridge up along z; rotation q
    FIRN_SHAPE_HEIGHT_FIELD,  // p = origin corner, size, depth; field index in a. Solid over the
                              //     rectangle only: from origin.y - depth up to the surface, closed
                              //     at the sides and below
    FIRN_SHAPE_LEVEL_SET,     // level set index in a (meshes, .vdb files, words)
    FIRN_SHAPE_UNION,         // a, b: children; p[0] = blend radius (0: sharp): surfaces whose
                              //     distances differ by less melt into each other, by a quarter
                              //     of it at most
    FIRN_SHAPE_INTERSECTION,  // a, b
    FIRN_SHAPE_DIFFERENCE,    // a minus b
    FIRN_SHAPE_TRANSFORM      // a: child; p = translation, uniform scale; rotation q
} firn_shape_kind;

// Limits checked by the builders: within them nothing overflows, in float either.
#define FIRN_SHAPE_DEPTH_MAX 32     // nodes on a path from root to leaf
#define FIRN_SHAPE_TREE_MAX 65536   // nodes of a tree, a shared child counted every time
#define FIRN_SHAPE_LENGTH_MIN 1e-6  // [m]
#define FIRN_SHAPE_LENGTH_MAX 1e9   // [m], coordinates too
#define FIRN_FIELD_SIDE_MAX 16384   // values a side of a height field
#define FIRN_FIELD_VALUES_MAX (1 << 26)

typedef struct firn_shape_node {
    int32_t kind;     // firn_shape_kind
    firn_local a, b;  // children (or field or level set index in a), -1 for none; always smaller
                      // than own index
    firn_real p[12];  // parameters, see firn_shape_kind
    firn_quat q;      // rotation where the kind has one
} firn_shape_node;

// Heights over a rectangle, bilinear; row-major [nz][nx]; y = origin.y + size.y * value.
typedef struct firn_height_field {
    firn_local nx, nz;  // at least 2
    firn_real* value;   // owned; [nz][nx] in [0, 1]
    firn_real highest;  // largest value
    firn_real* steep;   // owned; steepest steps of blocks of cells (height_field.h)
    int32_t steep_levels;
} firn_height_field;

// All shapes of a scene. Owned arrays.
typedef struct firn_shapes {
    firn_shape_node* nodes;
    firn_local node_count, node_capacity;
    firn_height_field* fields;
    firn_local field_count, field_capacity;
    const firn_level_set** level_sets;  // each shared by counting
    firn_local level_set_count, level_set_capacity;
} firn_shapes;

#ifdef __cplusplus
extern "C" {
#endif

// Builders: check the arguments (sizes > 0, finite, normal not zero …), append a node and give its
// index, with which other nodes refer to it. Refused: `shapes` is unchanged, `error` says why.
firn_result firn_shapes_add(firn_shapes* shapes, const firn_shape_node* node, firn_local* out_shape,
                            firn_error* error);
// Heights from gradient noise: 1/2 in the mean, `scale` [m] per feature, `octaves` (1 to 16) layers
// of detail, sampled six times per smallest feature where 2048 values a side allow it. A function
// of the world's x and z: neighbouring fields of the same seed and height match.
firn_result firn_shapes_add_noise_field(firn_shapes* shapes, firn_vec3 origin, firn_vec3 size,
                                        firn_real scale, int octaves, uint64_t seed,
                                        firn_local* out_shape, firn_error* error);
// Heights from a PNG of any kind: black 0, white 1, colours by their luma, no gamma; the top left
// pixel at the origin corner, x to the right and z down the picture. Refused: under 2 or over
// FIRN_FIELD_SIDE_MAX pixels a side, over FIRN_FIELD_VALUES_MAX in all.
firn_result firn_shapes_add_png_field(firn_shapes* shapes, firn_vec3 origin, firn_vec3 size,
                                      const char* path, firn_local* out_shape, firn_error* error);
// How far a height field is solid below its origin.y [m]; 0 when made. As ground that snow lands on
// a field needs some cells of depth: where it is thinner, snow can pass.
firn_result firn_shapes_set_depth(firn_shapes* shapes, firn_local shape, firn_real depth,
                                  firn_error* error);
// A level set (meshes, .vdb files, words); takes a share of it.
firn_result firn_shapes_add_level_set(firn_shapes* shapes, const firn_level_set* set,
                                      firn_local* out_shape, firn_error* error);
// `out_copy` (overwritten, no need to initialise) owns its arrays. FIRN_BROKEN_MEMORY: it is empty.
firn_result firn_shapes_copy(const firn_shapes* shapes, firn_shapes* out_copy);
void firn_shapes_destroy(firn_shapes* shapes);  // frees the arrays, zeroes the struct

firn_real firn_shape_distance(const firn_shapes* shapes, firn_local shape, firn_vec3 x);
// Distance and unit gradient together; the gradient is analytic for primitives, taken from the
// active child for booleans; some unit vector where it is not defined (centre of a sphere).
// Both are re-entrant and allocate nothing. `x` must be finite.
firn_real firn_shape_sample(const firn_shapes* shapes, firn_local shape, firn_vec3 x,
                            firn_vec3* out_normal);
// A box that contains the shape: tight for primitives, never smaller for the rest.
firn_box3 firn_shape_bounds(const firn_shapes* shapes, firn_local shape);
// Volume by sampling `shape` on about `samples` stratified points of its bounds [m^3]; 0 for an
// empty shape, infinite for an unbounded one.
double firn_shape_volume(const firn_shapes* shapes, firn_local shape, int64_t samples);
// The same of the points that are at least `depth` [m] below the surface.
double firn_shape_volume_below(const firn_shapes* shapes, firn_local shape, double depth,
                               int64_t samples);

#ifdef __cplusplus
}
#endif
