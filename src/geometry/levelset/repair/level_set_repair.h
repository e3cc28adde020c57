// SPDX-License-Identifier: MIT
// Inside and outside of a mesh by its winding number (Jacobson et al. 2013).
#pragma once
#include "geometry/levelset/level_set.h"
#include "mesh/spatial/winding.h"

// phi of the solid inside a broken mesh, correct near its surface only (|phi| <= 3 voxels): points
// with a winding number above 0.5 are inside; holes are closed by the isosurface 0.5. `sign` is 1,
// or -1 for a mesh that is inside out. Input of firn_vdb_rebuild, owned by the caller. For meshes
// with holes; level_set_union.h has those that only cut themselves.
firn_result firn_level_set_repair(const firn_winding* winding, firn_box3 box, double voxel,
                                  double sign, firn_level_set* out_parts, firn_error* error);

// Flips the sign of values inside where the winding number is 0: cavities, which a flood fill from
// the outside cannot distinguish from the solid. For a set that is not shared yet; its bounds stay.
void firn_level_set_hollow(const firn_winding* winding, double sign, firn_level_set* set);
