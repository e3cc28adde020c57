// SPDX-License-Identifier: MIT
// The values around a block of a sparse volume, for isosurface.c: nodes -1 .. 9 along each axis,
// those of its cells and one more for gradients.
#pragma once
#include <string.h>

#include "state/volume/density_volume.h"

#define FIRN_NODE_VOXELS 512
#define FIRN_NODE_SIDE 11
#define FIRN_NODE_BITS 21  // of a block's coordinate within a key
#define FIRN_NODE_BIAS (1 << (FIRN_NODE_BITS - 1))

static inline uint64_t firn_node_key(int32_t bx, int32_t by, int32_t bz)
{
    return (uint64_t)(bx + FIRN_NODE_BIAS) << (2 * FIRN_NODE_BITS) |
           (uint64_t)(by + FIRN_NODE_BIAS) << FIRN_NODE_BITS | (uint64_t)(bz + FIRN_NODE_BIAS);
}

static inline void firn_node_block(uint64_t key, int32_t out_block[3])
{
    const uint64_t mask = ((uint64_t)1 << FIRN_NODE_BITS) - 1;
    for (int d = 0; d < 3; d++)
        out_block[d] = (int32_t)(key >> ((2 - d) * FIRN_NODE_BITS) & mask) - FIRN_NODE_BIAS;
}

// The block of the volume with these coordinates; -1: none.
static inline firn_local firn_node_find(const firn_density_volume* v, int32_t bx, int32_t by,
                                        int32_t bz)
{
    const uint64_t key = firn_node_key(bx, by, bz);
    firn_local low = 0, high = v->block_count;
    while (low < high) {
        const firn_local middle = low + (high - low) / 2;
        const int32_t* o = v->origin[middle];
        const uint64_t here = firn_node_key(o[0] >> 3, o[1] >> 3, o[2] >> 3);
        if (here == key) return middle;
        if (here < key)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

// The nodes -1 .. 9 of a block, and where their values are in the volume.
typedef struct firn_nodes {
    float value[FIRN_NODE_SIDE][FIRN_NODE_SIDE][FIRN_NODE_SIDE];
    firn_local near[3][3][3];  // blocks of the volume around; -1: none
} firn_nodes;

static inline void firn_nodes_gather(const firn_density_volume* v, const int32_t block[3],
                                     firn_nodes* n)
{
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            for (int c = 0; c < 3; c++)
                n->near[a][b][c] =
                    firn_node_find(v, block[0] + a - 1, block[1] + b - 1, block[2] + c - 1);
    for (int i = 0; i < FIRN_NODE_SIDE; i++)
        for (int k = 0; k < FIRN_NODE_SIDE; k++) {
            const firn_local* row = n->near[(i + 7) >> 3][(k + 7) >> 3];
            const int at = (((i + 7) & 7) * 8 + ((k + 7) & 7)) * 8;
            float* out = n->value[i][k];
            memset(out, 0, sizeof n->value[i][k]);
            if (row[0] >= 0)
                out[0] = v->density[(size_t)row[0] * FIRN_NODE_VOXELS + (size_t)at + 7];
            if (row[1] >= 0)
                memcpy(out + 1, v->density + (size_t)row[1] * FIRN_NODE_VOXELS + at,
                       8 * sizeof(float));
            if (row[2] >= 0)
                memcpy(out + 9, v->density + (size_t)row[2] * FIRN_NODE_VOXELS + at,
                       2 * sizeof(float));
        }
}

// Node (i, j, k) of the block, from -1 to 9.
static inline double firn_node_value(const firn_nodes* n, int i, int j, int k)
{
    return (double)n->value[i + 1][j + 1][k + 1];
}
