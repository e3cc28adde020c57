// SPDX-License-Identifier: MIT
// A table from places (three whole numbers) to numbers: which tile of space is where.
// Open addressing in a power of two slots, at most half of them taken; nothing is ever taken out.
#pragma once
#include "firn/types.h"

#define FIRN_PLACE_MAX ((1 << 20) - 1)  // |coordinate| of a place

typedef struct firn_place_table {
    uint64_t* key;      // owned [slots]; 0: empty
    firn_local* value;  // owned [slots]
    firn_local slots, count;
} firn_place_table;

#ifdef __cplusplus
extern "C" {
#endif

// A number for the place that is never 0; ordered by z, then y, then x. 0: beyond FIRN_PLACE_MAX.
uint64_t firn_place_key(int64_t x, int64_t y, int64_t z);
void firn_place_of_key(uint64_t key, int32_t out_at[3]);

// Room for `more` further places. False, the table as it was: memory is out.
bool firn_place_reserve(firn_place_table* table, firn_local more);
// The value of the place; -1: it is not in the table.
firn_local firn_place_find(const firn_place_table* table, uint64_t key);
// The place must not be in the table yet, and there must be room.
void firn_place_add(firn_place_table* table, uint64_t key, firn_local value);
void firn_place_clear(firn_place_table* table);    // empty, the memory kept
void firn_place_destroy(firn_place_table* table);  // zeroes the struct

#ifdef __cplusplus
}
#endif
