// SPDX-License-Identifier: MIT
// Particles sorted by cells, to find the nearest one to a point.
#pragma once
#include "core/result.h"
#include "math/vec3.h"

typedef struct firn_glint_cells {
    firn_local* list;  // owned; [count] particles by cell; allocated and filled by the caller
    uint64_t* keys;    // owned; [count] cells, ascending
    firn_local count;
    double cell;  // [m]
} firn_glint_cells;

// Sorts `list`. `cell`: how far particles are looked for.
firn_result firn_glint_cells_sort(firn_glint_cells* cells, const firn_vec3* x, firn_local count,
                                  double cell);
void firn_glint_cells_destroy(firn_glint_cells* cells);
// The nearest of the particles in the 27 cells around p, of equally near ones the first; -1: none.
firn_local firn_glint_cells_nearest(const firn_glint_cells* cells, const firn_vec3* x, firn_vec3 p);
