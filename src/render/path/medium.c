// SPDX-License-Identifier: MIT
// Builds the medium from a density volume: a window around the snow, and per block its nodes plus
// the first layer of the next blocks, so that all corners of a cell lie in one block.
#include "render/path/medium.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { SIDE = FIRN_MEDIUM_BLOCK };

static int by_number(const void* a, const void* b)
{
    const int32_t x = *(const int32_t*)a, y = *(const int32_t*)b;
    return (x > y) - (x < y);
}

typedef struct window {
    int32_t low[3], high[3];  // [blocks] inclusive
} window;

static int64_t window_blocks(const window* w)
{
    int64_t n = 1;
    for (int a = 0; a < 3; a++) {
        n *= (int64_t)w->high[a] - w->low[a] + 1;
        if (n > ((int64_t)1 << 40)) return n;
    }
    return n;
}

// Bounds of all blocks, cropped to the largest possible window: the end farthest from the median is
// cut first, along the longest axis. `sorted` has room for 3 x count values.
static window choose_window(const firn_density_volume* v, int32_t* sorted)
{
    const firn_local n = v->block_count;
    firn_local first[3] = {0, 0, 0}, last[3] = {n - 1, n - 1, n - 1};
    window w;
    for (int a = 0; a < 3; a++) {
        int32_t* s = sorted + (size_t)a * (size_t)n;
        for (firn_local b = 0; b < n; b++) s[b] = v->origin[b][a] / SIDE;
        qsort(s, (size_t)n, sizeof *s, by_number);
        w.low[a] = s[0] - 1;  // cells below a block's first node belong to the previous block
        w.high[a] = s[n - 1];
    }
    while (window_blocks(&w) > FIRN_MEDIUM_WINDOW_MAX) {
        int axis = 0;
        for (int a = 1; a < 3; a++)
            if ((int64_t)w.high[a] - w.low[a] > (int64_t)w.high[axis] - w.low[axis]) axis = a;
        const int32_t* s = sorted + (size_t)axis * (size_t)n;
        const int32_t middle = s[n / 2];
        const bool above = (int64_t)w.high[axis] - middle > (int64_t)middle - w.low[axis];
        if (above)
            while (last[axis] > 0 && s[last[axis]] == w.high[axis]) last[axis]--;
        else
            while (first[axis] < n - 1 && s[first[axis]] - 1 == w.low[axis]) first[axis]++;
        w.low[axis] = s[first[axis]] - 1;
        w.high[axis] = s[last[axis]];
        if (w.low[axis] > w.high[axis]) w.low[axis] = w.high[axis];
    }
    return w;
}

static bool place(const firn_medium* m, const window* w, const int32_t origin[3], int32_t at[3])
{
    for (int a = 0; a < 3; a++) {
        at[a] = origin[a] / SIDE - w->low[a];
        if (at[a] < 0 || at[a] >= m->size[a]) return false;
    }
    return true;
}

static int64_t table_index(const firn_medium* m, const int32_t at[3])
{
    return ((int64_t)at[2] * m->size[1] + at[1]) * m->size[0] + at[0];
}

// Marks the blocks whose cells have a corner in the volume: each block and its seven predecessors.
static void mark(firn_medium* m, const window* w, const firn_density_volume* v)
{
    for (firn_local b = 0; b < v->block_count; b++) {
        int32_t at[3];
        if (!place(m, w, v->origin[b], at)) continue;
        for (int k = 0; k < 8; k++) {
            const int32_t near[3] = {at[0] - (k & 1), at[1] - (k >> 1 & 1), at[2] - (k >> 2)};
            if (near[0] < 0 || near[1] < 0 || near[2] < 0) continue;
            m->table[table_index(m, near)] = 0;
        }
    }
}

static firn_result number_blocks(firn_medium* m, firn_error* error)
{
    const int64_t count = (int64_t)m->size[0] * m->size[1] * m->size[2];
    for (int64_t k = 0; k < count; k++)
        if (m->table[k] == 0) m->table[k] = m->block_count++;
    m->at = firn_alloc((size_t)m->block_count + 1, sizeof *m->at);
    m->nodes = firn_alloc((size_t)m->block_count * FIRN_MEDIUM_NODES + 1, sizeof *m->nodes);
    m->cells = firn_alloc((size_t)m->block_count + 1, sizeof *m->cells);
    if (m->at == NULL || m->nodes == NULL || m->cells == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for %d blocks of snow in a picture",
                         (int)m->block_count);
    memset(m->cells, FIRN_CELL_NEAR_SURFACE, (size_t)m->block_count * sizeof *m->cells);
    for (int32_t z = 0; z < m->size[2]; z++)
        for (int32_t y = 0; y < m->size[1]; y++)
            for (int32_t x = 0; x < m->size[0]; x++) {
                const int32_t at[3] = {x, y, z}, block = m->table[table_index(m, at)];
                if (block < 0) continue;
                memcpy(m->at[block], at, sizeof at);
            }
    return FIRN_OK;
}

// Copies one block of the volume to its own nodes 0..7, and its first layers to nodes 8 of its
// predecessors.
static void copy_nodes(firn_medium* m, const int32_t at[3], const float* density, float scale)
{
    for (int k = 0; k < 8; k++) {
        const int back[3] = {k & 1, k >> 1 & 1, k >> 2};
        const int32_t to[3] = {at[0] - back[0], at[1] - back[1], at[2] - back[2]};
        if (to[0] < 0 || to[1] < 0 || to[2] < 0) continue;
        const int32_t block = m->table[table_index(m, to)];
        float* nodes = m->nodes + (size_t)block * FIRN_MEDIUM_NODES;
        const int end[3] = {back[0] ? 1 : SIDE, back[1] ? 1 : SIDE, back[2] ? 1 : SIDE};
        for (int z = 0; z < end[2]; z++)
            for (int y = 0; y < end[1]; y++)
                for (int x = 0; x < end[0]; x++) {
                    const float value = density[(x * SIDE + y) * SIDE + z] * scale;
                    nodes[((z + SIDE * back[2]) * 9 + y + SIDE * back[1]) * 9 + x +
                          SIDE * back[0]] = value > 0 && value < 1e6f ? value
                                            : value > 0               ? 1e6f
                                                                      : 0;
                }
    }
}

firn_result firn_medium_create(firn_medium* medium, const firn_density_volume* volume,
                               double per_density, const double albedo[3], double g,
                               firn_error* error)
{
    *medium = (firn_medium){.voxel = volume->voxel, .g = (float)g};
    for (int a = 0; a < 3; a++) medium->albedo[a] = (float)albedo[a];
    if (volume->block_count == 0) return FIRN_OK;
    int32_t* sorted = firn_alloc((size_t)volume->block_count * 3, sizeof *sorted);
    if (sorted == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the snow in a picture");
    const window w = choose_window(volume, sorted);
    firn_free(sorted);
    for (int a = 0; a < 3; a++) {
        medium->size[a] = w.high[a] - w.low[a] + 1;
        medium->low[a] = (double)w.low[a] * SIDE * volume->voxel;
    }
    const size_t count = (size_t)window_blocks(&w);
    medium->table = firn_alloc(count, sizeof *medium->table);
    if (medium->table == NULL) {
        firn_medium_destroy(medium);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the snow in a picture");
    }
    memset(medium->table, 0xff, count * sizeof *medium->table);
    mark(medium, &w, volume);
    const firn_result result = number_blocks(medium, error);
    if (result != FIRN_OK) {
        firn_medium_destroy(medium);
        return result;
    }
    for (firn_local b = 0; b < volume->block_count; b++) {
        int32_t at[3];
        if (!place(medium, &w, volume->origin[b], at)) continue;
        copy_nodes(medium, at, volume->density + (size_t)b * SIDE * SIDE * SIDE,
                   (float)(per_density * volume->voxel));
    }
    return FIRN_OK;
}

void firn_medium_destroy(firn_medium* medium)
{
    firn_free(medium->table);
    firn_free(medium->at);
    firn_free(medium->nodes);
    firn_free(medium->cells);
    *medium = (firn_medium){0};
}

int64_t firn_medium_bytes(const firn_medium* medium)
{
    const int64_t blocks = (int64_t)medium->size[0] * medium->size[1] * medium->size[2];
    return blocks * (int64_t)sizeof *medium->table +
           medium->block_count * (int64_t)(FIRN_MEDIUM_NODES * sizeof(float) + 512 + 12);
}
