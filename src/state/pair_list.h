// SPDX-License-Identifier: MIT
// Neighbour lists of particles that are sorted by cell: for every particle the others within the
// support of a kernel, with the kernel's slope. Sixteen consecutive particles are a slice; row k of
// a slice has the k-th neighbour of each of them, so that a SIMD loop with one particle per lane
// reads whole registers of any width:
//
//     slice     particles 16 s .. 16 s + 15
//     rows[s] ─► row 0   j: the first neighbour of each   slope: W'(r_ij) / r_ij of each
//                row 1   j: the second …
//                …       as many rows as the largest number of neighbours in the slice
//
// The gradient of the kernel is slope (x_i - x_j). It is recomputed rather than stored: every pass
// reads all rows, which do not fit into caches, while positions of close particles do. Rows are
// padded with the particle itself, at distance zero, which contributes nothing. Neighbours are in
// storage order, so that sums over them do not depend on threads or SIMD width.
#pragma once
#include "core/result.h"
#include "state/neighbours.h"

#define FIRN_SLICE 16  // particles per slice: lanes of the widest SIMD level (FIRN_LANES_MOST)
// Limit that bounds the memory of the lists. A kernel's support usually contains 27 particles; more
// than this means that the snow has collapsed to a point.
#define FIRN_PAIRS_MOST 2000
#define FIRN_PAIRS_ROOM (FIRN_PAIRS_MOST + FIRN_SLICE)  // searches write whole registers

typedef struct firn_pair_row {
    int32_t j[FIRN_SLICE];
    firn_real slope[FIRN_SLICE];  // W'(r_ij) / r_ij [1/m^5]
} firn_pair_row;

// Rows of consecutive slices.
typedef struct firn_pair_chunk {
    firn_pair_row* rows;  // owned
    int64_t count, capacity;
} firn_pair_chunk;

typedef struct firn_pair_list {
    firn_local count;        // particles
    firn_local slice_count;  // of FIRN_SLICE
    firn_local slice_capacity;
    firn_pair_row** rows;     // [slice_count], into the chunks
    int32_t* row_count;       // [slice_count]
    int32_t* neighbours;      // [slice_count * FIRN_SLICE]: number per particle; 0 beyond `count`
    firn_pair_chunk* chunks;  // owned [chunk_count]: some per worker of the team
    int chunk_count;
    int32_t** found;  // owned scratch [workers][FIRN_SLICE * FIRN_PAIRS_ROOM]
    int workers;
    const firn_real *x, *y, *z;  // borrowed: the coordinates of the search
} firn_pair_list;

// Reserves for `count` particles and the calling thread's team, without the rows.
// FIRN_BROKEN_MEMORY: the list is unchanged.
firn_result firn_pair_list_reserve(firn_pair_list* list, firn_local count);
// Reserves rows in a chunk and discards its contents.
firn_result firn_pair_chunk_reserve(firn_pair_chunk* chunk, int64_t rows);
void firn_pair_list_destroy(firn_pair_list* list);
// Total number of neighbours of all particles.
int64_t firn_pair_list_total(const firn_pair_list* list);

static inline firn_local firn_slices_of(firn_local count)
{
    return (count + FIRN_SLICE - 1) / FIRN_SLICE;
}

// The k-th neighbour of particle p, for scalar loops.
typedef struct firn_pair {
    firn_local j;
    firn_vec3 g;  // grad W_pj
} firn_pair;

static inline firn_pair firn_pair_at(const firn_pair_list* list, firn_local p, int k)
{
    const firn_pair_row* row = &list->rows[p / FIRN_SLICE][k];
    const int lane = (int)(p % FIRN_SLICE);
    const firn_local j = row->j[lane];
    const firn_real slope = row->slope[lane];
    return (firn_pair){j,
                       {(list->x[p] - list->x[j]) * slope, (list->y[p] - list->y[j]) * slope,
                        (list->z[p] - list->z[j]) * slope}};
}
