// SPDX-License-Identifier: MIT
// Velocities from .vdb files, behind a C interface over OpenVDB. No exception leaves it.
#pragma once
#include "geometry/deform/velocity_grid.h"

#ifdef __cplusplus
extern "C" {
#endif

// Samples the vector grid `name` (null: the first of "v", "vel", "velocity" that there is) at the
// nodes of `grid`, trilinear. `out_known[n]` is 1 where the file has values around node n, else 0.
// *out_found is false, and nothing else is written, when `name` is null and there is none of them.
// FIRN_REFUSED_SCENE: no grid of that name, or its values are no vectors of three floats.
firn_result firn_vdb_velocities(const char* path, const char* name, firn_velocity_grid* grid,
                                uint8_t* out_known, bool* out_found, char* out_message,
                                size_t message_size);

// Reads such a grid and refuses what firn_vdb_velocities would refuse. None of a usual name is
// fine.
firn_result firn_vdb_check_velocities(const char* path, const char* name, char* out_message,
                                      size_t message_size);

// Where the values of such a grid lie [m], in world coordinates, and the shortest edge of its
// voxels. Refused as above, and when the grid is empty.
firn_result firn_vdb_velocity_box(const char* path, const char* name, firn_box3* out_box,
                                  firn_real* out_voxel, bool* out_found, char* out_message,
                                  size_t message_size);

// Adds the values of `grid` to a .vdb file, for tests: its other grids stay.
firn_result firn_vdb_add_velocities(const char* path, const char* name,
                                    const firn_velocity_grid* grid, char* out_message,
                                    size_t message_size);

#ifdef __cplusplus
}
#endif
