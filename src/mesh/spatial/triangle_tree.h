// SPDX-License-Identifier: MIT
// The triangle of a mesh that is nearest to a point: a tree of boxes over triangles along a
// space-filling curve. Exact; of several at the same distance the one with the smallest number, so
// that an answer depends on nothing but the point.
#pragma once
#include "mesh/mesh.h"
#include "mesh/spatial/nearest_triangle.h"

typedef struct firn_triangle_tree firn_triangle_tree;  // opaque, constant once made: any thread

// `mesh` is borrowed until destroy; it has at least one triangle. FIRN_BROKEN_MEMORY is the only
// failure.
firn_result firn_triangle_tree_create(const firn_mesh* mesh, firn_triangle_tree** out_tree,
                                      firn_error* error);
void firn_triangle_tree_destroy(firn_triangle_tree* tree);  // null is fine
// `guess`: a triangle that may be near, which saves work; -1: none.
firn_nearest firn_triangle_tree_nearest(const firn_triangle_tree* tree, firn_vec3 x, int32_t guess,
                                        int32_t* out_triangle);
// Triangles within `reach` [m] of x, and perhaps a few more, in any order: the count, or -1 if
// there are more than `capacity`.
int firn_triangle_tree_within(const firn_triangle_tree* tree, firn_vec3 x, double reach,
                              int capacity, int32_t* out_triangles);
