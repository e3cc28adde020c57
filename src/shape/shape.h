// SPDX-License-Identifier: MIT
// Shapes as level sets: phi(x) < 0 inside, 0 on the surface, > 0 outside, |grad phi| = 1 (or a lower
// bound of the distance where an exact one has no closed form).
// Does: hold trees of analytic shapes in one flat array (copies to a GPU as it is), evaluate
// distance, gradient and bounds. Does not: move (collider.h), fill with particles (seeding.h).
#pragma once
#include "core/result.h"
#include "math/quat.h"

typedef enum firn_shape_kind {
    FIRN_SHAPE_PLANE,         // p = point, normal: the half space below
    FIRN_SHAPE_SPHERE,        // p = center, radius
    FIRN_SHAPE_BOX,           // p = center, half size, corner radius; rotation q
    FIRN_SHAPE_CAPSULE,       // p = a, b, radius
    FIRN_SHAPE_CYLINDER,      // p = a, b (centres of the end discs), radius, edge radius
    FIRN_SHAPE_CONE,          // p = a, b, radius at a, radius at b (0 for a tip)
    FIRN_SHAPE_WEDGE,         // p = center of base, width (x), height (y), depth (z): a prism with
                              //     its ridge up along z; rotation q
    FIRN_SHAPE_HEIGHT_FIELD,  // p = origin corner, size; field index in a: solid below the surface
    FIRN_SHAPE_UNION,         // a, b: children; p[0] = blend radius (0: sharp)
    FIRN_SHAPE_INTERSECTION,  // a, b
    FIRN_SHAPE_DIFFERENCE,    // a minus b
    FIRN_SHAPE_TRANSFORM      // a: child; p = translation, uniform scale; rotation q
} firn_shape_kind;

typedef struct firn_shape_node {
    int32_t kind;      // firn_shape_kind
    firn_local a, b;   // children (or field index in a), -1 for none; always smaller than own index
    firn_real p[12];   // parameters, see firn_shape_kind
    firn_quat q;       // rotation where the kind has one
} firn_shape_node;

// Heights over a rectangle, bilinear; row-major [nz][nx]; y = origin.y + size.y * value.
typedef struct firn_height_field {
    firn_local nx, nz;
    firn_real* value;  // owned; [nz][nx] in [0, 1]
} firn_height_field;

// All shapes of a scene. Owned arrays.
typedef struct firn_shapes {
    firn_shape_node* nodes;
    firn_local node_count, node_capacity;
    firn_height_field* fields;
    firn_local field_count, field_capacity;
} firn_shapes;

typedef struct firn_box3 {
    firn_vec3 low, high;  // low > high: empty; +-FIRN_REAL_MAX: unbounded
} firn_box3;

// Builders: check the arguments (sizes > 0, finite, normal not zero …), append a node and give its
// index, with which other nodes refer to it. Refused: `shapes` is unchanged, `error` says why.
firn_result firn_shapes_add(firn_shapes* shapes, const firn_shape_node* node, firn_local* out_shape,
                            firn_error* error);
// Heights from gradient noise (`scale` [m] per feature) or from a grey PNG (8 or 16 bit; black 0,
// white 1; refused over 16384 pixels a side).
firn_result firn_shapes_add_noise_field(firn_shapes* shapes, firn_vec3 origin, firn_vec3 size,
                                        firn_real scale, int octaves, uint64_t seed,
                                        firn_local* out_shape, firn_error* error);
firn_result firn_shapes_add_png_field(firn_shapes* shapes, firn_vec3 origin, firn_vec3 size,
                                      const char* path, firn_local* out_shape, firn_error* error);
void firn_shapes_destroy(firn_shapes* shapes);  // frees the arrays, zeroes the struct

firn_real firn_shape_distance(const firn_shapes* shapes, firn_local shape, firn_vec3 x);
// Distance and unit gradient together; the gradient is analytic for primitives, taken from the
// active child for booleans; any unit vector where it is not defined (centre of a sphere).
firn_real firn_shape_sample(const firn_shapes* shapes, firn_local shape, firn_vec3 x,
                            firn_vec3* out_normal);
firn_box3 firn_shape_bounds(const firn_shapes* shapes, firn_local shape);
// Volume by sampling `shape` on about `samples` stratified points of its bounds [m^3].
double firn_shape_volume(const firn_shapes* shapes, firn_local shape, int64_t samples);
