// SPDX-License-Identifier: MIT
// The triangle of a mesh that is nearest to each node of a regular grid, for all nodes at once.
// Within `near` of the surface it is the nearest of all (of several at the same distance the one
// with the smallest number, as in triangle_tree.h); farther away the nearest of those that the
// nodes around it have, which is the nearest of all or about as near, and needs no search.
#pragma once
#include "mesh/mesh.h"

typedef struct firn_nearest_grid {
    firn_vec3 origin;   // [m] of node (0, 0, 0)
    firn_real spacing;  // [m]
    int32_t size[3];    // nodes along x, y, z; fewer than 2^31 in all
    firn_real near;     // [m]
} firn_nearest_grid;

// `out_triangle` [size z][size y][size x]: numbers of triangles, or -1 everywhere if the mesh is
// nowhere within `near` of a node. FIRN_BROKEN_MEMORY is the only failure.
firn_result firn_nearest_on_grid(const firn_mesh* mesh, const firn_nearest_grid* grid,
                                 int32_t* out_triangle, firn_error* error);
