// SPDX-License-Identifier: MIT
// Height fields by tiles: which particles reach which tiles, and, for a field that is kept, which
// tiles have changed since it was filled last.
//
//     particles  ─ which tiles, hash ─►  tiles that changed  ─ sort by height ─►  tiles, in
//     parallel
//
// A tile has changed if the sum of the hashes of its particles' positions and radii is another one:
// it does not depend on the order of the particles, which solvers sort as they like. With 64 bits
// one in 10^19 changes goes unnoticed.
#pragma once
#include "core/sort_keys.h"
#include "state/surface/height_tile.h"

// Tiles that a particle reaches; columns from c0 to c1; c0 > c1: none.
typedef struct firn_tile_range {
    int16_t c0, c1, r0, r1;
} firn_tile_range;

typedef struct firn_height_map {
    firn_height_def def;      // with a rectangle
    float* heights;           // [rows][columns]; borrowed
    firn_local across, down;  // tiles
    double largest;           // [m] radius, of all particles
    // particles, as of the last fill: [known] positions, radii, tiles, hashes
    firn_vec3* x;            // owned
    firn_real* radius;       // owned
    firn_tile_range* range;  // owned
    uint64_t* hash;          // owned
    firn_local known;
    // and what is new of those that moved
    firn_tile_range* new_range;  // owned
    uint64_t* new_hash;          // owned
    uint8_t* moved;              // owned
    firn_local capacity[8];      // of these and `live`
    firn_local* live;            // owned; particles that reach changed tiles
    firn_key_sort sort;
    firn_local* begin;       // owned; [tiles + 1]
    firn_height_item* list;  // owned; tile t: list[begin[t] .. begin[t + 1])
    firn_local list_capacity;
    uint64_t *now, *last;  // owned; [tiles] sums of hashes; `last`: as filled
    firn_local* changed;   // owned; [changed_count] tiles
    firn_local changed_count;
    int32_t (*dirty)[4];  // owned; [tiles] samples that changed: columns, rows; from, to
    bool filled;
} firn_height_map;

// `heights` is borrowed, [rows][columns]. `def` has a rectangle and was checked. Destroy it also
// after a failure. FIRN_BROKEN_MEMORY.
firn_result firn_height_map_open(firn_height_map* field, const firn_height_def* def,
                                 float* heights);
void firn_height_map_close(firn_height_map* field);
// Fills what has changed since the last call; at first, all. out_rect: first column and row, and
// numbers of columns and rows, of the samples that have changed. May be null. Bitwise independent
// of the number of threads. FIRN_BROKEN_MEMORY: fill it again.
firn_result firn_height_map_fill(firn_height_map* field, const firn_height_snow* snow,
                                 int32_t out_rect[4]);
