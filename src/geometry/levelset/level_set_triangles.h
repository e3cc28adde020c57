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

// Signed distances to such a mesh, block by block.
typedef struct firn_triangle_solid {
    struct firn_triangle_tree* tree;  // owned
    struct firn_winding* winding;     // owned
    double sign;
    double together;  // [m] neighbours whose distances sum to more are on the same side
} firn_triangle_solid;

// `mesh` has a triangle and is borrowed until close; `voxel` [m] between the nodes of a block.
// FIRN_BROKEN_MEMORY is the only failure; close also then.
firn_result firn_triangle_solid_open(const firn_mesh* mesh, double voxel, double sign,
                                     firn_triangle_solid* out_solid, firn_error* error);
void firn_triangle_solid_close(firn_triangle_solid* solid);
// phi at the nodes x of a block of 8x8x8, [512], along the axes in any order. From any thread.
// Where |phi| exceeds `limit` [m], a value between `limit` and |phi| may take its place.
void firn_triangle_solid_fill(const firn_triangle_solid* solid, const firn_vec3* x, double limit,
                              firn_real* out_phi);

// Distances to the surface phi = 0 of the blocks of firn_level_set_repair, which are borrowed.
// FIRN_REFUSED_SCENE: there is no such surface, or its box is too large.
firn_result firn_level_set_from_surface(const firn_level_set* parts, const firn_level_set** out_set,
                                        firn_error* error);
