// SPDX-License-Identifier: MIT
// Lower bound of the optical depth of each cell: on its way out of the surrounding 27 (or 125)
// cells light crosses at least one (or two) cells whose extinction is at least the smallest of the
// nodes around.
#include <math.h>
#include <string.h>

#include "core/threads/team.h"
#include "render/path/medium.h"

enum { BEFORE = 2, SIDE = 13 };  // nodes -2 .. 10 about a block

// Extinction at node (x, y, z) of the window.
static float node_at(const firn_medium* m, int32_t x, int32_t y, int32_t z)
{
    const int32_t bx = x >> 3, by = y >> 3, bz = z >> 3;
    if (bx < 0 || by < 0 || bz < 0 || bx >= m->size[0] || by >= m->size[1] || bz >= m->size[2])
        return 0;
    const int32_t block = m->table[((int64_t)bz * m->size[1] + by) * m->size[0] + bx];
    if (block < 0) return 0;
    return m->nodes[(size_t)block * FIRN_MEDIUM_NODES +
                    (size_t)(((z & 7) * 9 + (y & 7)) * 9 + (x & 7))];
}

static void gather(const firn_medium* m, int32_t block, float* nodes)
{
    const int32_t* at = m->at[block];
    for (int z = 0; z < SIDE; z++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                *nodes++ = node_at(m, 8 * at[0] + x - BEFORE, 8 * at[1] + y - BEFORE,
                                   8 * at[2] + z - BEFORE);
}

// Separable minimum filter: smallest of nodes first .. last - 1 about every cell of the block.
static void smallest(const float* nodes, int first, int last, float out[8][8][8])
{
    static const int stride[3] = {1, SIDE, SIDE * SIDE};
    float a[SIDE * SIDE * SIDE], b[SIDE * SIDE * SIDE];
    memcpy(a, nodes, sizeof a);
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < SIDE * SIDE * SIDE; k++) {
            const int place = k / stride[axis] % SIDE;
            float low = a[k];
            for (int o = first; o < last; o++)
                if (place + o >= 0 && place + o < SIDE)
                    low = firn_f_min(low, a[k + o * stride[axis]]);
            b[k] = low;
        }
        memcpy(a, b, sizeof a);
    }
    for (int z = 0; z < 8; z++)
        for (int y = 0; y < 8; y++)
            for (int x = 0; x < 8; x++)
                out[z][y][x] = a[((z + BEFORE) * SIDE + y + BEFORE) * SIDE + x + BEFORE];
}

static void set_blocks(const void* self, firn_local begin, firn_local end)
{
    const firn_medium* m = self;
    for (firn_local block = begin; block < end; block++) {
        float nodes[SIDE * SIDE * SIDE], near[8][8][8], farther[8][8][8];
        gather(m, block, nodes);
        smallest(nodes, -1, 3, near);
        smallest(nodes, -2, 4, farther);
        for (int k = 0; k < 512; k++) {
            const float depth = firn_f_max((&near[0][0][0])[k], 2 * (&farther[0][0][0])[k]);
            const int level =
                (int)((depth - 1) * 1.442695f);  // 2^-k = e^(1 - depth), like the transmittance
            uint8_t* flags = &m->cells[block][k];
            *flags = (uint8_t)((*flags & FIRN_CELL_NEAR_SURFACE) |
                               (level < 0                   ? 0
                                : level > FIRN_CELL_NEE_MAX ? FIRN_CELL_NEE_MAX
                                                            : level)
                                   << 1);
        }
    }
}

void firn_medium_set_nee_probability(firn_medium* m)
{
    firn_share(m->block_count, 1, set_blocks, m);  // a block: some 50 microseconds
}
