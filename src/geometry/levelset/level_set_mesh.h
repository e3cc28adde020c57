// SPDX-License-Identifier: MIT
// Level sets from meshes and from .vdb files (which need OpenVDB). Those of meshes are cached in a
// folder of the user ($FIRN_CACHE, else $XDG_CACHE_HOME/firn, else ~/.cache/firn; FIRN_CACHE=off:
// no cache) under a hash of everything they depend on. A damaged cache file is rebuilt, and a
// folder that is not writable is no error.
#pragma once
#include "geometry/levelset/level_set.h"
#include "mesh/topology/mesh_inspect.h"

// What to do with a mesh that is open, inconsistently wound or self-intersecting.
typedef enum firn_broken_mesh {
    FIRN_BROKEN_MESH_REFUSE,
    FIRN_BROKEN_MESH_REPAIR  // inside is where the winding number is above 0.5
} firn_broken_mesh;

// Voxel size for a mesh with this bounding box [m]: 100 voxels along the longest side, up to 400 if
// the shortest side would otherwise have fewer than four.
firn_real firn_level_set_voxel_for(firn_box3 box);

typedef struct firn_mesh_level_set_args {
    firn_real voxel;  // [m]
    firn_broken_mesh broken;
    bool keep;  // in the cache
} firn_mesh_level_set_args;

// How much the winding number leaves open: of the points of the mesh's box that may be inside
// (winding number above 1/4), the share for which it is not certain (below 3/4). A closed mesh has
// 0, one with small holes little, a bowl more than half, a sheet all.
firn_result firn_mesh_undecided(const firn_mesh* mesh, double* out_share, firn_error* error);

// `out_report` (may be null) lists the defects of the mesh, also when it was repaired.
// FIRN_REFUSED_SCENE: broken and to be refused, or thinner than two voxels. A mesh that is inside
// out as a whole is flipped.
firn_result firn_level_set_from_mesh(const firn_mesh* mesh, const firn_mesh_level_set_args* args,
                                     const firn_level_set** out_set, firn_mesh_report* out_report,
                                     firn_error* error);
// A level set grid (class "level set", or any float grid named) of a .vdb file; `grid` null: the
// first one of that class. Outside the narrow band of the file phi is its background value; the
// interior is filled. If the grid is rotated or scaled non-uniformly, or its values are not
// distances, only its surface is used and the distances are recomputed. FIRN_REFUSED_IO: the file
// cannot be read or is damaged; FIRN_REFUSED_SCENE: no such grid or no level set: `error` lists the
// grids; FIRN_REFUSED_BACKEND: built without OpenVDB.
firn_result firn_level_set_from_vdb(const char* path, const char* grid,
                                    const firn_level_set** out_set, firn_error* error);
