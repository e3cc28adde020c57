// SPDX-License-Identifier: MIT
// Level sets from a function that finds phi at all nodes of a block at once, for those who gain by
// it. Otherwise as firn_level_set_build.
#pragma once
#include "geometry/levelset/level_set.h"

// x, out_phi: [z 8][y 8][x 8].
typedef void (*firn_level_set_block_function)(const void* context, const firn_vec3* x,
                                              firn_real* out_phi);

typedef struct firn_level_set_source {
    firn_level_set_function function;              // asked at the centres of blocks
    firn_level_set_block_function block_function;  // null: `function` at every node
    const void* context;
} firn_level_set_source;

firn_result firn_level_set_build_blocks(firn_box3 box, firn_real voxel, firn_real band,
                                        const firn_level_set_source* source,
                                        const firn_level_set** out_set, firn_error* error);
