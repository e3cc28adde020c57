// SPDX-License-Identifier: MIT
// Counts or lists the intersecting pairs of triangles of a mesh.
#pragma once
#include "mesh/mesh.h"

#define FIRN_MESH_CUTS_MAX 1000000  // counting stops here: in the worst case all pairs intersect

// Pairs by firn_triangles_cut, without degenerate triangles. The same for any number of threads.
// Vertices at the same position must be welded (mesh/topology/weld.h). FIRN_BROKEN_MEMORY is the
// only failure.
firn_result firn_mesh_count_cuts(const firn_mesh* mesh, firn_local* out_count);
// The pairs themselves, of a mesh that has fewer than FIRN_MESH_CUTS_MAX; owned by the caller, null
// if there are none.
firn_result firn_mesh_list_cuts(const firn_mesh* mesh, firn_local (**out_pairs)[2],
                                firn_local* out_count);
