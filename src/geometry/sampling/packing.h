// SPDX-License-Identifier: MIT
// Filling a shape with spheres that lie as a random heap of them does: no lattice whose planes a
// fracture could follow. A tile of such a packing is made once and repeated, its period
// nine spheres.
#pragma once
#include "geometry/sampling/seeding.h"

#define FIRN_PACKING_DENSITY 1.2223  // spheres per cube of their diameter: 0.64 of it, just jammed
#define FIRN_PACKING_INSIDE 0.95     // [radii] minimum depth of a centre in the shape

// Appends the centres of spheres of this diameter [m] that lie in the shape, but for a twentieth of
// their radius. The same on any machine and number of threads. Refused as firn_seed_shape; `points`
// as before.
firn_result firn_pack_shape(const firn_shapes* shapes, firn_local shape, firn_real diameter,
                            firn_points* points, firn_error* error);
// Refuses what firn_pack_shape would refuse before it places a sphere.
firn_result firn_pack_check(const firn_shapes* shapes, firn_local shape, firn_real diameter,
                            firn_error* error);
