// SPDX-License-Identifier: MIT
// Lists the blocks that the band reaches, triangle by triangle, then fills each with distances.
#include "output/export/narrow_band.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "geometry/levelset/level_set_triangles.h"
#include "math/vec3.h"
#include "state/surface/isosurface_nodes.h"

#define REACH (FIRN_BAND_HALF_WIDTH + 1)  // [voxels]; one more, for rounding
#define FAR (8.0 * FIRN_NODE_BIAS - 16)   // [voxels] from the origin

typedef struct key_list {
    uint64_t* keys;  // owned
    firn_local count, capacity;
} key_list;

static int compare_keys(const void* a, const void* b)
{
    const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

static void sort_unique(key_list* list)
{
    firn_local n = 0;
    if (list->count > 0) qsort(list->keys, (size_t)list->count, sizeof *list->keys, compare_keys);
    for (firn_local k = 0; k < list->count; k++)
        if (k == 0 || list->keys[k] != list->keys[n - 1]) list->keys[n++] = list->keys[k];
    list->count = n;
}

static firn_result add_key(key_list* list, uint64_t key, firn_error* error)
{
    if (list->count == list->capacity) {
        sort_unique(list);  // most are duplicates: triangles are smaller than blocks
        if (list->count > list->capacity / 2 || list->capacity == 0)
            if (!firn_reserve((void**)&list->keys, &list->capacity, 2 * list->count + 4096,
                              sizeof *list->keys))
                return firn_fail(error, FIRN_BROKEN_MEMORY,
                                 "out of memory for a level set of %d blocks: use a larger voxel",
                                 (int)list->count);
    }
    list->keys[list->count++] = key;
    return FIRN_OK;
}

// Blocks within reach of a triangle's box.
static firn_result add_triangle(key_list* list, const firn_isosurface* s, firn_local t,
                                double voxel, firn_error* error)
{
    firn_vec3 low = s->vertices[s->triangles[t][0]], high = low;
    for (int c = 1; c < 3; c++) {
        low = firn_v3_min(low, s->vertices[s->triangles[t][c]]);
        high = firn_v3_max(high, s->vertices[s->triangles[t][c]]);
    }
    const double from[3] = {(double)low.x / voxel, (double)low.y / voxel, (double)low.z / voxel};
    const double to[3] = {(double)high.x / voxel, (double)high.y / voxel, (double)high.z / voxel};
    int32_t first[3], last[3];
    for (int d = 0; d < 3; d++) {
        if (!(from[d] > -FAR && to[d] < FAR))
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "a level set with voxels of %g m around (%g, %g, %g) m: more than %g "
                             "voxels from the origin; use a larger voxel",
                             voxel, (double)low.x, (double)low.y, (double)low.z, FAR);
        first[d] = (int32_t)floor(from[d] - REACH) >> 3;
        last[d] = (int32_t)ceil(to[d] + REACH) >> 3;
    }
    for (int32_t i = first[0]; i <= last[0]; i++)
        for (int32_t j = first[1]; j <= last[1]; j++)
            for (int32_t k = first[2]; k <= last[2]; k++)
                FIRN_TRY(add_key(list, firn_node_key(i, j, k), error));
    return FIRN_OK;
}

typedef struct fill_pass {
    const firn_triangle_solid* solid;
    firn_narrow_band* band;
} fill_pass;

static void fill_blocks(const void* self, firn_local begin, firn_local end)
{
    const fill_pass* a = self;
    for (firn_local b = begin; b < end; b++) {
        const int32_t* o = a->band->origin[b];
        const double h = a->band->voxel;
        firn_vec3 x[FIRN_NODE_VOXELS];
        firn_real phi[FIRN_NODE_VOXELS];
        for (int n = 0; n < FIRN_NODE_VOXELS; n++)
            x[n] =
                firn_v3((firn_real)((o[0] + (n >> 6)) * h), (firn_real)((o[1] + (n >> 3 & 7)) * h),
                        (firn_real)((o[2] + (n & 7)) * h));
        firn_triangle_solid_fill(a->solid, x, a->band->background, phi);
        float* out = a->band->phi + (size_t)b * FIRN_NODE_VOXELS;
        for (int n = 0; n < FIRN_NODE_VOXELS; n++) out[n] = (float)phi[n];
    }
}

static firn_result fill(const firn_isosurface* s, const key_list* list, firn_narrow_band* band,
                        firn_error* error)
{
    band->origin = firn_alloc((size_t)list->count, sizeof *band->origin);
    band->phi = firn_alloc((size_t)list->count * FIRN_NODE_VOXELS, sizeof *band->phi);
    if (band->origin == NULL || band->phi == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY,
                         "out of memory for a level set of %d blocks: use a larger voxel",
                         (int)list->count);
    band->block_count = list->count;
    for (firn_local b = 0; b < list->count; b++) {
        firn_node_block(list->keys[b], band->origin[b]);
        for (int d = 0; d < 3; d++) band->origin[b][d] *= 8;
    }
    const firn_mesh mesh = {.vertices = s->vertices,
                            .vertex_count = s->vertex_count,
                            .triangles = s->triangles,
                            .triangle_count = s->triangle_count};
    firn_triangle_solid solid;
    const firn_result r = firn_triangle_solid_open(&mesh, band->voxel, 1, &solid, error);
    if (r == FIRN_OK) firn_share(band->block_count, 1, fill_blocks, &(fill_pass){&solid, band});
    firn_triangle_solid_close(&solid);
    return r;
}

firn_result firn_narrow_band_make(const firn_isosurface* surface, double voxel,
                                  firn_narrow_band* out_band, firn_error* error)
{
    key_list list = {0};
    firn_result r = FIRN_OK;
    *out_band = (firn_narrow_band){.voxel = voxel, .background = FIRN_BAND_HALF_WIDTH * voxel};
    for (firn_local t = 0; t < surface->triangle_count && r == FIRN_OK; t++)
        r = add_triangle(&list, surface, t, voxel, error);
    sort_unique(&list);
    if (r == FIRN_OK && list.count > 0) r = fill(surface, &list, out_band, error);
    firn_free(list.keys);
    if (r != FIRN_OK) firn_narrow_band_destroy(out_band);
    return r;
}

void firn_narrow_band_destroy(firn_narrow_band* band)
{
    firn_free(band->origin);
    firn_free(band->phi);
    *band = (firn_narrow_band){0};
}
