// SPDX-License-Identifier: MIT
// Connected components by union-find over the voxels. The lowest voxel of a set is its root,
// whatever the order in which sets are joined, so the result depends on the volume only.
#include "state/volume/fragments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/disjoint_sets.h"
#include "core/memory.h"

#define EDGE 8      // voxels along the edge of a block
#define VOXELS 512  // per block
#define WAYS 27     // neighbours of a block, itself included: (dx + 1) * 9 + (dy + 1) * 3 + dz + 1

typedef struct finder {
    const firn_density_volume* volume;
    double threshold;
    bool by_corners;
    firn_local* parent;  // owned: of every voxel; NONE below the threshold. Finally the label
    firn_fragment* items;
    firn_local count;
} finder;

// Index of the block with this origin by binary search; NONE: not found.
static firn_local find_block(const firn_density_volume* v, const int32_t origin[3])
{
    firn_local low = 0, high = v->block_count;
    while (low < high) {
        const firn_local middle = low + (high - low) / 2;
        const int32_t* at = v->origin[middle];
        int order = 0;
        for (int d = 0; d < 3 && order == 0; d++) order = (at[d] > origin[d]) - (at[d] < origin[d]);
        if (order == 0) return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return FIRN_FRAGMENT_NONE;
}

static bool shares_face(int way)
{
    const int off = (way / 9 != 1) + (way / 3 % 3 != 1) + (way % 3 != 1);
    return off == 1;
}

static void join_voxel(const finder* f, const firn_local blocks[WAYS], firn_local b, int n)
{
    const int at[3] = {n >> 6, n >> 3 & 7, n & 7};
    const firn_local voxel = b * VOXELS + n;
    for (int way = WAYS / 2 + 1; way < WAYS; way++) {  // the other half is symmetric
        if (!f->by_corners && !shares_face(way)) continue;
        const int to[3] = {at[0] + way / 9 - 1, at[1] + way / 3 % 3 - 1, at[2] + way % 3 - 1};
        int over = 0;
        for (int d = 0; d < 3; d++) over = over * 3 + (to[d] < 0 ? 0 : to[d] >= EDGE ? 2 : 1);
        if (blocks[over] == FIRN_FRAGMENT_NONE) continue;
        const firn_local other =
            blocks[over] * VOXELS + ((to[0] & 7) << 6 | (to[1] & 7) << 3 | (to[2] & 7));
        if (f->parent[other] != FIRN_FRAGMENT_NONE) firn_sets_join(f->parent, voxel, other);
    }
}

static void join_all(const finder* f)
{
    for (firn_local b = 0; b < f->volume->block_count; b++) {
        firn_local blocks[WAYS];
        for (int way = 0; way < WAYS; way++) {
            const int32_t origin[3] = {f->volume->origin[b][0] + EDGE * (way / 9 - 1),
                                       f->volume->origin[b][1] + EDGE * (way / 3 % 3 - 1),
                                       f->volume->origin[b][2] + EDGE * (way % 3 - 1)};
            blocks[way] = way == WAYS / 2 ? b : find_block(f->volume, origin);
        }
        for (int n = 0; n < VOXELS; n++)
            if (f->parent[b * VOXELS + n] != FIRN_FRAGMENT_NONE) join_voxel(f, blocks, b, n);
    }
}

// Gives every voxel the number of its set; sets are numbered by their first voxel. The first voxel
// of a set precedes all others, so its number is known when they are visited.
static bool number_sets(finder* f)
{
    const size_t total = (size_t)f->volume->block_count * VOXELS;
    firn_local capacity = 0;
    for (size_t k = 0; k < total; k++) {
        const firn_local parent = f->parent[k];
        if (parent == FIRN_FRAGMENT_NONE) continue;
        if ((size_t)parent < k) {
            f->parent[k] = f->parent[parent];
            continue;
        }
        if (!firn_reserve((void**)&f->items, &capacity, f->count + 1, sizeof *f->items))
            return false;
        f->items[f->count] = (firn_fragment){.low = {INT32_MAX, INT32_MAX, INT32_MAX},
                                             .high = {INT32_MIN, INT32_MIN, INT32_MIN}};
        f->parent[k] = f->count++;
    }
    return true;
}

static void add_voxel(finder* f, firn_local b, int n)
{
    const size_t k = (size_t)b * VOXELS + (size_t)n;
    if (f->parent[k] == FIRN_FRAGMENT_NONE) return;
    firn_fragment* item = &f->items[f->parent[k]];
    const double h = f->volume->voxel, mass = (double)f->volume->density[k] * h * h * h;
    const int32_t at[3] = {f->volume->origin[b][0] + (n >> 6),
                           f->volume->origin[b][1] + (n >> 3 & 7),
                           f->volume->origin[b][2] + (n & 7)};
    item->mass += mass;
    item->voxel_count++;
    for (int d = 0; d < 3; d++) {
        item->center[d] += mass * h * at[d];
        if (f->volume->velocity != NULL)
            item->velocity[d] += mass * (double)f->volume->velocity[3 * k + (size_t)d];
        if (at[d] < item->low[d]) item->low[d] = at[d];
        if (at[d] > item->high[d]) item->high[d] = at[d];
    }
}

static void measure_sets(finder* f)
{
    for (firn_local b = 0; b < f->volume->block_count; b++)
        for (int n = 0; n < VOXELS; n++) add_voxel(f, b, n);
    for (firn_local i = 0; i < f->count; i++)
        for (int d = 0; d < 3; d++) {
            f->items[i].center[d] /= f->items[i].mass;
            f->items[i].velocity[d] /= f->items[i].mass;
        }
}

typedef struct rank {
    double mass;
    firn_local index;
} rank;

static int by_mass(const void* a, const void* b)
{
    const rank *p = a, *q = b;
    if (p->mass != q->mass) return p->mass > q->mass ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

// Sorts fragments by descending mass and renumbers the labels.
static bool sort_sets(finder* f)
{
    rank* ranks = firn_alloc((size_t)f->count + 1, sizeof *ranks);
    firn_local* place = firn_alloc((size_t)f->count + 1, sizeof *place);
    firn_fragment* sorted = firn_alloc((size_t)f->count + 1, sizeof *sorted);
    const bool ok = ranks != NULL && place != NULL && sorted != NULL;
    for (firn_local i = 0; ok && i < f->count; i++) ranks[i] = (rank){f->items[i].mass, i};
    if (ok && f->count > 1) qsort(ranks, (size_t)f->count, sizeof *ranks, by_mass);
    for (firn_local i = 0; ok && i < f->count; i++) {
        sorted[i] = f->items[ranks[i].index];
        place[ranks[i].index] = i;
    }
    const size_t total = (size_t)f->volume->block_count * VOXELS;
    for (size_t k = 0; ok && k < total; k++)
        if (f->parent[k] != FIRN_FRAGMENT_NONE) f->parent[k] = place[f->parent[k]];
    firn_free(ok ? f->items : sorted);
    if (ok) f->items = sorted;
    firn_free(ranks);
    firn_free(place);
    return ok;
}

firn_result firn_fragments_find(const firn_density_volume* volume, double threshold,
                                bool by_corners, firn_fragments* out_fragments, firn_error* error)
{
    if (!(threshold > 0 && isfinite(threshold)))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "fragments: the threshold is %g kg/m^3, it must be above 0", threshold);
    if (volume->block_count > INT32_MAX / VOXELS)
        return firn_fail(
            error, FIRN_REFUSED_ARGUMENT,
            "fragments: the volume has %d blocks, at most %d are supported: use larger "
            "voxels",
            (int)volume->block_count, INT32_MAX / VOXELS);
    const firn_local total = volume->block_count * VOXELS;
    finder f = {.volume = volume, .threshold = threshold, .by_corners = by_corners};
    f.parent = firn_alloc((size_t)total + 1, sizeof *f.parent);
    bool ok = f.parent != NULL;
    for (firn_local k = 0; ok && k < total; k++)
        f.parent[k] = (double)volume->density[k] >= threshold ? k : FIRN_FRAGMENT_NONE;
    if (ok) join_all(&f);
    ok = ok && number_sets(&f);
    if (ok) measure_sets(&f);
    ok = ok && sort_sets(&f);
    if (!ok) {
        firn_free(f.parent);
        firn_free(f.items);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the fragments of %d blocks",
                         (int)volume->block_count);
    }
    *out_fragments = (firn_fragments){.items = f.items, .count = f.count, .label = f.parent};
    return FIRN_OK;
}

void firn_fragments_destroy(firn_fragments* fragments)
{
    firn_free(fragments->items);
    firn_free(fragments->label);
    *fragments = (firn_fragments){0};
}

// The label of one voxel.
static firn_local label_of(const firn_fragments* fragments, const firn_density_volume* volume,
                           const int32_t voxel[3])
{
    int32_t origin[3], inside[3];
    for (int d = 0; d < 3; d++) {
        inside[d] = voxel[d] & (EDGE - 1);
        origin[d] = voxel[d] - inside[d];
    }
    const firn_local b = find_block(volume, origin);
    if (b == FIRN_FRAGMENT_NONE) return FIRN_FRAGMENT_NONE;
    return fragments->label[b * VOXELS + (inside[0] << 6 | inside[1] << 3 | inside[2])];
}

firn_local firn_fragments_at(const firn_fragments* fragments, const firn_density_volume* volume,
                             firn_vec3 x)
{
    const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
    int32_t low[3];
    double past[3];  // [voxels] from `low`
    for (int d = 0; d < 3; d++) {
        const double voxels = at[d] / volume->voxel;
        if (!(fabs(voxels) < INT32_MAX / 2)) return FIRN_FRAGMENT_NONE;
        low[d] = (int32_t)floor(voxels);
        past[d] = voxels - low[d];
    }
    firn_local found = FIRN_FRAGMENT_NONE;
    double nearest = INFINITY;
    for (int corner = 0; corner < 8; corner++) {
        int32_t voxel[3];
        double away = 0;
        for (int d = 0; d < 3; d++) {
            const int up = corner >> (2 - d) & 1;
            voxel[d] = low[d] + up;
            away += (past[d] - up) * (past[d] - up);
        }
        if (!(away < nearest)) continue;
        const firn_local label = label_of(fragments, volume, voxel);
        if (label == FIRN_FRAGMENT_NONE) continue;
        found = label;
        nearest = away;
    }
    return found;
}
