// SPDX-License-Identifier: MIT
// Velocities of a key frame from the key frames next to it.
// Where the vertices are the same from key to key, they tell how the surface moves: each moves with
// the derivative of its path, and a point in space with the nearest point of the surface. Where
// they are not, only the motion along the normal can be seen: -phi' n.
#pragma once
#include "geometry/deform/velocity_grid.h"
#include "geometry/levelset/level_set.h"
#include "mesh/mesh.h"

// How much the values of the key before, of this one and of the one after count in the derivative.
// Second order; times may be uneven. A key that is missing (length of its segment 0) makes it
// one-sided; without both it is 0.
typedef struct firn_deform_weights {
    double before, here, after;  // [1/s]
} firn_deform_weights;
firn_deform_weights firn_deform_weigh(double length_before, double length_after);

// Vertices with the same numbers: equal counts and triangles.
bool firn_deform_same_points(const firn_mesh* a, const firn_mesh* b);

// A grid over the bounds of three keys (empty boxes: missing) with a margin. `voxel` [m] of the
// level sets; the grid is coarser, because velocities are smoother.
firn_result firn_deform_grid(const firn_box3 boxes[3], firn_real voxel,
                             firn_velocity_grid* out_grid, firn_error* error);

// From vertices. `before` and `after` may be null, and have the same points as `here`.
// FIRN_BROKEN_MEMORY is the only failure; the grid is then to be destroyed.
firn_result firn_deform_from_points(const firn_mesh* before, const firn_mesh* here,
                                    const firn_mesh* after, firn_deform_weights weights,
                                    firn_velocity_grid* grid, firn_error* error);
// From level sets. `before` and `after` may be null.
void firn_deform_from_distances(const firn_level_set* before, const firn_level_set* here,
                                const firn_level_set* after, firn_deform_weights weights,
                                firn_velocity_grid* grid);
// Extrapolates: nodes that are not `known` (1, else 0) get the mean of their known neighbours,
// layer by layer, until all are known. False when none is known at first.
bool firn_deform_fill(firn_velocity_grid* grid, uint8_t* known);
