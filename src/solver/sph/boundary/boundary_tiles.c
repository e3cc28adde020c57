// SPDX-License-Identifier: MIT
// Which tiles exist, and in which order they are sampled. The particles of a tile keep their
// distance from those of neighbours with a lower parity; x is the highest bit, z the lowest:
//
//     0 1 0 1     all tiles of parity 0 first, each independently; then those of parity 1, which
//     2 3 2 3     have two neighbours of parity 0 in this plane; then 2, 3 and so on up to 7. Tiles
//     0 1 0 1     of the same parity never touch, so they are sampled in parallel.
// Hence a tile needs its neighbours of lower parity, and these theirs, but every chain ends at
// parity 0. For the volumes V_b of its particles an active tile needs all its neighbours.
#include "solver/sph/boundary/boundary_tiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "geometry/collider/collider.h"
#include "physics/sph_kernel.h"

#define VISIT_SPACINGS 4  // [h] edge of the cells that record visits
#define PARITIES 8

void firn_tiles_clear(firn_tiles* tiles)
{
    for (firn_local t = 0; t < tiles->count; t++) firn_free(tiles->items[t].points);
    firn_free(tiles->items);
    firn_free(tiles->active);
    firn_free(tiles->found);
    firn_cell_table_destroy(&tiles->table);
    firn_cell_table_destroy(&tiles->visited);
    *tiles = (firn_tiles){.spacing = tiles->spacing,
                          .factor = tiles->factor,
                          .depth = tiles->depth,
                          .seed = tiles->seed};
}

void firn_tiles_destroy(firn_tiles* tiles)
{
    firn_tiles_clear(tiles);
    *tiles = (firn_tiles){0};
}

const firn_tile* firn_tiles_at(const firn_tiles* tiles, uint64_t key)
{
    const firn_local t = firn_cell_table_find(&tiles->table, key);
    return t >= 0 ? &tiles->items[t] : NULL;
}

static firn_result fail(firn_tiles* tiles, firn_error* error)
{
    const firn_local count = tiles->count;
    firn_tiles_clear(tiles);
    if (count < FIRN_TILES_MAX)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the particles of a body");
    return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                     "the surface of a body needs more than %d tiles of %g m for particles %g m "
                     "apart: larger particles, or a smaller body",
                     FIRN_TILES_MAX, FIRN_TILE_SPACINGS * tiles->spacing, tiles->spacing);
}

// ---- creating tiles -----------------------------------------------------------------------------

static firn_tile_box box_of(const firn_tiles* tiles, const firn_tile* tile)
{
    return (firn_tile_box){.at = {tile->at[0], tile->at[1], tile->at[2]},
                           .spacing = tiles->spacing,
                           .seed = tiles->seed};
}

static firn_vec3 middle_of(const firn_tiles* tiles, const int64_t at[3], double size)
{
    const double edge = FIRN_TILE_SPACINGS * tiles->spacing;
    return firn_v3((firn_real)(((double)at[0] + size / 2) * edge),
                   (firn_real)(((double)at[1] + size / 2) * edge),
                   (firn_real)(((double)at[2] + size / 2) * edge));
}

// The tile at a cell; a new one is not sampled yet. False: out of memory, or too many tiles. Beyond
// FIRN_CELL_MAX, where floats do not resolve particles, there is no tile: -1.
static bool get_tile(firn_tiles* tiles, const firn_surface* surface, const int64_t at[3],
                     firn_local* out_tile)
{
    const uint64_t key = firn_cell_key(at[0], at[1], at[2]);
    *out_tile = -1;
    if (key == 0) return true;
    *out_tile = firn_cell_table_find(&tiles->table, key);
    if (*out_tile >= 0) return true;
    if (tiles->count >= FIRN_TILES_MAX || !firn_cell_table_reserve(&tiles->table, 1) ||
        !firn_reserve((void**)&tiles->items, &tiles->capacity, tiles->count + 1,
                      sizeof *tiles->items))
        return false;
    *out_tile = tiles->count++;
    firn_tile* tile = &tiles->items[*out_tile];
    *tile = (firn_tile){.at = {(int32_t)at[0], (int32_t)at[1], (int32_t)at[2]}};
    tile->empty = firn_surface_misses(surface, middle_of(tiles, at, 1),
                                      FIRN_TILE_SPACINGS * tiles->spacing / 2);
    firn_cell_table_add(&tiles->table, key, *out_tile);
    return true;
}

static bool activate(firn_tiles* tiles, const firn_surface* surface, const int64_t at[3])
{
    firn_local t;
    if (!get_tile(tiles, surface, at, &t)) return false;
    if (t >= 0) tiles->items[t].active = !tiles->items[t].empty;
    return true;
}

static int parity_of(const int32_t at[3])
{
    return (at[0] & 1) << 2 | (at[1] & 1) << 1 | (at[2] & 1);
}

// Neighbour n (0..26, 13: itself) of a cell.
static void neighbour_of(const int32_t at[3], int n, int32_t out[3])
{
    out[0] = at[0] + n % 3 - 1;
    out[1] = at[1] + n / 3 % 3 - 1;
    out[2] = at[2] + n / 9 - 1;
}

// Creates the missing neighbours of tile t whose parity is below `below`.
static bool make_neighbours(firn_tiles* tiles, const firn_surface* surface, firn_local t, int below)
{
    for (int n = 0; n < 27; n++) {
        int32_t at[3];
        neighbour_of(tiles->items[t].at, n, at);
        if (n == 13 || parity_of(at) >= below) continue;
        const int64_t wide[3] = {at[0], at[1], at[2]};
        firn_local unused;
        if (!get_tile(tiles, surface, wide, &unused)) return false;
    }
    return true;
}

// Creates all tiles that active ones need. Tiles from `first` on are new.
static bool close_tiles(firn_tiles* tiles, const firn_surface* surface, firn_local first)
{
    const firn_local known = tiles->count;
    for (firn_local t = 0; t < known; t++)
        if (tiles->items[t].active && !tiles->items[t].complete &&
            !make_neighbours(tiles, surface, t, PARITIES))
            return false;
    // Tiles added here have a lower parity, so a later iteration handles them.
    for (int parity = PARITIES - 1; parity > 0; parity--)
        for (firn_local t = first; t < tiles->count; t++)
            if (!tiles->items[t].empty && parity_of(tiles->items[t].at) == parity &&
                !make_neighbours(tiles, surface, t, parity))
                return false;
    return true;
}

// ---- sampling tiles -----------------------------------------------------------------------------

// The points of the neighbours with a parity below `below` that are within `margin` of tile t.
static bool gather(const firn_tiles* tiles, firn_local t, int below, double margin,
                   firn_surface_points* points)
{
    const firn_tile_box box = box_of(tiles, &tiles->items[t]);
    points->count = 0;
    for (int n = 0; n < 27; n++) {
        int32_t at[3];
        neighbour_of(box.at, n, at);
        if (n == 13 || parity_of(at) >= below) continue;
        const firn_tile* tile = firn_tiles_at(tiles, firn_cell_key(at[0], at[1], at[2]));
        for (firn_local p = 0; tile != NULL && p < tile->count; p++) {
            // Do not copy the volume: another thread may be writing it.
            const firn_surface_point other = {.x = tile->points[p].x,
                                              .normal = tile->points[p].normal};
            if (firn_tile_sees(&box, margin, other.x) && !firn_surface_points_add(points, other))
                return false;
        }
    }
    return true;
}

static bool sample_tile(firn_tiles* tiles, const firn_surface* surface, firn_local t,
                        firn_tile_scratch* scratch)
{
    firn_tile* tile = &tiles->items[t];
    const firn_tile_box box = box_of(tiles, tile);
    const double radius = FIRN_DISC_RADIUS * tiles->spacing;
    if (!gather(tiles, t, parity_of(tile->at), radius, &scratch->points)) return false;
    const firn_local around = scratch->points.count;
    if (firn_tile_sample(surface, &box, scratch) != FIRN_OK) return false;
    const firn_local count = scratch->points.count - around;
    if (count == 0) return true;
    tile->points = firn_alloc((size_t)count, sizeof *tile->points);
    if (tile->points == NULL) return false;
    memcpy(tile->points, scratch->points.items + around, (size_t)count * sizeof *tile->points);
    tile->count = count;
    return true;
}

static bool complete_tile(firn_tiles* tiles, const firn_surface* surface, firn_local t,
                          firn_tile_scratch* scratch)
{
    firn_tile* tile = &tiles->items[t];
    if (!gather(tiles, t, PARITIES, FIRN_SPH_SUPPORT * tiles->spacing, &scratch->points))
        return false;
    firn_tile_volumes(tile->points, tile->count, &scratch->points, tiles->spacing, tiles->factor);
    for (firn_local p = 0; p < tile->count; p++) {
        firn_surface_point* at = &tile->points[p];
        at->inside = firn_surface_sink(surface, at->x, at->normal, tiles->depth);
    }
    tile->complete = true;
    return true;
}

typedef struct filling {
    firn_tiles* tiles;
    const firn_surface* surface;
    firn_local first;  // tile
    int parity;        // of the tiles to sample; PARITIES: completes all
    int* failed;       // out: 1: out of memory
} filling;

// Every tile is written by one part, and none is read while it is written: sampling a parity
// reads only lower ones, and no other tile reads volumes.
static void fill_range(const void* self, firn_local begin, firn_local end)
{
    const filling* f = self;
    firn_tile_scratch scratch = {0};
    for (firn_local t = f->first + begin; t < f->first + end; t++) {
        const firn_tile* tile = &f->tiles->items[t];
        bool ok = true;
        if (f->parity == PARITIES && tile->active && !tile->complete)
            ok = complete_tile(f->tiles, f->surface, t, &scratch);
        else if (!tile->empty && parity_of(tile->at) == f->parity)
            ok = sample_tile(f->tiles, f->surface, t, &scratch);
        if (!ok) firn_atomic_or(f->failed, 1);
    }
    firn_tile_scratch_destroy(&scratch);
}

static bool fill_tiles(firn_tiles* tiles, const firn_surface* surface, firn_local first)
{
    int failed = 0;
    for (int parity = 0; parity <= PARITIES && !failed; parity++) {
        const filling f = {tiles, surface, parity < PARITIES ? first : 0, parity, &failed};
        firn_share(tiles->count - f.first, 1, fill_range, &f);  // 50 us or nothing
    }
    return !failed;
}

static int by_key(const void* a, const void* b)
{
    const uint64_t p = *(const uint64_t*)a, q = *(const uint64_t*)b;
    return p < q ? -1 : p > q;
}

static bool list_active(firn_tiles* tiles)
{
    firn_local count = 0;
    int64_t points = 0;
    if (!firn_reserve((void**)&tiles->active, &tiles->active_capacity, tiles->count,
                      sizeof *tiles->active))
        return false;
    for (firn_local t = 0; t < tiles->count; t++) {
        const int32_t* at = tiles->items[t].at;
        if (tiles->items[t].active) tiles->active[count++] = firn_cell_key(at[0], at[1], at[2]);
    }
    if (count > 1) qsort(tiles->active, (size_t)count, sizeof *tiles->active, by_key);
    tiles->active_count = count;
    for (firn_local k = 0; k < count; k++) {
        firn_tile* tile = &tiles->items[firn_cell_table_find(&tiles->table, tiles->active[k])];
        tile->first = points;
        points += tile->count;
    }
    tiles->point_count = points;
    return true;
}

static bool finish(firn_tiles* tiles, const firn_surface* surface, firn_local first)
{
    return close_tiles(tiles, surface, first) && fill_tiles(tiles, surface, first) &&
           list_active(tiles);
}

// ---- visits by snow -----------------------------------------------------------------------------

typedef struct visit {
    firn_tiles* tiles;
    const firn_surface* surface;
    const firn_collider* collider;
    const firn_vec3* near;
    double reach, own_reach;  // [m] in world space, in the shape's coordinates
    int64_t* found;           // out: how many cells
} visit;
// Cells around points near the surface that were not visited before; may contain duplicates.
static void find_new(const void* self, firn_local begin, firn_local end)
{
    const visit* v = self;
    const firn_real r = (firn_real)v->reach;
    const double edge = VISIT_SPACINGS * v->tiles->spacing;
    for (firn_local p = begin; p < end; p++) {
        const firn_vec3 x = v->near[p];
        if (firn_collider_misses_box(v->collider, firn_v3(x.x - r, x.y - r, x.z - r),
                                     firn_v3(x.x + r, x.y + r, x.z + r)))
            continue;
        const firn_vec3 own = firn_pose_to_body(&v->collider->pose, x);
        if (!(sqrt((double)firn_v3_dot(own, own)) < 1e15 * edge)) continue;  // no key names it
        const uint64_t key = firn_cell_key((int64_t)floor((double)own.x / edge),
                                           (int64_t)floor((double)own.y / edge),
                                           (int64_t)floor((double)own.z / edge));
        if (key == 0 || firn_cell_table_find(&v->tiles->visited, key) >= 0) continue;
        if (fabs((double)firn_surface_phi(v->surface, own).distance) > v->own_reach) continue;
        v->tiles->found[firn_atomic_add(v->found, 1)] = key;
    }
}

// Activates the tiles around a cell.
static bool visit_cell(firn_tiles* tiles, const firn_surface* surface, uint64_t key)
{
    if (firn_cell_table_find(&tiles->visited, key) >= 0) return true;
    if (!firn_cell_table_reserve(&tiles->visited, 1)) return false;
    firn_cell_table_add(&tiles->visited, key, 0);
    int32_t cell[3];
    firn_cell_of_key(key, cell);
    int64_t low[3], high[3], at[3];
    for (int d = 0; d < 3; d++) {
        const double from = cell[d] * VISIT_SPACINGS * tiles->spacing;
        const double edge = FIRN_TILE_SPACINGS * tiles->spacing;
        low[d] = (int64_t)floor((from - tiles->reach) / edge);
        high[d] = (int64_t)floor((from + VISIT_SPACINGS * tiles->spacing + tiles->reach) / edge);
    }
    for (at[2] = low[2]; at[2] <= high[2]; at[2]++)
        for (at[1] = low[1]; at[1] <= high[1]; at[1]++)
            for (at[0] = low[0]; at[0] <= high[0]; at[0]++)
                if (!activate(tiles, surface, at)) return false;
    return true;
}

firn_result firn_tiles_visit(firn_tiles* tiles, const firn_surface* surface,
                             const firn_collider* collider, const firn_vec3* near,
                             firn_local near_count, double reach, bool* out_grew, firn_error* error)
{
    *out_grew = false;
    const double own_reach = reach / (double)collider->pose.scale;
    if (own_reach > tiles->reach) {
        firn_cell_table_clear(&tiles->visited);
        tiles->reach = own_reach;
    }
    if (!firn_reserve((void**)&tiles->found, &tiles->found_capacity, near_count,
                      sizeof *tiles->found))
        return fail(tiles, error);
    int64_t found = 0;
    const visit v = {tiles, surface, collider, near, reach, own_reach, &found};
    firn_share(near_count, 128, find_new, &v);  // 10 to 100 ns
    if (found == 0) return FIRN_OK;
    const firn_local first = tiles->count, before = tiles->active_count;
    for (int64_t k = 0; k < found; k++)
        if (!visit_cell(tiles, surface, tiles->found[k])) return fail(tiles, error);
    if (!finish(tiles, surface, first)) return fail(tiles, error);
    *out_grew = tiles->active_count != before;
    return FIRN_OK;
}

// ---- whole surfaces -----------------------------------------------------------------------------

typedef struct tile_range {
    int64_t low[3], high[3];  // inclusive
} tile_range;

// Activates the tiles in a cube of `size` tiles per side, with low corner `at`, within the range.
static bool fill_cube(firn_tiles* tiles, const firn_surface* surface, const tile_range* range,
                      const int64_t at[3], int64_t size)
{
    for (int d = 0; d < 3; d++)
        if (at[d] > range->high[d] || at[d] + size <= range->low[d]) return true;
    if (size == 1) return activate(tiles, surface, at);
    if (firn_surface_misses(surface, middle_of(tiles, at, (double)size),
                            (double)size * FIRN_TILE_SPACINGS * tiles->spacing / 2))
        return true;
    for (int n = 0; n < 8; n++) {
        const int64_t part[3] = {at[0] + (n & 1) * size / 2, at[1] + (n >> 1 & 1) * size / 2,
                                 at[2] + (n >> 2) * size / 2};
        if (!fill_cube(tiles, surface, range, part, size / 2)) return false;
    }
    return true;
}

firn_result firn_tiles_fill(firn_tiles* tiles, const firn_surface* surface, firn_box3 box,
                            firn_error* error)
{
    const double h = tiles->spacing;
    const tile_range range = {{firn_tile_index(box.low.x, h), firn_tile_index(box.low.y, h),
                               firn_tile_index(box.low.z, h)},
                              {firn_tile_index(box.high.x, h), firn_tile_index(box.high.y, h),
                               firn_tile_index(box.high.z, h)}};
    int64_t size = 1;
    for (int d = 0; d < 3; d++)
        while (range.low[d] + size <= range.high[d]) size *= 2;
    const firn_local first = tiles->count;
    if (!fill_cube(tiles, surface, &range, range.low, size) || !finish(tiles, surface, first))
        return fail(tiles, error);
    return FIRN_OK;
}
