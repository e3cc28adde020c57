// SPDX-License-Identifier: MIT
// Sample points of a shape's surface for contact between colliders: the extreme points along the
// main directions, so that a box has its corners, then points far from those.
#pragma once
#include "geometry/sdf/shape.h"

#define FIRN_CONTACT_POINTS_MAX 64

#ifdef __cplusplus
extern "C" {
#endif

// Points in the shape's own coordinates [m]; the same for the same shape, always. No point of the
// surface is farther than about a quarter of the shape's size from one of them.
// FIRN_REFUSED_ARGUMENT: the shape is unbounded or has no surface. FIRN_BROKEN_MEMORY.
firn_result firn_shape_contact_points(const firn_shapes* shapes, firn_local shape,
                                      firn_vec3 out_points[FIRN_CONTACT_POINTS_MAX],
                                      firn_local* out_count);

#ifdef __cplusplus
}
#endif
