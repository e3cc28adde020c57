// SPDX-License-Identifier: MIT
// Selects contact points from many candidates: nodes of a lattice over the shape's bounds that are
// near the surface, projected onto it. The lattice extends beyond the bounds, where the nearest
// point of the surface is a corner or an edge if there is one.
#include "geometry/collider/contact_points.h"

#include <math.h>

#include "core/memory.h"
#include "geometry/sampling/surface_sample.h"

#define NODES 26       // per side of the lattice; the outermost are half a cell outside
#define APART 0.02     // [diagonals of the bounds] minimum distance of contact points
#define DIRECTIONS 14  // in which the extreme points are selected first

static firn_vec3 node_at(const firn_box3* b, int i, int j, int k)
{
    const int at[3] = {i, j, k};
    const double low[3] = {(double)b->low.x, (double)b->low.y, (double)b->low.z};
    const double high[3] = {(double)b->high.x, (double)b->high.y, (double)b->high.z};
    firn_real x[3];
    for (int d = 0; d < 3; d++) {
        const double cell = (high[d] - low[d]) / (NODES - 2);
        x[d] = (firn_real)(low[d] + cell * (at[d] - 0.5));
    }
    return firn_v3(x[0], x[1], x[2]);
}

static firn_local find_candidates(const firn_shapes* shapes, firn_local shape, const firn_box3* b,
                                  double diagonal, firn_vec3* out)
{
    const firn_surface surface = {.shapes = shapes, .shape = shape};
    const firn_real near = (firn_real)(diagonal / (NODES - 2));  // of a cell
    const double limit = 1e-3 * diagonal;
    firn_local count = 0;
    for (int k = 0; k < NODES; k++)
        for (int j = 0; j < NODES; j++)
            for (int i = 0; i < NODES; i++) {
                firn_vec3 x = node_at(b, i, j, k), n;
                if (!(firn_abs(firn_shape_distance(shapes, shape, x)) <= near)) continue;
                if (firn_surface_project(&surface, limit, &x, &n)) out[count++] = x;
            }
    return count;
}

static double distance2(firn_vec3 a, firn_vec3 b)
{
    const double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
    const double z = (double)a.z - (double)b.z;
    return x * x + y * y + z * z;
}

// Selects candidate c. `gap` is the squared distance of each candidate from the selected points.
static void take(const firn_vec3* candidates, firn_local count, firn_local c, double* gap,
                 firn_vec3* out_points, firn_local* taken)
{
    out_points[(*taken)++] = candidates[c];
    for (firn_local k = 0; k < count; k++) {
        const double d = distance2(candidates[k], candidates[c]);
        if (d < gap[k]) gap[k] = d;
    }
}

static firn_local farthest_along(const firn_vec3* candidates, firn_local count, const int d[3])
{
    firn_local best = 0;
    double most = -INFINITY;
    for (firn_local k = 0; k < count; k++) {
        const double at = d[0] * (double)candidates[k].x + d[1] * (double)candidates[k].y +
                          d[2] * (double)candidates[k].z;
        if (at > most) {
            most = at;
            best = k;
        }
    }
    return best;
}

static firn_local spread(const firn_vec3* candidates, firn_local count, double apart, double* gap,
                         firn_vec3* out_points)
{
    static const int directions[DIRECTIONS][3] = {
        {-1, -1, -1}, {1, -1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, -1}, {1, 1, -1}, {-1, 1, 1},
        {1, 1, 1},    {-1, 0, 0},  {1, 0, 0},   {0, -1, 0}, {0, 1, 0},   {0, 0, -1}, {0, 0, 1}};
    firn_local taken = 0;
    for (firn_local k = 0; k < count; k++) gap[k] = INFINITY;
    for (int d = 0; d < DIRECTIONS; d++) {
        const firn_local c = farthest_along(candidates, count, directions[d]);
        if (gap[c] > apart * apart) take(candidates, count, c, gap, out_points, &taken);
    }
    while (taken < FIRN_CONTACT_POINTS_MAX) {
        firn_local c = 0;
        for (firn_local k = 1; k < count; k++)
            if (gap[k] > gap[c]) c = k;
        if (!(gap[c] > apart * apart)) break;
        take(candidates, count, c, gap, out_points, &taken);
    }
    return taken;
}

firn_result firn_shape_contact_points(const firn_shapes* shapes, firn_local shape,
                                      firn_vec3 out_points[FIRN_CONTACT_POINTS_MAX],
                                      firn_local* out_count)
{
    const firn_box3 b = firn_shape_bounds(shapes, shape);
    const firn_vec3 low = b.low, high = b.high;
    if (!(low.x < high.x && low.y < high.y && low.z < high.z)) return FIRN_REFUSED_ARGUMENT;
    const firn_real most = FIRN_REAL_MAX;
    if (low.x <= -most || low.y <= -most || low.z <= -most || high.x >= most || high.y >= most ||
        high.z >= most)
        return FIRN_REFUSED_ARGUMENT;
    const double diagonal = sqrt(distance2(low, high));
    const size_t room = (size_t)NODES * NODES * NODES;
    firn_vec3* candidates = firn_alloc(room, sizeof *candidates);
    double* gap = firn_alloc(room, sizeof *gap);
    firn_result result = candidates != NULL && gap != NULL ? FIRN_OK : FIRN_BROKEN_MEMORY;
    if (result == FIRN_OK) {
        const firn_local count = find_candidates(shapes, shape, &b, diagonal, candidates);
        if (count > 0)
            *out_count = spread(candidates, count, APART * diagonal, gap, out_points);
        else
            result = FIRN_REFUSED_ARGUMENT;
    }
    firn_free(candidates);
    firn_free(gap);
    return result;
}
