// SPDX-License-Identifier: MIT
// Triangles along a space-filling curve: those that are close in the list are close in space, so
// that cutting the list in halves makes a tree.
#pragma once
#include "core/result.h"
#include "mesh/mesh.h"

// out_order: [triangle_count], a permutation. FIRN_BROKEN_MEMORY is the only failure.
firn_result firn_triangle_order(const firn_mesh* mesh, firn_local* out_order);
