// SPDX-License-Identifier: MIT
// Cutting the polygons of a mesh file into triangles, concave ones too.
#pragma once
#include "mesh/mesh.h"

#define FIRN_POLYGON_CORNERS_MAX 16384  // the work grows with the square

// One polygon at a time; the arrays are reused for the next.
typedef struct firn_polygon {
    int32_t* corners;  // owned; vertex indices in order
    firn_local count, capacity;
    struct firn_polygon_corner* ring;  // owned
    firn_local ring_capacity;
    double work;  // of all polygons so far: the sum of their squared numbers of corners
} firn_polygon;

void firn_polygon_destroy(firn_polygon* polygon);
// False when memory is out.
bool firn_polygon_add(firn_polygon* polygon, int32_t vertex);
// True if cutting this polygon, after those before it, takes about a second at most for each MB of
// the file, or is the work of one polygon of the largest size. Counts it; call it once for each.
bool firn_polygon_is_affordable(firn_polygon* polygon, size_t file_bytes);
#define FIRN_POLYGON_TOO_MUCH_WORK \
    "faces of so many corners take too long: cut them into smaller ones, or into triangles"
// Adds count - 2 triangles to the mesh, which holds the vertices, and empties the polygon (fewer
// than three corners: none). Triangles have the winding of the polygon and cover it once, if it is
// flat and its edges do not cross; else they are a best effort. False when memory is out or the
// mesh is full. At most FIRN_POLYGON_CORNERS_MAX corners.
bool firn_polygon_cut(firn_polygon* polygon, firn_mesh* mesh);
