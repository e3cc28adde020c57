// SPDX-License-Identifier: MIT
// Who is near whom: particles sorted into cubic cells as wide as the radius of the search, so that
// all neighbours of a particle lie in its cell and the 26 around it.
#pragma once
#include "core/result.h"
#include "core/sort_keys.h"

typedef struct firn_neighbours {
    double radius;            // [m] edge of a cell
    firn_vec3* x;             // owned; [count] positions, cell by cell
    const firn_local* order;  // borrowed from `sort`; null: as they come. x[k] is particle order[k]
    firn_local cell_count;    // cells with someone in them
    uint64_t* keys;           // owned; [cell_count], ascending
    firn_local* begin;        // owned; [cell_count + 1]: cell c holds x[begin[c] .. begin[c + 1])
    firn_key_sort sort;       // owned
    firn_local capacity, cell_capacity;
} firn_neighbours;

// Cells lie side by side along z in memory: nine runs hold all 27.
typedef struct firn_neighbour_runs {
    int count;
    firn_local begin[9], end[9];
} firn_neighbour_runs;

// Positions must be finite. FIRN_BROKEN_MEMORY leaves nothing behind.
firn_result firn_neighbours_create(const firn_vec3* x, firn_local count, double radius, int threads,
                                   firn_neighbours* out_neighbours);
void firn_neighbours_destroy(firn_neighbours* neighbours);
// The same for other positions, in the memory there is: allocates to grow only. Zeroed to begin
// with. FIRN_BROKEN_MEMORY: to be destroyed or updated again.
firn_result firn_neighbours_update(firn_neighbours* neighbours, const firn_vec3* x,
                                   firn_local count, double radius, int threads);
// Room for `count` particles, however they are spread: updates of as many allocate nothing.
// FIRN_BROKEN_MEMORY as above.
firn_result firn_neighbours_reserve(firn_neighbours* neighbours, firn_local count, int threads);
// Where everyone within the radius of a particle of cell `cell` is found, among others.
firn_neighbour_runs firn_neighbours_of_cell(const firn_neighbours* neighbours, firn_local cell);
// The same around the cell of that key, which may come from other particles' cells of this radius.
firn_neighbour_runs firn_neighbours_around(const firn_neighbours* neighbours, uint64_t key);
// The same for cells that are asked for in ascending order of their keys: each of the nine runs
// begins where it began for the cell before, or a little further. Zeroed to begin with.
typedef struct firn_neighbour_walk {
    bool begun;
    firn_local at[9];
} firn_neighbour_walk;
firn_neighbour_runs firn_neighbours_walk(const firn_neighbours* neighbours,
                                         firn_neighbour_walk* walk, uint64_t key);
// The middle of the cell with that key [m].
firn_vec3 firn_neighbours_cell_middle(uint64_t key, double radius);
