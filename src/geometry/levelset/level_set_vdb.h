// SPDX-License-Identifier: MIT
// What OpenVDB does for level sets, behind a C interface: meshes to distances, files. No exception
// leaves it. Results are "parts" for firn_level_set_adopt: `table` and `value` are owned by the
// caller, `bounds` and `users` are not set. `out_message` gets the reason of a failure.
#pragma once
#include "geometry/levelset/level_set.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FIRN_VDB_BAND 4                  // [voxels] outside a surface that get values
#define FIRN_VDB_VOXELS_MAX 536870912.0  // of a surface's box, all of which may be inside: 4 GB

// The surface of a solid. Distances (in float) at the nodes, whole multiples of `voxel`, from
// FIRN_VDB_BAND outside to the innermost: exact within a voxel of the surface, farther away at some
// nodes up to a voxel too large.
typedef struct firn_vdb_mesh {
    const firn_vec3* vertices;      // borrowed [m]
    const int32_t (*triangles)[3];  // borrowed
    firn_local vertex_count, triangle_count;
} firn_vdb_mesh;
firn_result firn_vdb_from_mesh(const firn_vdb_mesh* mesh, double voxel, firn_level_set* out_parts,
                               char* out_message, size_t message_size);

// Distances to the surface phi = 0 of `set`, whose own values need not be distances away from it.
firn_result firn_vdb_rebuild(const firn_level_set* set, firn_level_set* out_parts,
                             char* out_message, size_t message_size);

// A grid of a .vdb file, as firn_level_set_from_vdb says. FIRN_REFUSED_SCENE: the file is sound,
// but has no such grid, or one of another type.
firn_result firn_vdb_read(const char* path, const char* grid, firn_level_set* out_parts,
                          char* out_message, size_t message_size);
// The same without the result, cheaper: the distances are not computed.
firn_result firn_vdb_check_surface(const char* path, const char* grid, char* out_message,
                                   size_t message_size);

// How a grid is written, for tests: class and turn are what readers must cope with.
typedef struct firn_vdb_write_args {
    const char* name;
    bool is_fog;       // class "fog volume" instead of "level set"
    bool is_narrow;    // values below -3 voxels are cut, as other programs do
    double turn_deg;   // about the y axis
    double stretch;    // of the x axis; 1: uniform
    double steepness;  // factor on the values; 1: distances
} firn_vdb_write_args;
// Writes `count` grids (not atomically) with the nodes of `set`.
firn_result firn_vdb_write_sets(const char* path, const firn_level_set* set,
                                const firn_vdb_write_args* grids, int count, char* out_message,
                                size_t message_size);

#ifdef __cplusplus
}
#endif
