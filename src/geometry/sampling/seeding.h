// SPDX-License-Identifier: MIT
// Filling a shape with points. VALIDATION T02 says why stratified is the default: random seeding
// gives forces out of nothing in a uniformly stressed block.
#pragma once
#include "core/result.h"
#include "math/vec3.h"

typedef struct firn_comm firn_comm;      // comm/comm.h
typedef struct firn_shapes firn_shapes;  // geometry/sdf/shape.h

// Space is divided into cubic sub-cells of edge cell / n^(1/3) for n points a cell, one of whose
// corners is the origin of the world. When n is a cube (8, 27) they divide every cell evenly; for
// other n they do not line up with the cells, and only the mean over many cells is n.
typedef enum firn_seeding {
    FIRN_SEED_STRATIFIED,  // one random point in each sub-cell
    FIRN_SEED_LATTICE,     // the centres of the sub-cells
    FIRN_SEED_RANDOM       // Poisson: independent uniform points, one a sub-cell in the mean
} firn_seeding;

#define FIRN_PER_CELL_MAX 1e6  // points a cell; the least is 1/FIRN_PER_CELL_MAX

// With a communicator of several ranks, which then call firn_seed_shape together, each rank gets a
// part of the points: about as many as the others, in chunks that lie here and there in the shape.
typedef struct firn_points {
    firn_vec3* position;  // owned [m]
    firn_local count, capacity;
    firn_comm* comm;   // borrowed; null: all points are here
    uint32_t* number;  // owned [capacity]: of each point among those of all ranks; null without
    int64_t total;     // points of all ranks; 0 without
} firn_points;

// Chunk c of the points of all ranks is filled by this rank.
#define FIRN_SEED_IS_MINE(comm, c) ((c) % firn_comm_count(comm) == firn_comm_rank(comm))

// Appends the points of `shape` for a grid of spacing `cell` [m] with `per_cell` points a cell on
// average. Each stands for cell^3 / per_cell of volume. A point is kept where phi <= 0. Its
// position depends only on the seed and the sub-cell: it is the same on any machine and number of
// threads, and overlapping shapes share points. In order of blocks of 8x8x8 sub-cells. Refused:
// unbounded or empty shape, a shape so small that no point falls into it, more than 2^31-1 points,
// absurdly many cells; `points` as before.
firn_result firn_seed_shape(const firn_shapes* shapes, firn_local shape, firn_real cell,
                            double per_cell, firn_seeding seeding, uint64_t seed,
                            firn_points* points, firn_error* error);
// The same with one point in the centre of each cell, where one of the cells has this corner [m].
firn_result firn_seed_lattice(const firn_shapes* shapes, firn_local shape, firn_real cell,
                              const double corner[3], firn_points* points, firn_error* error);
// The corner of such a lattice that suits a shape: the origin, but for boxes. A lattice has whole
// layers: with a corner at the origin, a box between -7.5 and 7.5 cells gets 14 of them, and 7 % of
// its mass is missing. Where more than 2.5 % of its volume would be wrong, the lowest corner of its
// bounds is taken, if it is better: a box gets as many layers as its size rounded, half a cell away
// from its faces. Depends on this shape alone, so that snow added later is what it would be from
// the start.
firn_result firn_seed_corner(const firn_shapes* shapes, firn_local shape, firn_real cell,
                             double corner[3], firn_error* error);
// Refuses what firn_seed_shape would refuse before it samples a point.
firn_result firn_seed_check(const firn_shapes* shapes, firn_local shape, firn_real cell,
                            double per_cell, firn_error* error);
// Room for `count` points. False: out of memory.
bool firn_points_reserve(firn_points* points, firn_local count);
void firn_points_destroy(firn_points* points);
