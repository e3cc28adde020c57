// SPDX-License-Identifier: MIT
// How often a surface winds around a point: 1 inside a closed one, 0 outside, between the two near
// holes, 2 where two bodies overlap. Defined for any soup of triangles, which makes it the test for
// "inside" when a mesh is broken (Jacobson et al. 2013, "Robust inside-outside segmentation using
// generalized winding numbers"). Also the distance to the nearest triangle, from the same tree.
#pragma once
#include "core/result.h"
#include "mesh/mesh.h"

typedef struct firn_winding firn_winding;  // opaque, constant once made: use from any thread

// `mesh` is not needed afterwards. FIRN_BROKEN_MEMORY is the only failure.
firn_result firn_winding_create(const firn_mesh* mesh, firn_winding** out_winding,
                                firn_error* error);
void firn_winding_destroy(firn_winding* winding);  // null is fine
// To within 0.005 of the sum over all triangles.
double firn_winding_number(const firn_winding* winding, const double x[3]);
// Distance to the nearest triangle [m], or `limit` when that is smaller.
double firn_winding_distance(const firn_winding* winding, const double x[3], double limit);
