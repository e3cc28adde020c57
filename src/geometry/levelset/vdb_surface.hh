// SPDX-License-Identifier: MIT
// How much a surface in a grid amounts to, found before OpenVDB converts it.
#pragma once
#include <openvdb/openvdb.h>

#include <vector>

namespace firn_vdb {

// Edges between voxels whose values differ in sign, in leaves and around active tiles: an upper
// bound of the quads of the surface. The box of all active voxels must be bounded.
double count_crossings(const openvdb::FloatGrid& grid);

// Leaves of 8^3 voxels that lie within `band` voxels of the quads or are enclosed by them: an upper
// bound of the leaves of the level set that they become. `points` are in its index space.
double count_blocks(const std::vector<openvdb::Vec3s>& points,
                    const std::vector<openvdb::Vec4I>& quads, double band);

}  // namespace firn_vdb
