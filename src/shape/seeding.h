// SPDX-License-Identifier: MIT
// Filling a shape with points. VALIDATION T02 says why stratified is the default: random seeding
// gives forces out of nothing in a uniformly stressed block.
#pragma once
#include "shape/shape.h"

typedef enum firn_seeding {
    FIRN_SEED_STRATIFIED,  // one random point in each of n^3 sub-cells
    FIRN_SEED_LATTICE,     // the centres of the sub-cells
    FIRN_SEED_RANDOM       // Poisson: independent uniform points
} firn_seeding;

typedef struct firn_points {
    firn_vec3* position;  // owned [m]
    firn_local count, capacity;
} firn_points;

// Appends the points of `shape` for a grid of spacing `cell` [m] with `per_cell` points a cell on
// average. Each stands for cell^3 / per_cell of volume. The same seed gives the same points on any
// machine. Refused: unbounded or empty shape, more than 2^31-1 points; `points` as before.
firn_result firn_seed_shape(const firn_shapes* shapes, firn_local shape, firn_real cell,
                            double per_cell, firn_seeding seeding, uint64_t seed,
                            firn_points* points, firn_error* error);
void firn_points_destroy(firn_points* points);
