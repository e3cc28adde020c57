// SPDX-License-Identifier: MIT
// A density volume from the voxels of all regions.
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

// Blocks in the order of their origins: along x first by region, then by part, and so on; so keys
// are sorted.
static uint64_t key_of_part(const firn_detail* d, firn_local r, int part)
{
    const int fine = d->grid.fine;
    const int32_t* at = d->grid.regions[r].at;
    const int32_t b[3] = {at[0] * fine + part / (fine * fine), at[1] * fine + part / fine % fine,
                          at[2] * fine + part % fine};
    const int64_t bias = 1 << 20;
    return (uint64_t)(b[0] + bias) << 42 | (uint64_t)(b[1] + bias) << 21 | (uint64_t)(b[2] + bias);
}

typedef struct part_pass {
    const firn_detail* d;
    const uint64_t* packed;  // [block] region and part
    const firn_local* order;
    firn_density_volume* volume;
} part_pass;

static void copy_parts(const void* self, firn_local begin, firn_local end)
{
    const part_pass* pass = self;
    const firn_detail* d = pass->d;
    const int fine = d->grid.fine, parts = fine * fine * fine;
    for (firn_local b = begin; b < end; b++) {
        const uint64_t packed = pass->packed[pass->order != NULL ? pass->order[b] : b];
        const firn_local r = (firn_local)(packed / (uint64_t)parts);
        const int part = (int)(packed % (uint64_t)parts);
        const int32_t* at = d->grid.regions[r].at;
        int32_t* origin = pass->volume->origin[b];
        origin[0] = 8 * (at[0] * fine + part / (fine * fine));
        origin[1] = 8 * (at[1] * fine + part / fine % fine);
        origin[2] = 8 * (at[2] * fine + part % fine);
        copy_part(d, r, part, pass->volume->density + (size_t)b * VOXELS);
    }
}

firn_result firn_detail_collect(const firn_detail* d, firn_density_volume* volume)
{
    const int fine = d->grid.fine, parts = fine * fine * fine;
    firn_local n = 0;
    for (firn_local r = 0; r < d->grid.count; r++)
        for (int part = 0; part < parts; part++) n += copy_part(d, r, part, NULL);
    firn_key_sort sort = {0};
    uint64_t* packed = firn_alloc((size_t)n + 1, sizeof *packed);
    volume->origin = firn_alloc((size_t)n + 1, sizeof *volume->origin);
    volume->density = firn_alloc((size_t)n * VOXELS + 1, sizeof(float));
    firn_result result = firn_key_sort_reserve(&sort, n + 1, firn_team_size());
    if (packed == NULL || volume->origin == NULL || volume->density == NULL)
        result = FIRN_BROKEN_MEMORY;
    if (result == FIRN_OK) {
        for (firn_local r = 0; r < d->grid.count; r++)
            for (int part = 0; part < parts; part++) {
                if (!copy_part(d, r, part, NULL)) continue;
                sort.key[0][volume->block_count] = key_of_part(d, r, part);
                packed[volume->block_count++] = (uint64_t)r * (uint64_t)parts + (uint64_t)part;
            }
        part_pass pass = {d, packed, NULL, volume};
        const uint64_t* keys;
        firn_key_sort_run(&sort, n, &keys, &pass.order);
        firn_share(n, 4, copy_parts, &pass);
    }
    firn_key_sort_destroy(&sort);
    firn_free(packed);
    return result;
}
