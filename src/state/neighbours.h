// SPDX-License-Identifier: MIT
// Neighbour search: particles sorted into cubic cells as wide as the search radius, so that all
// neighbours of a particle are in its cell and the 26 cells around it.
#pragma once
#include "core/result.h"
#include "core/sort_keys.h"

typedef struct firn_neighbours {
    double radius;            // [m] edge of a cell
    firn_vec3* x;             // owned; [count] positions, cell by cell
    const firn_local* order;  // borrowed from `sort`; null: identity. x[k] is particle order[k]
    firn_local cell_count;    // occupied cells
    uint64_t* keys;           // owned; [cell_count], ascending
    firn_local* begin;        // owned; [cell_count + 1]: cell c holds x[begin[c] .. begin[c + 1])
    firn_key_sort sort;       // owned
    firn_local capacity, cell_capacity;
} firn_neighbours;

// Cells are contiguous along z in memory, so nine runs contain all 27.
typedef struct firn_neighbour_runs {
    int count;
    firn_local begin[9], end[9];
} firn_neighbour_runs;

// Positions must be finite. FIRN_BROKEN_MEMORY: nothing was allocated.
firn_result firn_neighbours_create(const firn_vec3* x, firn_local count, double radius,
                                   firn_neighbours* out_neighbours);
void firn_neighbours_destroy(firn_neighbours* neighbours);
// Rebuilds for new positions in existing memory; allocates only to grow. Initialise with zeros.
// FIRN_BROKEN_MEMORY: destroy it or update it again.
firn_result firn_neighbours_update(firn_neighbours* neighbours, const firn_vec3* x,
                                   firn_local count, double radius);
// Reserves for `count` particles in any arrangement, so that updates of as many allocate nothing.
// FIRN_BROKEN_MEMORY as above.
firn_result firn_neighbours_reserve(firn_neighbours* neighbours, firn_local count);
// Get the runs that contain everything within the radius of the particles of cell `cell`.
firn_neighbour_runs firn_neighbours_of_cell(const firn_neighbours* neighbours, firn_local cell);
// The same around a key, which may belong to cells of other particles with the same radius.
firn_neighbour_runs firn_neighbours_around(const firn_neighbours* neighbours, uint64_t key);
// The same for cells in ascending order of their keys: each of the nine runs begins where it began
// for the previous cell, or a little later. Initialise with zeros.
typedef struct firn_neighbour_walk {
    bool begun;
    firn_local at[9];
} firn_neighbour_walk;
firn_neighbour_runs firn_neighbours_walk(const firn_neighbours* neighbours,
                                         firn_neighbour_walk* walk, uint64_t key);
// The key of the cell that contains x, which must be finite.
uint64_t firn_neighbours_key(firn_vec3 x, double radius);
// The centre of the cell with this key [m].
firn_vec3 firn_neighbours_cell_middle(uint64_t key, double radius);
