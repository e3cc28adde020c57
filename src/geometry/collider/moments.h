// SPDX-License-Identifier: MIT
// Volume, centre and second moments of solids, by formula.
#pragma once
#include "geometry/sdf/shape.h"

// Integrals of 1, x and x x^T over a solid (symmetric: xx, yy, zz, xy, xz, yz), about the origin of
// its coordinates.
typedef struct firn_moments {
    double volume, first[3], second[6];
} firn_moments;

#ifdef __cplusplus
extern "C" {
#endif

// Spheres, boxes, capsules, cylinders, cones and wedges with sharp edges, moved by transforms.
// False: the shape is something else.
bool firn_shape_moments(const firn_shapes* shapes, firn_local shape, firn_moments* out_moments);

#ifdef __cplusplus
}
#endif
