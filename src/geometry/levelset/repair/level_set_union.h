// SPDX-License-Identifier: MIT
// Level sets of meshes without rims that may cut themselves, as those of figures that move: the
// solid is where the winding number is 1 or more.
#pragma once
#include "geometry/levelset/level_set.h"
#include "mesh/mesh.h"

// Each edge of `mesh` is traversed as often in one direction as in the other. `sign` is 1, or -1
// for a mesh that is inside out. Distances at the nodes, whole multiples of `voxel`, from
// FIRN_VDB_BAND voxels outside to the innermost, exact but for rounding; where the surface cuts
// itself, its rims are half a voxel off at most.
// FIRN_REFUSED_SCENE: nothing is inside.
firn_result firn_level_set_from_union(const firn_mesh* mesh, double voxel, double sign,
                                      const firn_level_set** out_set, firn_error* error);
