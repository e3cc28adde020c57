// SPDX-License-Identifier: MIT
// Normals at the corners of triangles, for pictures: soft edges look round, hard ones stay sharp.
#pragma once
#include "mesh/mesh.h"

// For each corner the mean normal of those triangles around its vertex whose own normals differ
// from this triangle's by less than the angle with this cosine, weighted by their angles there.
// Unit vectors; (0, 0, 0) for a triangle without area. `out_normals` [3 * triangle_count].
firn_result firn_mesh_corner_normals(const firn_mesh* mesh, double cosine, float (*out_normals)[3],
                                     firn_error* error);
