// SPDX-License-Identifier: MIT
// Signed distances to an outline at the nodes of a grid. Signs come row by row from the crossings
// of the contours. Distances come tile by tile: first select the few edges that can be nearest to
// some node of the tile.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "geometry/text/outline.h"

#define TILE 16  // [nodes] edge of a tile

typedef struct grid {
    const firn_outline* outline;
    double origin[2], step;  // [m]
    firn_local nx, ny;
    firn_real* out;      // [ny][nx]
    firn_local* near;    // owned [edge_count]: candidate edges of the current tile
    double* distance;    // owned [edge_count] [m] from the tile's centre
    int32_t* crossings;  // owned [nx + 1]: change of the winding number at each node
} grid;

static double node_x(const grid* g, firn_local i)
{
    return g->origin[0] + (double)i * g->step;
}

static double node_y(const grid* g, firn_local j)
{
    return g->origin[1] + (double)j * g->step;
}

// The first node at or right of x; nx when there is none.
static firn_local node_after(const grid* g, double x)
{
    const double i = ceil((x - g->origin[0]) / g->step);
    return i < 0 ? 0 : i > (double)g->nx ? g->nx : (firn_local)i;
}

static void find_signs(grid* g, firn_local j)
{
    const double y = node_y(g, j);
    memset(g->crossings, 0, ((size_t)g->nx + 1) * sizeof *g->crossings);
    for (firn_local k = 0; k < g->outline->count; k++) {
        const firn_outline_segment* s = &g->outline->segments[k];
        const bool a_above = s->a[1] > y, b_above = s->b[1] > y;
        if (a_above == b_above) continue;
        const double t = (y - s->a[1]) / (s->b[1] - s->a[1]);
        g->crossings[node_after(g, s->a[0] + t * (s->b[0] - s->a[0]))] += b_above ? 1 : -1;
    }
    int32_t winding = 0;
    firn_real* row = g->out + (size_t)j * (size_t)g->nx;
    for (firn_local i = 0; i < g->nx; i++) {
        winding += g->crossings[i];
        row[i] = winding != 0 ? -1 : 1;
    }
}

// Every point of the tile is within `reach` of its centre: an edge whose distance from the centre
// exceeds the smallest by more than twice that is nearest to no point of the tile.
static firn_local pick_edges(grid* g, const double centre[2], double reach)
{
    double least = INFINITY;
    for (firn_local k = 0; k < g->outline->edge_count; k++) {
        g->distance[k] =
            sqrt(firn_outline_segment_distance2(&g->outline->edges[k], centre[0], centre[1]));
        least = fmin(least, g->distance[k]);
    }
    const double limit = (least + 2 * reach) * (1 + 1e-9);  // allowance for rounding
    firn_local count = 0;
    for (firn_local k = 0; k < g->outline->edge_count; k++)
        if (g->distance[k] <= limit) g->near[count++] = k;
    return count;
}

static void fill_tile(grid* g, firn_local i0, firn_local j0)
{
    const firn_local i1 = i0 + TILE < g->nx ? i0 + TILE : g->nx;
    const firn_local j1 = j0 + TILE < g->ny ? j0 + TILE : g->ny;
    const double centre[2] = {(node_x(g, i0) + node_x(g, i1 - 1)) / 2,
                              (node_y(g, j0) + node_y(g, j1 - 1)) / 2};
    const double reach = g->step * hypot(i1 - 1 - i0, j1 - 1 - j0) / 2;
    const firn_local count = pick_edges(g, centre, reach);
    for (firn_local j = j0; j < j1; j++)
        for (firn_local i = i0; i < i1; i++) {
            double least = INFINITY;
            for (firn_local k = 0; k < count; k++)
                least = fmin(least, firn_outline_segment_distance2(&g->outline->edges[g->near[k]],
                                                                   node_x(g, i), node_y(g, j)));
            g->out[(size_t)j * (size_t)g->nx + (size_t)i] *= (firn_real)sqrt(least);
        }
}

firn_result firn_outline_grid(const firn_outline* outline, const double origin[2], double step,
                              firn_local nx, firn_local ny, firn_real* out, firn_error* error)
{
    grid g = {outline, {origin[0], origin[1]}, step, nx, ny, out, NULL, NULL, NULL};
    g.near = firn_alloc((size_t)outline->edge_count + 1, sizeof *g.near);
    g.distance = firn_alloc((size_t)outline->edge_count + 1, sizeof *g.distance);
    g.crossings = firn_alloc((size_t)nx + 1, sizeof *g.crossings);
    const bool ok = g.near != NULL && g.distance != NULL && g.crossings != NULL;
    if (ok) {
        for (firn_local j = 0; j < ny; j++) find_signs(&g, j);
        for (firn_local j = 0; j < ny; j += TILE)
            for (firn_local i = 0; i < nx; i += TILE) fill_tile(&g, i, j);
    }
    firn_free(g.near);
    firn_free(g.distance);
    firn_free(g.crossings);
    return ok ? FIRN_OK
              : firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the distances of an outline");
}
