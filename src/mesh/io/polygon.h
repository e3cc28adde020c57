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
} firn_polygon;

void firn_polygon_destroy(firn_polygon* polygon);
// False when memory is out.
bool firn_polygon_add(firn_polygon* polygon, int32_t vertex);
// Adds count - 2 triangles to the mesh, which holds the vertices, and empties the polygon (fewer
// than three corners: none). Triangles have the winding of the polygon and cover it once, if it is
// flat and its edges do not cross; else they are a best effort. False when memory is out or the
// mesh is full. At most FIRN_POLYGON_CORNERS_MAX corners.
bool firn_polygon_cut(firn_polygon* polygon, firn_mesh* mesh);
