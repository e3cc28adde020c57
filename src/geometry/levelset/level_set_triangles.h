// SPDX-License-Identifier: MIT
// Level sets of triangles without OpenVDB: exact distances to the nearest triangle at the nodes,
// whole multiples of the voxel, from FIRN_VDB_BAND voxels outside to the innermost; inside is where
// the winding number is above 1/2.
#pragma once
#include "geometry/levelset/level_set.h"
#include "mesh/mesh.h"

// `mesh` is closed and does not cut itself; with hollows, if their walls are wound the other way.
// `sign` is 1, or -1 for a mesh that is inside out. FIRN_REFUSED_ARGUMENT: nothing is inside, or
// too many voxels.
firn_result firn_level_set_from_triangles(const firn_mesh* mesh, double voxel, double sign,
                                          const firn_level_set** out_set, firn_error* error);

// Distances to the surface phi = 0 of the blocks of firn_level_set_repair, which are borrowed.
// FIRN_REFUSED_SCENE: there is no such surface, or its box is too large.
firn_result firn_level_set_from_surface(const firn_level_set* parts, const firn_level_set** out_set,
                                        firn_error* error);
