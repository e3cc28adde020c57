// SPDX-License-Identifier: MIT
// Triangles of an isosurface in a cell of a grid, by which of its corners are inside (Lorensen and
// Cline 1987, "Marching cubes"), in a form that always gives closed meshes.
//
// Corner c of a cell is at (c & 1, c >> 1 & 1, c >> 2 & 1). The surface crosses an edge of the cell
// if one end is inside; the crossing is a vertex. On each face the crossings are joined by segments
// that cut off each run of inside corners: both cells of a face draw the same segments. The
// segments of a cell form loops, and a loop is split into triangles without a diagonal between two
// crossings of one face. So each edge of the mesh belongs to exactly two triangles, and the
// triangles around a vertex form one fan.
#pragma once
#include "firn/types.h"

#define FIRN_CUBE_EDGES 12
#define FIRN_CUBE_TRIANGLES 5

typedef struct firn_cubes {
    uint8_t count[256];                          // triangles, by the bits of inside corners
    uint8_t edge[256][FIRN_CUBE_TRIANGLES * 3];  // counter-clockwise seen from outside
} firn_cubes;

// Edge k runs along axis k / 4 from this corner.
int firn_cube_edge_corner(int edge);
void firn_cubes_make(firn_cubes* out_cubes);
