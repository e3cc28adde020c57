// SPDX-License-Identifier: MIT
// A wind field from a .vdb file: velocities on a dense grid, known where the file has values.
// Immutable once read, shared by counting.
#pragma once
#include "geometry/deform/velocity_grid.h"

typedef struct firn_velocity_volume {
    firn_velocity_grid grid;
    uint8_t* known;  // owned [nodes]: 0 where the file has no value
    int32_t users;   // atomic; velocity_volume.c
} firn_velocity_volume;

// `name` null: the grid "v", "vel" or "velocity", whichever there is. Voxels as in the file, or
// wider where that would be more than FIRN_VELOCITY_GRID_NODES_MAX. Refused: no such file or grid,
// values that are no vectors of three floats or not finite, an empty grid, a file that OpenVDB
// cannot read, a build without OpenVDB.
firn_result firn_velocity_volume_read(const char* path, const char* name,
                                      const firn_velocity_volume** out_volume, firn_error* error);
const firn_velocity_volume* firn_velocity_volume_share(const firn_velocity_volume* volume);
void firn_velocity_volume_release(const firn_velocity_volume* volume);  // null is fine
uint64_t firn_velocity_volume_hash(const firn_velocity_volume* volume);

// Trilinear; nodes that are not known, and all beyond the grid, have the velocity `outside`: the
// volume fades into it over one voxel. `x` must be finite.
firn_vec3 firn_velocity_volume_sample(const firn_velocity_volume* volume, firn_vec3 x,
                                      firn_vec3 outside);
