// SPDX-License-Identifier: MIT
// A density volume from the voxels of all regions.
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "state/volume/detail_build.h"

enum { VOXELS = 512 };

// Block `part` of a region: whether anything is in it; `out` may be null.
static bool copy_part(const firn_detail* d, firn_local r, int part, float* out)
{
    const int fine = d->grid.fine, side = d->grid.side;
    const int at[3] = {part / (fine * fine) * 8, part / fine % fine * 8, part % fine * 8};
    const float* voxels = d->voxels + (size_t)r * firn_detail_voxels(d);
    bool any = false;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            const float* row =
                voxels + ((size_t)(at[0] + i) * (size_t)side + (size_t)(at[1] + j)) * (size_t)side +
                at[2];
            for (int k = 0; k < 8; k++) any |= row[k] != 0;
            if (out != NULL) memcpy(out + (i * 8 + j) * 8, row, 8 * sizeof *row);
        }
    return any;
}

// A block: part of a region, in the order of blocks' origins.
typedef struct detail_block {
    uint64_t key;
    firn_local region;
    int32_t part;
} detail_block;

static void block_at(const firn_detail* d, firn_local r, int part, int32_t out_at[3])
{
    const int fine = d->grid.fine;
    const int32_t* at = d->grid.regions[r].at;
    out_at[0] = at[0] * fine + part / (fine * fine);
    out_at[1] = at[1] * fine + part / fine % fine;
    out_at[2] = at[2] * fine + part % fine;
}

static detail_block make_block(const firn_detail* d, firn_local r, int part)
{
    int32_t at[3];
    block_at(d, r, part, at);
    uint64_t key = 0;
    for (int a = 0; a < 3; a++) key = key << 21 | (uint64_t)(at[a] + (1 << 20));
    return (detail_block){key, r, part};
}

static int by_key(const void* a, const void* b)
{
    const uint64_t x = ((const detail_block*)a)->key, y = ((const detail_block*)b)->key;
    return (x > y) - (x < y);
}

typedef struct copy_pass {
    const firn_detail* d;
    const detail_block* blocks;
    firn_density_volume* volume;
} copy_pass;

static void copy_blocks(const void* self, firn_local begin, firn_local end)
{
    const copy_pass* pass = self;
    for (firn_local b = begin; b < end; b++) {
        const detail_block* block = &pass->blocks[b];
        int32_t* origin = pass->volume->origin[b];
        block_at(pass->d, block->region, block->part, origin);
        for (int a = 0; a < 3; a++) origin[a] *= 8;
        copy_part(pass->d, block->region, block->part, pass->volume->density + (size_t)b * VOXELS);
    }
}

firn_result firn_detail_collect(const firn_detail* d, firn_density_volume* volume)
{
    const int fine = d->grid.fine, parts = fine * fine * fine;
    firn_local n = 0;
    for (firn_local r = 0; r < d->grid.count; r++)
        for (int part = 0; part < parts; part++) n += copy_part(d, r, part, NULL);
    detail_block* blocks = firn_alloc((size_t)n + 1, sizeof *blocks);
    volume->origin = firn_alloc((size_t)n + 1, sizeof *volume->origin);
    volume->density = firn_alloc((size_t)n * VOXELS + 1, sizeof(float));
    const bool good = blocks != NULL && volume->origin != NULL && volume->density != NULL;
    for (firn_local r = 0; good && r < d->grid.count; r++)
        for (int part = 0; part < parts; part++)
            if (copy_part(d, r, part, NULL)) blocks[volume->block_count++] = make_block(d, r, part);
    if (good) {
        qsort(blocks, (size_t)n, sizeof *blocks, by_key);
        firn_share(n, 4, copy_blocks, &(copy_pass){d, blocks, volume});
    }
    firn_free(blocks);
    return good ? FIRN_OK : FIRN_BROKEN_MEMORY;
}
