// SPDX-License-Identifier: MIT
// Winding numbers of a mesh without rims (each edge is traversed as often in one direction as in
// the other), by counting the triangles that a line along x crosses (line_crossing.h). Exact: an
// integer at every point that is not within rounding of a triangle. Faster than winding.h, which
// is for any soup of triangles.
#pragma once
#include "core/result.h"
#include "mesh/mesh.h"

typedef struct firn_line_winding
    firn_line_winding;  // opaque, constant once made: use from any thread

// `mesh` is borrowed until destroy. FIRN_BROKEN_MEMORY is the only failure.
firn_result firn_line_winding_create(const firn_mesh* mesh, firn_line_winding** out_winding,
                                     firn_error* error);
void firn_line_winding_destroy(firn_line_winding* winding);  // null is fine
// At the points (x[i], y, z), i < count, x in ascending order.
void firn_line_winding_number(const firn_line_winding* winding, const double* x, int count,
                              double y, double z, int* out_number);
