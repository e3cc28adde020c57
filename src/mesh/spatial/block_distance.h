// SPDX-License-Identifier: MIT
// Distances of the nodes of a block of 8x8x8 from the nearest of many triangles, all nodes at once:
// many times as fast as a search of the tree for each of them.
#pragma once
#include "mesh/spatial/prepared_triangle.h"
#include "mesh/spatial/triangle_tree.h"

#define FIRN_BLOCK_EDGE 8
#define FIRN_BLOCK_NODES 512

typedef struct firn_block_search {
    const firn_triangle_tree* tree;
    const firn_prepared_triangle* triangles;  // of the tree's mesh
    const firn_vec3* x;     // [z 8][y 8][x 8] nodes of a regular grid along the axes
    double spacing;         // [m] between them
    double limit;           // [m] A larger distance may become any value above it,
    const bool* unlimited;  //     but not at these nodes; [512], null: none
} firn_block_search;

// `out_distance`: [512] [m], exact but for rounding. From any thread.
void firn_block_distance(const firn_block_search* search, double* out_distance);
