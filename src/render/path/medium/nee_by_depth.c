// SPDX-License-Identifier: MIT
// Lower bound of the optical depth of each cell: on its way out of the surrounding 27 (or 125)
// cells light crosses at least one (or two) cells whose extinction is at least the smallest of the
// nodes around.
#include <math.h>
#include <string.h>

#include "core/threads/team.h"
#include "render/path/medium.h"

enum { BEFORE = 2, SIDE = 13 };  // nodes -2 .. 10 about a block

static void gather(const firn_medium* m, int32_t block, float* nodes)
{
    const int32_t* at = m->at[block];
    for (int z = 0; z < SIDE; z++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                *nodes++ = firn_medium_node(m, 8 * at[0] + x - BEFORE, 8 * at[1] + y - BEFORE,
                                            8 * at[2] + z - BEFORE);
}

// `count` rows of `width` values, `step` apart: each becomes the smallest of itself and of the rows
// at first .. last - 1 after it.
static void smallest_of_rows(const float* rows, int step, int first, int last, int count, int width,
                             float* out)
{
    for (int r = 0; r < count; r++) {
        const float* row = rows + r * step;
        float* to = out + r * step;
        float low[SIDE * SIDE];
        memcpy(low, row + first * step, (size_t)width * sizeof *low);
        for (int o = first + 1; o < last; o++)
#pragma omp simd
            for (int k = 0; k < width; k++)
                low[k] = low[k] < row[o * step + k] ? low[k] : row[o * step + k];
        memcpy(to, low, (size_t)width * sizeof *low);
    }
}

// Separable minimum filter: smallest of nodes first .. last - 1 about every cell of the block.
static void smallest(const float* nodes, int first, int last, float out[8][8][8])
{
    float z[SIDE * SIDE * SIDE], y[SIDE * SIDE * SIDE];
    smallest_of_rows(nodes + BEFORE * SIDE * SIDE, SIDE * SIDE, first, last, 8, SIDE * SIDE,
                     z + BEFORE * SIDE * SIDE);
    for (int k = BEFORE; k < BEFORE + 8; k++) {
        smallest_of_rows(z + (k * SIDE + BEFORE) * SIDE, SIDE, first, last, 8, SIDE,
                         y + (k * SIDE + BEFORE) * SIDE);
        for (int j = 0; j < 8; j++) {
            const float* row = y + (k * SIDE + BEFORE + j) * SIDE + BEFORE;
            for (int i = 0; i < 8; i++) {
                float low = row[i + first];
                for (int o = first + 1; o < last; o++) low = firn_f_min(low, row[i + o]);
                out[k - BEFORE][j][i] = low;
            }
        }
    }
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

void firn_medium_set_nee_by_depth(firn_medium* m)
{
    m->rare_by_sun = false;
    firn_share(m->block_count, 1, set_blocks, m);  // a block: some 50 microseconds
}
