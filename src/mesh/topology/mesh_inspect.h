// SPDX-License-Identifier: MIT
// Is a mesh the surface of a solid? Vertices at the same position count as one (STL repeats them).
#pragma once
#include "mesh/mesh.h"

typedef struct firn_mesh_report {
    firn_local open_edges;      // of one triangle only: the rim of a hole
    firn_local crowded_edges;   // belong to more than two triangles, not as many in each direction
                                //     (solids that touch along an edge are sound)
    firn_local flipped_edges;   // both triangles traverse it in the same direction: one of
                                //     them is inside out
    firn_local flat_triangles;  // without area (two corners coincide, or all are collinear)
    firn_local
        intersections;  // pairs of triangles that intersect or overlap;
                        //     counted up to FIRN_MESH_CUTS_MAX (mesh/topology/mesh_intersect.h)
    double volume;      // signed [m^3]; exact when the mesh is sound
    bool inside_out;    // volume < 0
} firn_mesh_report;

// FIRN_BROKEN_MEMORY is the only failure.
firn_result firn_mesh_inspect(const firn_mesh* mesh, firn_mesh_report* out_report,
                              firn_error* error);
// Closed, oriented, not cutting itself. Inside out and flat triangles do no harm.
bool firn_mesh_is_sound(const firn_mesh_report* report);
// "12 open edges, 3 pairs of triangles cut each other" for messages; "" when sound.
void firn_mesh_report_text(const firn_mesh_report* report, char* out_text, size_t size);
