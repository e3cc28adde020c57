// SPDX-License-Identifier: MIT
#include "geometry/sampling/packing.h"

#include <math.h>

#include "core/memory.h"
#include "geometry/sdf/evaluate.h"

#define TILE 1000        // spheres per tile
#define CENTRES_MAX 4e9  // limit of candidate centres

// Sphere centres in units of the diameter, in a periodic cube.
static const double tile[TILE][3] = {
#include "geometry/sampling/packing_tile.inc"
};

static double tile_size(void)  // [diameters]
{
    return cbrt(TILE / FIRN_PACKING_DENSITY);
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
static firn_result fill_tile(const int64_t at[3], const firn_shapes* shapes, firn_local shape,
                             firn_real diameter, firn_points* points, firn_error* error)
{
    const double d = (double)diameter, size = tile_size();
    if (!firn_reserve((void**)&points->position, &points->capacity, points->count + TILE,
                      sizeof *points->position))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for %d grains", (int)points->count);
    for (int k = 0; k < TILE; k++) {
        double own[3], world[3] = {0, 0, 0};
        for (int c = 0; c < 3; c++) own[c] = ((double)at[c] * size + tile[k][c]) * d;
        for (int c = 0; c < 3; c++)
            world[c] = turn[c][0] * own[0] + (turn[c][1] * own[1] + turn[c][2] * own[2]);
        const firn_vec3 x = firn_v3((firn_real)world[0], (firn_real)world[1], (firn_real)world[2]);
        if (firn_shape_distance(shapes, shape, x) <=
            (firn_real)(-0.5 * FIRN_PACKING_INSIDE) * diameter)
            points->position[points->count++] = x;
    }
    return FIRN_OK;
}

firn_result firn_pack_check(const firn_shapes* shapes, firn_local shape, firn_real diameter,
                            firn_error* error)
{
    const firn_box3 box = firn_shape_bounds(shapes, shape);
    const double edge = tile_size() * (double)diameter;
    tiling tiles;
    if (diameter > 0) return lay_tiles(&box, edge, &tiles, error);
    return firn_fail(error, FIRN_REFUSED_ARGUMENT, "grains of %g m, must be above 0",
                     (double)diameter);
}

firn_result firn_pack_shape(const firn_shapes* shapes, firn_local shape, firn_real diameter,
                            firn_points* points, firn_error* error)
{
    FIRN_TRY(firn_pack_check(shapes, shape, diameter, error));
    const firn_box3 box = firn_shape_bounds(shapes, shape);
    tiling tiles;
    FIRN_TRY(lay_tiles(&box, tile_size() * (double)diameter, &tiles, error));
    const firn_local before = points->count;
    for (int64_t k = 0; k < tiles.side[0] * tiles.side[1] * tiles.side[2]; k++) {
        const int64_t at[3] = {tiles.first[0] + k % tiles.side[0],
                               tiles.first[1] + k / tiles.side[0] % tiles.side[1],
                               tiles.first[2] + k / (tiles.side[0] * tiles.side[1])};
        const bool full = points->count > INT32_MAX - TILE;
        const firn_result r =
            full ? firn_fail(error, FIRN_REFUSED_ARGUMENT, "more than %d grains", INT32_MAX)
                 : fill_tile(at, shapes, shape, diameter, points, error);
        if (r == FIRN_OK) continue;
        points->count = before;
        return r;
    }
    if (points->count > before) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                     "the shape is so small that no grain of %g m fits into it", (double)diameter);
}
