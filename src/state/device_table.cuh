// SPDX-License-Identifier: MIT
// Hash table from block coordinates to slots on a GPU: open addressing, linear probing.
#pragma once
#include "state/device_grid.cuh"

#define FIRN_DEVICE_EMPTY (~0ull)

#ifdef __CUDACC__
static __device__ firn_device_key firn_device_key_of(int bx, int by, int bz)
{
    const firn_device_key x = (unsigned)(bx + FIRN_BLOCK_LIMIT);
    const firn_device_key y = (unsigned)(by + FIRN_BLOCK_LIMIT);
    const firn_device_key z = (unsigned)(bz + FIRN_BLOCK_LIMIT);
    return x << 36 | y << 18 | z;
}

static __device__ int3 firn_device_coord_of(firn_device_key key)
{
    return make_int3((int)(key >> 36 & 0x3ffff) - FIRN_BLOCK_LIMIT,
                     (int)(key >> 18 & 0x3ffff) - FIRN_BLOCK_LIMIT,
                     (int)(key & 0x3ffff) - FIRN_BLOCK_LIMIT);
}

// Slot where the search for a key begins.
static __device__ __forceinline__ unsigned firn_device_slot_of(const firn_device_grid& g,
                                                               firn_device_key key)
{
    firn_device_key z = key * 0x9e3779b97f4a7c15ull;
    z ^= z >> 32;
    return (unsigned)z & g.table_mask;
}

// Number of the block at these coordinates; -1: none. Of a grid that is complete.
static __device__ __forceinline__ int firn_device_find(const firn_device_grid& g, int bx, int by,
                                                       int bz)
{
    const firn_device_key key = firn_device_key_of(bx, by, bz);
    unsigned slot = firn_device_slot_of(g, key);
    for (unsigned probe = 0; probe <= g.table_mask; probe++) {
        const firn_device_key there = g.table_key[slot];
        if (there == key) return g.table_value[slot];
        if (there == FIRN_DEVICE_EMPTY) return -1;
        slot = (slot + 1) & g.table_mask;
    }
    return -1;
}

// Finds or inserts a key; returns its slot. If the table is full it sets `room` and returns an
// arbitrary slot.
static __device__ unsigned firn_device_find_or_take(const firn_device_grid& g, firn_device_key key)
{
    unsigned slot = firn_device_slot_of(g, key);
    for (unsigned probe = 0; probe <= g.table_mask; probe++) {
        firn_device_key there = *(volatile firn_device_key*)&g.table_key[slot];
        if (there == FIRN_DEVICE_EMPTY) {
            if (*(volatile int*)&g.counts->room != 0) return slot;
            there = atomicCAS(&g.table_key[slot], FIRN_DEVICE_EMPTY, key);
            if (there == FIRN_DEVICE_EMPTY) {
                if (atomicAdd(&g.counts->used, 1) >= g.block_capacity) g.counts->room = 1;
                return slot;
            }
        }
        if (there == key) return slot;
        slot = (slot + 1) & g.table_mask;
    }
    g.counts->room = 1;
    return slot;
}
#endif
