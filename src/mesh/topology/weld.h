// SPDX-License-Identifier: MIT
// Welds vertices at exactly the same position; moves none.
#pragma once
#include "mesh/mesh.h"

// Finds vertices of one mesh by position. Starts as {0}.
typedef struct firn_welder {
    int32_t* slots;       // owned; [slot_count] vertex + 1, 0: free
    uint32_t slot_count;  // 0, or a power of two more than twice the number of vertices
} firn_welder;

void firn_welder_destroy(firn_welder* welder);
// The vertex of `mesh` at x; adds one when there is none. All vertices of the mesh must have come
// through the same welder. False when memory is out or the mesh is full.
bool firn_welder_add(firn_welder* welder, firn_mesh* mesh, firn_vec3 x, int32_t* out_vertex);
// A copy with welded vertices and the same triangles. FIRN_BROKEN_MEMORY: it is empty.
firn_result firn_mesh_weld(const firn_mesh* mesh, firn_mesh* out_welded);
