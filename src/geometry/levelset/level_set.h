// SPDX-License-Identifier: MIT
// Level sets on a sparse grid: phi at the nodes of blocks of 8x8x8, trilinear between, for shapes
// without a formula (meshes, .vdb files, letters). A table over the bounding box finds a block;
// where there is none, phi is +-band: a lower bound of the distance, as shape.h requires. The
// interior is filled with true distances, so that snow deep inside a collider is pushed out the
// right way. Plain arrays: the same code samples on a GPU (level_set_sample.h). Immutable once
// built, shared by counting.
#pragma once
#include "core/result.h"
#include "math/box3.h"

#define FIRN_LEVEL_SET_EDGE 8     // nodes along the edge of a block
#define FIRN_LEVEL_SET_NODES 512  // nodes of a block
#define FIRN_LEVEL_SET_OUTSIDE (-1)
#define FIRN_LEVEL_SET_INSIDE (-2)
#define FIRN_LEVEL_SET_VOXELS_MAX 2147483648.0  // of the box, blocks or not

typedef struct firn_level_set {
    firn_vec3 origin;        // [m] of node (0, 0, 0)
    firn_real voxel;         // [m] between nodes
    int32_t size[3];         // blocks along x, y, z
    const int32_t* table;    // owned [size z][size y][size x]: block, or OUTSIDE, INSIDE
    const firn_real* value;  // owned [block_count][z 8][y 8][x 8] [m]
    firn_local block_count;
    firn_real band;    // [m] |phi| where there is no block
    firn_box3 bounds;  // of phi <= 0
    int32_t users;     // atomic; level_set.c
} firn_level_set;

// phi of some formula, for building; called from several threads.
typedef firn_real (*firn_level_set_function)(const void* context, firn_vec3 x);

// Nodes at whole multiples of `voxel` over `box` and a margin; blocks where |phi| < band or phi <
// 0. The function's |phi| must be a distance or a lower bound of it. Refused: too many voxels (over
// 2^31), empty result.
firn_result firn_level_set_build(firn_box3 box, firn_real voxel, firn_real band,
                                 firn_level_set_function function, const void* context,
                                 const firn_level_set** out_set, firn_error* error);
// From blocks that another library made; takes ownership of table and value (from firn_alloc) on
// success, finds `bounds`, cuts values at +band. Refused: values that are no numbers, indices out
// of range, nothing inside.
firn_result firn_level_set_adopt(const firn_level_set* parts, const firn_level_set** out_set,
                                 firn_error* error);
const firn_level_set* firn_level_set_share(const firn_level_set* set);  // one more user
void firn_level_set_release(const firn_level_set* set);                 // null is fine
size_t firn_level_set_bytes(const firn_level_set* set);
uint64_t firn_level_set_hash(const firn_level_set* set);
double firn_level_set_volume(const firn_level_set* set);  // [m^3] of phi <= 0
// The largest |phi| inside: the radius of the largest ball that fits into the solid [m].
firn_real firn_level_set_depth(const firn_level_set* set);
