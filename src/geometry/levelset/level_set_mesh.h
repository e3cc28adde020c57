// SPDX-License-Identifier: MIT
// Level sets of meshes and from .vdb files, made with OpenVDB. Those of meshes are kept in a folder
// of the user's ($FIRN_CACHE, else $XDG_CACHE_HOME/firn, else ~/.cache/firn; FIRN_CACHE=off: none),
// by a hash of everything they depend on; a damaged or foreign file there is made again, and a
// folder that cannot be written is no error.
#pragma once
#include "geometry/levelset/level_set.h"
#include "mesh/topology/mesh_inspect.h"

// What to do with a mesh that is open, inside out in places or cuts itself.
typedef enum firn_broken_mesh {
    FIRN_BROKEN_MESH_REFUSE,
    FIRN_BROKEN_MESH_MEND  // inside is where the surface winds around a point more than half
} firn_broken_mesh;

// A voxel for a mesh of this box [m]: a hundred along its largest side, more when its smallest side
// would else have less than four, at most four hundred.
firn_real firn_level_set_voxel_for(firn_box3 box);

typedef struct firn_mesh_level_set_args {
    firn_real voxel;  // [m]
    firn_broken_mesh broken;
    bool keep;  // in the user's folder
} firn_mesh_level_set_args;

// `out_report` (may be null) tells what is wrong with the mesh, also when it was mended.
// FIRN_REFUSED_SCENE: broken and to be refused, or thinner than two voxels; FIRN_REFUSED_BACKEND:
// built without OpenVDB. A mesh that is inside out as a whole is turned.
firn_result firn_level_set_from_mesh(const firn_mesh* mesh, const firn_mesh_level_set_args* args,
                                     const firn_level_set** out_set, firn_mesh_report* out_report,
                                     firn_error* error);
// A level set grid (class "level set", or any float grid named) of a .vdb file; `grid` null: the
// only or first one of that class. Outside the file's narrow band phi is its background; its inside
// is filled. Of a grid that is turned or not evenly scaled, or whose values are no distances, the
// surface alone is taken and the distances made anew. Refused: FIRN_REFUSED_IO, the file cannot be
// read or is damaged; FIRN_REFUSED_SCENE, no such grid or no level set: `error` lists the grids.
firn_result firn_level_set_from_vdb(const char* path, const char* grid,
                                    const firn_level_set** out_set, firn_error* error);
