// SPDX-License-Identifier: MIT
// One tile of a height field. Particles are processed from the lowest up; one that is more than a
// gap above the top of its column so far is in the air and is ignored there:
//
//          o            in the air: more than the gap above the top
//
//        . . .          top of the column so far
//       o o o o
//      o o o o o o      the lowest particle of a column always counts
//
// The order of two particles at the same height does not matter: both lie within the gap or
// neither, and the higher top wins.
//
// In most cells of 4x4 samples nothing is in the air: in each quarter of the cell, from the lowest
// particle up, each is within the gap above one that covers the whole quarter. There the answer is
// the highest top of all, and is found from the highest particle down: those that are buried are
// never computed. In other cells this holds up to the first particle that may be in the air; those
// from it on are processed from the lowest up. The bits are those of all from the lowest up.
#pragma once
#include "state/surface/heights.h"

#define FIRN_TILE 64  // samples along a side

// A particle that reaches the tile.
typedef struct firn_height_item {
    firn_local particle;
    int8_t i0, i1, j0, j1;  // samples from the tile's first; set by firn_height_tile_fill
} firn_height_item;

typedef struct firn_height_tile {
    const firn_height_snow* snow;
    const firn_height_def* def;
    double step_x, step_z;   // [m] from sample to sample
    double gap, largest;     // [m] gap; radius of the largest particle
    firn_height_item* list;  // [count] from the lowest up
    firn_local count;
    int32_t column, row;    // first sample
    int32_t columns, rows;  // at most FIRN_TILE
} firn_height_tile;

// The samples in [from, to], as a range of integers within [first, last].
static inline bool firn_height_cover(double from, double to, int32_t first, int32_t last,
                                     int32_t* low, int32_t* high)
{
    if (!(to >= first && from <= last)) return false;
    *low = from > first ? (int32_t)ceil(from) : first;
    *high = to < last ? (int32_t)floor(to) : last;
    return *low <= *high;
}

// Fills out_top [FIRN_TILE][FIRN_TILE]; NAN: nothing there.
void firn_height_tile_fill(const firn_height_tile* tile, float* out_top);
