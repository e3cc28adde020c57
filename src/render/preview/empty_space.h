// SPDX-License-Identifier: MIT
// Empty space around a level set, for rays: where there is no block, phi says that the surface is
// at least a band away; this says how many blocks away it is, so that a ray crosses a room in few
// steps.
#pragma once
#include "geometry/levelset/level_set.h"

// Of a level set, borrowed until destroy.
typedef struct firn_empty_space {
    const firn_level_set* set;  // null: nothing is known
    uint8_t* away;  // owned [size z][size y][size x]: blocks to the nearest that is not empty
} firn_empty_space;

// Does nothing for a level set with a very large table. FIRN_BROKEN_MEMORY is the only failure.
firn_result firn_empty_space_create(const firn_level_set* set, firn_empty_space* out_space,
                                    firn_error* error);
void firn_empty_space_destroy(firn_empty_space* space);

// A lower bound of the distance from x to the surface [m]; 0: nothing is known.
firn_real firn_empty_space_at(const firn_empty_space* space, firn_vec3 x);
