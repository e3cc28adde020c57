// SPDX-License-Identifier: MIT
#include "geometry/sampling/packing.h"

#include <math.h>

#include "core/memory.h"
#include "geometry/sdf/evaluate.h"
#include "math/random.h"

#define TILE 1000  // spheres per tile
#define TILE_SEED 0x7061636bu
#define ROUNDS 3000         // iterations at most
#define LIST_ROUNDS 10      // lifetime of a neighbour list while spheres still move much
#define LIST_EARLY 200      // iterations; later lists live ten times as long
#define LIST_REACH 1.35     // [diameters]
#define LISTED (TILE * 16)  // capacity of the neighbour list [pairs]
#define TOUCH 1e-3          // [diameters] overlap at convergence
#define CENTRES_MAX 4e9     // limit of candidate centres

// Sphere centres in units of the diameter, in a periodic cube.
typedef struct tile {
    double x[TILE][3];
    double size;  // [diameters]
} tile;

typedef struct pair_table {
    int32_t count;
    int16_t a[LISTED], b[LISTED];
} pair_table;

// The vector from a to the nearest periodic image of b.
static double apart(const tile* t, int a, int b, double out_way[3])
{
    double sum = 0;
    for (int d = 0; d < 3; d++) {
        double way = t->x[b][d] - t->x[a][d];
        way -= t->size * floor(way / t->size + 0.5);
        out_way[d] = way;
        sum += way * way;
    }
    return sum;
}

static void list_pairs(const tile* t, pair_table* list)
{
    double way[3];
    list->count = 0;
    for (int a = 0; a < TILE; a++)
        for (int b = a + 1; b < TILE; b++)
            if (apart(t, a, b, way) < LIST_REACH * LIST_REACH && list->count < LISTED) {
                list->a[list->count] = (int16_t)a;
                list->b[list->count++] = (int16_t)b;
            }
}

// Separates overlapping pairs one after the other (Gauss-Seidel). Returns the largest overlap.
static double relax(tile* t, const pair_table* list)
{
    double most = 0, way[3];
    for (int32_t k = 0; k < list->count; k++) {
        const int a = list->a[k], b = list->b[k];
        const double d2 = apart(t, a, b, way);
        if (d2 >= 1) continue;
        const double distance = sqrt(d2), overlap = 1 - distance;
        const double share = 0.5 * overlap / (distance > 1e-9 ? distance : 1e-9);
        most = overlap > most ? overlap : most;
        for (int d = 0; d < 3; d++) {
            t->x[a][d] -= share * way[d];
            t->x[b][d] += share * way[d];
        }
    }
    return most;
}

static firn_result make_tile(tile* t)
{
    pair_table* list = firn_alloc(1, sizeof *list);
    if (list == NULL) return FIRN_BROKEN_MEMORY;
    t->size = cbrt(TILE / FIRN_PACKING_DENSITY);
    for (int k = 0; k < TILE; k++)
        for (int d = 0; d < 3; d++)
            t->x[k][d] = t->size * firn_random_unit(TILE_SEED, (uint64_t)(3 * k + d));
    for (int round = 0; round < ROUNDS; round++) {
        const int holds = round < LIST_EARLY ? LIST_ROUNDS : 10 * LIST_ROUNDS;
        if (round % holds == 0) list_pairs(t, list);
        if (relax(t, list) < TOUCH) break;
    }
    for (int k = 0; k < TILE; k++)
        for (int d = 0; d < 3; d++) t->x[k][d] -= t->size * floor(t->x[k][d] / t->size);
    firn_free(list);
    return FIRN_OK;
}

// Tiles are rotated against the axes, so that a face of a box cuts each tile differently and the
// pattern along an edge does not repeat. The rotation of the unit quaternion (8, 2, 4,
// 5)/sqrt(109).
static const double turn[3][3] = {
    {(64 + 4 - 16 - 25) / 109.0, (16 - 80) / 109.0, (20 + 64) / 109.0},
    {(16 + 80) / 109.0, (64 - 4 + 16 - 25) / 109.0, (40 - 32) / 109.0},
    {(20 - 64) / 109.0, (40 + 32) / 109.0, (64 - 4 - 16 + 25) / 109.0}};

// The AABB of a box in the coordinates of the tiles. An infinite one stays infinite.
static void turned_box(const firn_box3* box, double low[3], double high[3])
{
    const double from[3] = {(double)box->low.x, (double)box->low.y, (double)box->low.z};
    const double to[3] = {(double)box->high.x, (double)box->high.y, (double)box->high.z};
    for (int d = 0; d < 3; d++) {
        low[d] = high[d] = 0;
        for (int k = 0; k < 3; k++) {
            const double a = turn[k][d] * from[k], b = turn[k][d] * to[k];
            low[d] += a < b ? a : b;
            high[d] += a < b ? b : a;
        }
    }
}

// Range of tiles that overlap the box, per axis: `side` tiles from `first` on.
typedef struct tiling {
    int64_t first[3], side[3];
} tiling;

static firn_result lay_tiles(const firn_box3* box, double edge, tiling* out, firn_error* error)
{
    const double from[3] = {(double)box->low.x, (double)box->low.y, (double)box->low.z};
    const double to[3] = {(double)box->high.x, (double)box->high.y, (double)box->high.z};
    for (int d = 0; d < 3; d++) {
        if (from[d] > to[d])
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "the shape is empty: its parts do not overlap");
        if (!(from[d] > -(double)FIRN_REAL_MAX && to[d] < (double)FIRN_REAL_MAX))
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "the shape has no end along %c: only bounded shapes can be filled; "
                             "intersect it with a box",
                             "xyz"[d]);
    }
    double low[3], high[3], first[3], side[3], total = TILE;
    turned_box(box, low, high);
    for (int d = 0; d < 3; d++) {
        first[d] = floor(low[d] / edge);
        side[d] = floor(high[d] / edge) - first[d] + 1;
        total *= side[d];
    }
    if (!(total < CENTRES_MAX))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "the box around the shape holds about %.2g grains, at most %.0e can be "
                         "placed: use grains %.2g times as large, or a smaller shape",
                         total, CENTRES_MAX, 1.1 * cbrt(total / CENTRES_MAX));
    for (int d = 0; d < 3; d++) {
        out->first[d] = (int64_t)first[d];
        out->side[d] = (int64_t)side[d];
    }
    return FIRN_OK;
}

// Appends the centres of one tile that lie in the shape.
static firn_result fill_tile(const tile* t, const int64_t at[3], const firn_shapes* shapes,
                             firn_local shape, firn_real diameter, firn_points* points,
                             firn_error* error)
{
    const double d = (double)diameter;
    if (!firn_reserve((void**)&points->position, &points->capacity, points->count + TILE,
                      sizeof *points->position))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for %d grains", (int)points->count);
    for (int k = 0; k < TILE; k++) {
        double own[3], world[3] = {0, 0, 0};
        for (int c = 0; c < 3; c++) own[c] = ((double)at[c] * t->size + t->x[k][c]) * d;
        for (int c = 0; c < 3; c++)
            world[c] = turn[c][0] * own[0] + (turn[c][1] * own[1] + turn[c][2] * own[2]);
        const firn_vec3 x = firn_v3((firn_real)world[0], (firn_real)world[1], (firn_real)world[2]);
        if (firn_shape_distance(shapes, shape, x) <=
            (firn_real)(-0.5 * FIRN_PACKING_INSIDE) * diameter)
            points->position[points->count++] = x;
    }
    return FIRN_OK;
}

static firn_result fill(const tile* t, const firn_shapes* shapes, firn_local shape,
                        firn_real diameter, firn_points* points, firn_error* error)
{
    const firn_box3 box = firn_shape_bounds(shapes, shape);
    tiling tiles;
    FIRN_TRY(lay_tiles(&box, t->size * (double)diameter, &tiles, error));
    const firn_local before = points->count;
    for (int64_t k = 0; k < tiles.side[0] * tiles.side[1] * tiles.side[2]; k++) {
        const int64_t at[3] = {tiles.first[0] + k % tiles.side[0],
                               tiles.first[1] + k / tiles.side[0] % tiles.side[1],
                               tiles.first[2] + k / (tiles.side[0] * tiles.side[1])};
        const bool full = points->count > INT32_MAX - TILE;
        const firn_result r =
            full ? firn_fail(error, FIRN_REFUSED_ARGUMENT, "more than %d grains", INT32_MAX)
                 : fill_tile(t, at, shapes, shape, diameter, points, error);
        if (r == FIRN_OK) continue;
        points->count = before;
        return r;
    }
    if (points->count > before) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                     "the shape is so small that no grain of %g m fits into it", (double)diameter);
}

firn_result firn_pack_shape(const firn_shapes* shapes, firn_local shape, firn_real diameter,
                            firn_points* points, firn_error* error)
{
    FIRN_TRY(firn_pack_check(shapes, shape, diameter, error));
    tile* t = firn_alloc(1, sizeof *t);
    firn_result r = t != NULL ? make_tile(t) : FIRN_BROKEN_MEMORY;
    if (r == FIRN_OK)
        r = fill(t, shapes, shape, diameter, points, error);
    else
        r = firn_fail(error, r, "no memory for a packing of grains");
    firn_free(t);
    return r;
}

firn_result firn_pack_check(const firn_shapes* shapes, firn_local shape, firn_real diameter,
                            firn_error* error)
{
    const firn_box3 box = firn_shape_bounds(shapes, shape);
    const double edge = cbrt(TILE / FIRN_PACKING_DENSITY) * (double)diameter;
    tiling tiles;
    if (diameter > 0) return lay_tiles(&box, edge, &tiles, error);
    return firn_fail(error, FIRN_REFUSED_ARGUMENT, "grains of %g m, must be above 0",
                     (double)diameter);
}
