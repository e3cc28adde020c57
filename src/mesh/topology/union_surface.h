// SPDX-License-Identifier: MIT
// The surface of the solid that a mesh without rims encloses, where it may cut itself: the parts of
// its triangles that have the solid (winding number 1 or more) on one side only. What lies inside,
// as of two limbs that meet in a joint, is left out.
#pragma once
#include "mesh/mesh.h"
#include "mesh/spatial/line_winding.h"

typedef struct firn_union_surface_args {
    const firn_line_winding* winding;  // of the mesh
    double sign;                       // 1; -1: the mesh is inside out
    double finest;   // [m] Triangles that are cut are divided along the cut into fragments with
                     //     edges of at most this: whole ones, so that the surface ends or begins up
                     //     to two such edges from where it should; exact elsewhere
    double largest;  // [m] longest edge of any fragment
} firn_union_surface_args;

// `mesh`: vertices at the same position are one (mesh/topology/weld.h). `out_facets` has the
// fragments, in order of the triangles, none with shared vertices; empty if nothing is enclosed.
// The mesh has fewer than FIRN_MESH_CUTS_MAX pairs of triangles that cut each other.
firn_result firn_union_surface(const firn_mesh* mesh, const firn_union_surface_args* args,
                               firn_mesh* out_facets, firn_error* error);
