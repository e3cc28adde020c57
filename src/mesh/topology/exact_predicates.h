// SPDX-License-Identifier: MIT
// Exact orientation predicates for floating-point coordinates: rounding cannot make touching
// triangles intersect, or a straight corner convex.
#pragma once
#include "math/vec3.h"

// -1, 0, 1: the sign of the area of the triangle a b c, positive when it runs counter-clockwise.
int firn_orient2(const double a[2], const double b[2], const double c[2]);
// The sign of the volume of the tetrahedron: positive when d lies on the side from which a b c runs
// counter-clockwise.
int firn_orient3(firn_vec3 a, firn_vec3 b, firn_vec3 c, firn_vec3 d);
