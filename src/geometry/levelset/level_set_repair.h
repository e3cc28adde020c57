// SPDX-License-Identifier: MIT
// What is inside a mesh, by its winding number instead of by its looks.
#pragma once
#include "geometry/levelset/level_set.h"
#include "mesh/spatial/winding.h"

// phi of the body inside a broken mesh, right near its surface only (|phi| <= 3 voxels): what winds
// more than half way around a point contains it; a hole is closed where it winds exactly half way.
// `way` is 1, or -1 for a mesh that is inside out. Parts for firn_vdb_rebuild, owned by the caller.
firn_result firn_level_set_mend(const firn_winding* winding, firn_box3 box, double voxel,
                                double way, firn_level_set* out_parts, firn_error* error);

// Turns the sign of values inside where the mesh does not wind around the node: hollows, which
// cannot be told from the solid around them by asking what is cut off from the outside.
// For a set that is not shared yet; its bounds stay.
void firn_level_set_hollow(const firn_winding* winding, double way, firn_level_set* set);
