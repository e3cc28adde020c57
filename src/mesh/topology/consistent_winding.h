// SPDX-License-Identifier: MIT
// Triangles that are flipped to match their neighbours.
#pragma once
#include "mesh/mesh.h"

// Turns triangles so that two that share an edge run along it in opposite directions, as those of a
// solid do. In each connected component the smaller part by area is turned. Edges of more than two
// triangles connect nothing; a strip that cannot be oriented (Moebius) keeps some mistakes.
// `out_mesh` is overwritten: the same vertices and triangles, with some turned. FIRN_BROKEN_MEMORY
// is the only failure; it is then empty.
firn_result firn_mesh_make_winding_consistent(const firn_mesh* mesh, firn_mesh* out_mesh,
                                              firn_error* error);
