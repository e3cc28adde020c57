// SPDX-License-Identifier: MIT
// Two grids, one inside the other: nodes, about a particle spacing apart, and `fine` voxels to each
// distance of nodes. Values at nodes are coefficients of cubic B-splines:
//
//     f(x) = sum_j B(x - j) c_j        refine: from nodes to voxels
//     c_j  = sum_i B(x_i - j) f(x_i)   gather: from voxels to nodes, the transpose
//
// Both are products of three sums, one per axis. A region is a block of 8^3 nodes and the voxels
// between them and the next block's; a spline there reaches one layer of nodes before and two
// after.
#pragma once
#include "state/volume/density_volume.h"

#define FIRN_DETAIL_NODES 512  // of a region; index (x * 8 + y) * 8 + z, as in a volume
#define FIRN_DETAIL_PAD 11     // nodes along an axis that splines in a region need: -1 .. 9
#define FIRN_DETAIL_PADDED (FIRN_DETAIL_PAD * FIRN_DETAIL_PAD * FIRN_DETAIL_PAD)

typedef struct firn_detail_region {
    int32_t at[3];        // [regions] of its first node: at * 8 nodes
    firn_local block;     // of the volume of nodes; -1: none
    firn_local near[27];  // regions around, (dx + 1) * 9 + (dy + 1) * 3 + dz + 1; -1: none
} firn_detail_region;

typedef struct firn_detail_grid {
    int32_t fine;                 // voxels from node to node
    int32_t side;                 // voxels along a region: 8 * fine
    double node;                  // [m] from node to node
    float weight[8][4];           // of nodes -1 .. 2 about a voxel that is t / fine after node 0
    firn_detail_region* regions;  // owned; ascending by `at`
    firn_local count;
} firn_detail_grid;

// The regions in which splines about the nodes of `nodes` are not all zero.
firn_result firn_detail_grid_create(firn_detail_grid* grid, const firn_density_volume* nodes,
                                    int32_t fine);
void firn_detail_grid_destroy(firn_detail_grid* grid);
// The region at these coordinates; -1: none.
firn_local firn_detail_grid_find(const firn_detail_grid* grid, const int32_t at[3]);

// Values of the nodes about region r, from arrays of FIRN_DETAIL_NODES per region; 0 where there is
// no region. False: all are 0.
bool firn_detail_pad(const firn_detail_grid* grid, firn_local r, const float* values,
                     float out[FIRN_DETAIL_PADDED]);
// `scratch`: firn_detail_scratch floats. `out`, `voxels`: [side^3], z fastest.
size_t firn_detail_scratch(const firn_detail_grid* grid);
void firn_detail_refine(const firn_detail_grid* grid, const float nodes[FIRN_DETAIL_PADDED],
                        float* scratch, float* out);
void firn_detail_gather(const firn_detail_grid* grid, const float* voxels, float* scratch,
                        float out[FIRN_DETAIL_PADDED]);
