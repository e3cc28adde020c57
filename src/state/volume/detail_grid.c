// SPDX-License-Identifier: MIT
#include "state/volume/detail_grid.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "math/bspline.h"

enum { PAD = FIRN_DETAIL_PAD, NODES = FIRN_DETAIL_NODES, BIAS = 1 << 20 };

static uint64_t key_of(const int32_t at[3])
{
    return (uint64_t)(at[0] + BIAS) << 42 | (uint64_t)(at[1] + BIAS) << 21 |
           (uint64_t)(at[2] + BIAS);
}

static void at_of(uint64_t key, int32_t out_at[3])
{
    for (int d = 0; d < 3; d++)
        out_at[d] = (int32_t)(key >> (21 * (2 - d)) & (((uint64_t)1 << 21) - 1)) - BIAS;
}

firn_local firn_detail_grid_find(const firn_detail_grid* grid, const int32_t at[3])
{
    const uint64_t key = key_of(at);
    firn_local low = 0, high = grid->count;
    while (low < high) {
        const firn_local middle = low + (high - low) / 2;
        const uint64_t k = key_of(grid->regions[middle].at);
        if (k == key) return middle;
        if (k < key)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

// ---- regions ------------------------------------------------------------------------------------

// Per axis, the ways in which a block's splines reach: bit 0 to the block before (nodes 0 and 1),
// bit 1 within, bit 2 to the block after (node 7).
static void find_reach(const float* density, uint32_t out_reach[27], bool* out_any)
{
    bool full[8][8][8];
    *out_any = false;
    memset(out_reach, 0, 27 * sizeof *out_reach);
    for (int n = 0; n < NODES; n++) {
        (&full[0][0][0])[n] = density[n] > 0;
        *out_any |= density[n] > 0;
    }
    for (int n = 0; n < NODES; n++) {
        if (!(&full[0][0][0])[n]) continue;
        const int at[3] = {n >> 6, n >> 3 & 7, n & 7};
        int low[3], high[3];
        for (int d = 0; d < 3; d++) {
            low[d] = at[d] < 2 ? 0 : 1;
            high[d] = at[d] == 7 ? 2 : 1;
        }
        for (int i = low[0]; i <= high[0]; i++)
            for (int j = low[1]; j <= high[1]; j++)
                for (int k = low[2]; k <= high[2]; k++) out_reach[i * 9 + j * 3 + k] = 1;
    }
}

// The keys of all regions, with repetitions. `keys` null: only counts them.
static firn_local list_keys(const firn_density_volume* nodes, uint64_t* keys)
{
    firn_local n = 0;
    for (firn_local b = 0; b < nodes->block_count; b++) {
        uint32_t reach[27];
        bool any;
        find_reach(nodes->density + (size_t)b * NODES, reach, &any);
        for (int way = 0; any && way < 27; way++) {
            if (reach[way] == 0) continue;
            const int32_t at[3] = {nodes->origin[b][0] / 8 + way / 9 - 1,
                                   nodes->origin[b][1] / 8 + way / 3 % 3 - 1,
                                   nodes->origin[b][2] / 8 + way % 3 - 1};
            if (keys != NULL) keys[n] = key_of(at);
            n++;
        }
    }
    return n;
}

static int by_key(const void* a, const void* b)
{
    const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

static firn_result make_regions(firn_detail_grid* grid, const firn_density_volume* nodes)
{
    const firn_local all = list_keys(nodes, NULL);
    uint64_t* keys = firn_alloc((size_t)all + 1, sizeof *keys);
    if (keys == NULL) return FIRN_BROKEN_MEMORY;
    list_keys(nodes, keys);
    qsort(keys, (size_t)all, sizeof *keys, by_key);
    firn_local n = 0;
    for (firn_local k = 0; k < all; k++)
        if (k == 0 || keys[k] != keys[k - 1]) keys[n++] = keys[k];
    grid->regions = firn_alloc((size_t)n + 1, sizeof *grid->regions);
    for (firn_local r = 0; grid->regions != NULL && r < n; r++)
        at_of(keys[r], grid->regions[grid->count++].at);
    firn_free(keys);
    return grid->regions != NULL ? FIRN_OK : FIRN_BROKEN_MEMORY;
}

static void link_regions(const void* self, firn_local begin, firn_local end)
{
    const firn_detail_grid* grid = self;
    for (firn_local r = begin; r < end; r++) {
        firn_detail_region* region = &grid->regions[r];
        region->block = -1;
        for (int way = 0; way < 27; way++) {
            const int32_t at[3] = {region->at[0] + way / 9 - 1, region->at[1] + way / 3 % 3 - 1,
                                   region->at[2] + way % 3 - 1};
            region->near[way] = firn_detail_grid_find(grid, at);
        }
    }
}

firn_result firn_detail_grid_create(firn_detail_grid* grid, const firn_density_volume* nodes,
                                    int32_t fine)
{
    *grid = (firn_detail_grid){.fine = fine, .side = 8 * fine, .node = nodes->voxel};
    for (int t = 0; t < fine; t++) {
        firn_real w[4];
        firn_bspline_weights((firn_real)t / (firn_real)fine, w);
        for (int k = 0; k < 4; k++) grid->weight[t][k] = (float)w[k];
    }
    FIRN_TRY(make_regions(grid, nodes));
    firn_share(grid->count, 64, link_regions, grid);
    for (firn_local b = 0; b < nodes->block_count; b++) {
        const int32_t at[3] = {nodes->origin[b][0] / 8, nodes->origin[b][1] / 8,
                               nodes->origin[b][2] / 8};
        const firn_local r = firn_detail_grid_find(grid, at);
        if (r >= 0) grid->regions[r].block = b;
    }
    return FIRN_OK;
}

void firn_detail_grid_destroy(firn_detail_grid* grid)
{
    firn_free(grid->regions);
    *grid = (firn_detail_grid){0};
}

// ---- values -------------------------------------------------------------------------------------

bool firn_detail_pad(const firn_detail_grid* grid, firn_local r, const float* values,
                     float out[FIRN_DETAIL_PADDED])
{
    static const int from[3] = {7, 0, 0}, length[3] = {1, 8, 2}, to[3] = {0, 1, 9};
    const firn_detail_region* region = &grid->regions[r];
    bool any = false;
    for (int way = 0; way < 27; way++) {
        const int a = way / 9, b = way / 3 % 3, c = way % 3;
        const firn_local other = region->near[way];
        const float* v = other < 0 ? NULL : values + (size_t)other * NODES;
        for (int i = 0; i < length[a]; i++)
            for (int j = 0; j < length[b]; j++) {
                float* row = out + ((to[a] + i) * PAD + to[b] + j) * PAD + to[c];
                for (int k = 0; k < length[c]; k++) {
                    row[k] = v == NULL ? 0 : v[((from[a] + i) * 8 + from[b] + j) * 8 + from[c] + k];
                    any |= row[k] != 0;
                }
            }
    }
    return any;
}

size_t firn_detail_scratch(const firn_detail_grid* grid)
{
    return (size_t)(PAD * (PAD + 1)) * (size_t)grid->side;
}

// Along the slowest axis: `rows` of `width` values each, nodes to voxels.
static void refine_axis(const firn_detail_grid* grid, const float* in, int width, float* out)
{
    for (int i = 0; i < grid->side; i++) {
        const float* w = grid->weight[i % grid->fine];
        const float *a = in + (size_t)(i / grid->fine) * (size_t)width, *b = a + width,
                    *c = b + width, *d = c + width;
        float* row = out + (size_t)i * (size_t)width;
#pragma omp simd
        for (int k = 0; k < width; k++)
            row[k] = w[0] * a[k] + w[1] * b[k] + w[2] * c[k] + w[3] * d[k];
    }
}

void firn_detail_refine(const firn_detail_grid* grid, const float nodes[FIRN_DETAIL_PADDED],
                        float* scratch, float* out)
{
    const int n = grid->side;
    float *x = scratch, *xy = scratch + n * PAD * PAD;  // [n][PAD][PAD], then [n][n] rows of PAD
    refine_axis(grid, nodes, PAD * PAD, x);
    for (int i = 0; i < n; i++) {
        refine_axis(grid, x + i * PAD * PAD, PAD, xy);
        for (int j = 0; j < n; j++) {
            const float* in = xy + j * PAD;
            float* row = out + ((size_t)i * (size_t)n + (size_t)j) * (size_t)n;
            for (int c = 0; c < 8; c++, in++)
                for (int t = 0; t < grid->fine; t++) {
                    const float* w = grid->weight[t];
                    *row++ = w[0] * in[0] + w[1] * in[1] + w[2] * in[2] + w[3] * in[3];
                }
        }
    }
}

// Along the slowest axis: voxels to nodes.
static void gather_axis(const firn_detail_grid* grid, const float* in, int width, float* out)
{
    memset(out, 0, (size_t)(PAD * width) * sizeof *out);
    for (int i = 0; i < grid->side; i++) {
        const float* w = grid->weight[i % grid->fine];
        float *a = out + (size_t)(i / grid->fine) * (size_t)width, *b = a + width, *c = b + width,
              *d = c + width;
        const float* row = in + (size_t)i * (size_t)width;
#pragma omp simd
        for (int k = 0; k < width; k++) {
            a[k] += w[0] * row[k];
            b[k] += w[1] * row[k];
            c[k] += w[2] * row[k];
            d[k] += w[3] * row[k];
        }
    }
}

void firn_detail_gather(const firn_detail_grid* grid, const float* voxels, float* scratch,
                        float out[FIRN_DETAIL_PADDED])
{
    const int n = grid->side;
    float *x = scratch, *xy = scratch + n * PAD * PAD;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const float* row = voxels + ((size_t)i * (size_t)n + (size_t)j) * (size_t)n;
            float* to = xy + j * PAD;
            memset(to, 0, PAD * sizeof *to);
            for (int c = 0; c < 8; c++, to++)
                for (int t = 0; t < grid->fine; t++, row++) {
                    const float* w = grid->weight[t];
                    to[0] += w[0] * *row;
                    to[1] += w[1] * *row;
                    to[2] += w[2] * *row;
                    to[3] += w[3] * *row;
                }
        }
        gather_axis(grid, xy, PAD, x + i * PAD * PAD);
    }
    gather_axis(grid, x, PAD * PAD, out);
}
