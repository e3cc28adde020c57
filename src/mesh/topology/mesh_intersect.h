// SPDX-License-Identifier: MIT
// How many pairs of a mesh's triangles cut through each other?
#pragma once
#include "mesh/mesh.h"

#define FIRN_MESH_CUTS_MAX 1000000  // counting stops here: in the worst case all pairs cut

// Pairs as firn_triangles_cut tells them, flat triangles left out. The same for any number of
// threads. Vertices at the same place must be one (mesh/topology/weld.h). FIRN_BROKEN_MEMORY is the
// only failure.
firn_result firn_mesh_count_cuts(const firn_mesh* mesh, firn_local* out_count);
