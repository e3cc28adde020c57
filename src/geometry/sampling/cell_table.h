// SPDX-License-Identifier: MIT
// A hash table from cells (three integer coordinates) to indices.
// Open addressing in a power of two slots, at most half of them taken; nothing is ever taken out.
#pragma once
#include "firn/types.h"

#define FIRN_CELL_MAX ((1 << 20) - 1)  // |coordinate| of a cell

typedef struct firn_cell_table {
    uint64_t* key;      // owned [slots]; 0: empty
    firn_local* value;  // owned [slots]
    firn_local slots, count;
} firn_cell_table;

#ifdef __cplusplus
extern "C" {
#endif

// Key of a cell, never 0; ordered by z, then y, then x. 0: beyond FIRN_CELL_MAX.
uint64_t firn_cell_key(int64_t x, int64_t y, int64_t z);
void firn_cell_of_key(uint64_t key, int32_t out_at[3]);

// Room for `more` further cells. False: out of memory, the table is unchanged.
bool firn_cell_table_reserve(firn_cell_table* table, firn_local more);
// The value of the cell; -1: it is not in the table.
firn_local firn_cell_table_find(const firn_cell_table* table, uint64_t key);
// The cell must not be in the table yet, and there must be room.
void firn_cell_table_add(firn_cell_table* table, uint64_t key, firn_local value);
void firn_cell_table_clear(firn_cell_table* table);    // empty, the memory kept
void firn_cell_table_destroy(firn_cell_table* table);  // zeroes the struct

#ifdef __cplusplus
}
#endif
