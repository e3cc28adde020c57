// SPDX-License-Identifier: MIT
// Hash table from cells to indices, with open addressing.
#include "geometry/sampling/cell_table.h"

#include <string.h>

#include "core/memory.h"
#include "math/random.h"

#define BITS 21  // per coordinate in a key; three of them and the mark fill 64 bits
#define MARK ((uint64_t)1 << 63)
#define SLOTS_LEAST 64

uint64_t firn_cell_key(int64_t x, int64_t y, int64_t z)
{
    const int64_t most = FIRN_CELL_MAX, shift = (int64_t)1 << (BITS - 1);
    if (x < -most || y < -most || z < -most || x > most || y > most || z > most) return 0;
    return MARK | (uint64_t)(z + shift) << 2 * BITS | (uint64_t)(y + shift) << BITS |
           (uint64_t)(x + shift);
}

void firn_cell_of_key(uint64_t key, int32_t out_at[3])
{
    for (int d = 0; d < 3; d++) {
        const uint64_t part = key >> d * BITS & (((uint64_t)1 << BITS) - 1);
        out_at[d] = (int32_t)part - (1 << (BITS - 1));
    }
}

// The slot of the key, or the free slot where it would be inserted.
static firn_local slot_of(const firn_cell_table* table, uint64_t key)
{
    const uint64_t mask = (uint64_t)table->slots - 1;
    uint64_t slot = firn_random_bits(key, 0) & mask;
    while (table->key[slot] != 0 && table->key[slot] != key) slot = (slot + 1) & mask;
    return (firn_local)slot;
}

bool firn_cell_table_reserve(firn_cell_table* table, firn_local more)
{
    const int64_t need = 2 * ((int64_t)table->count + more);
    if (need <= table->slots) return true;
    int64_t slots = table->slots > SLOTS_LEAST ? table->slots : SLOTS_LEAST;
    while (slots < need) slots *= 2;
    if (slots > INT32_MAX / 2) return false;
    firn_cell_table grown = {.slots = (firn_local)slots};
    grown.key = firn_alloc((size_t)slots, sizeof *grown.key);
    grown.value = firn_alloc((size_t)slots, sizeof *grown.value);
    if (grown.key == NULL || grown.value == NULL) {
        firn_cell_table_destroy(&grown);
        return false;
    }
    for (firn_local s = 0; s < table->slots; s++)
        if (table->key[s] != 0) firn_cell_table_add(&grown, table->key[s], table->value[s]);
    firn_cell_table_destroy(table);
    *table = grown;
    return true;
}

firn_local firn_cell_table_find(const firn_cell_table* table, uint64_t key)
{
    if (table->count == 0) return -1;
    const firn_local slot = slot_of(table, key);
    return table->key[slot] == key ? table->value[slot] : -1;
}

void firn_cell_table_add(firn_cell_table* table, uint64_t key, firn_local value)
{
    const firn_local slot = slot_of(table, key);
    table->key[slot] = key;
    table->value[slot] = value;
    table->count++;
}

void firn_cell_table_clear(firn_cell_table* table)
{
    if (table->slots > 0) memset(table->key, 0, (size_t)table->slots * sizeof *table->key);
    table->count = 0;
}

void firn_cell_table_destroy(firn_cell_table* table)
{
    firn_free(table->key);
    firn_free(table->value);
    *table = (firn_cell_table){0};
}
