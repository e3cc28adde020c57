// SPDX-License-Identifier: MIT
// Do two triangles cut through each other? Answered exactly (mesh/topology/exact_predicates.h).
#pragma once
#include "mesh/mesh.h"

bool firn_triangle_is_flat(firn_vec3 a, firn_vec3 b, firn_vec3 c);  // corners on a line, or fewer
// For triangles that are not flat; corners with the same index are one. True when they
//   - pass through each other along a line of any length,
//   - lie in one plane and overlap with an area, or
//   - one stands with an edge on the inner side of the other: on the outer side, solids touch.
// False when they only touch: at a point, along both of their edges, along an edge from outside.
bool firn_triangles_cut(const firn_vec3* vertices, const int32_t a[3], const int32_t b[3]);
