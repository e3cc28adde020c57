// SPDX-License-Identifier: MIT
// Builds outlines and evaluates area, bounds and distance.
#include "geometry/text/outline.h"

#include <math.h>

#include "core/memory.h"

#define SEGMENTS_MAX 1000  // segments per curve, which is then larger than the scene

static void add_segment(firn_outline* outline, double x, double y)
{
    const firn_outline_segment segment = {
        {outline->pen[0], outline->pen[1]}, {x, y}, outline->contour_count - 1};
    outline->pen[0] = x;
    outline->pen[1] = y;
    if (segment.a[0] == x && segment.a[1] == y) return;
    if (outline->failed || outline->count == INT32_MAX ||
        !firn_reserve((void**)&outline->segments, &outline->capacity, outline->count + 1,
                      sizeof segment)) {
        outline->failed = true;
        return;
    }
    outline->segments[outline->count++] = segment;
}

static void close_contour(firn_outline* outline)
{
    if (outline->contour_count > 0) add_segment(outline, outline->start[0], outline->start[1]);
}

void firn_outline_move(firn_outline* outline, double x, double y)
{
    close_contour(outline);
    outline->contour_count++;
    outline->pen[0] = outline->start[0] = x;
    outline->pen[1] = outline->start[1] = y;
}

void firn_outline_line(firn_outline* outline, double x, double y)
{
    add_segment(outline, x, y);
}

// A chord over a parameter step h deviates from the curve by at most |B''| h^2 / 8.
static int count_segments(const firn_outline* outline, double second_derivative)
{
    const double segments = ceil(sqrt(second_derivative / (8 * outline->tolerance)));
    return segments < 1 ? 1 : segments > SEGMENTS_MAX ? SEGMENTS_MAX : (int)segments;
}

// |a - 2 b + c|
static double bend(const double* a, const double* b, const double* c)
{
    return hypot(a[0] - 2 * b[0] + c[0], a[1] - 2 * b[1] + c[1]);
}

void firn_outline_conic(firn_outline* outline, const double control[2], const double to[2])
{
    const double from[2] = {outline->pen[0], outline->pen[1]};
    const int segments = count_segments(outline, 2 * bend(from, control, to));
    for (int k = 1; k < segments; k++) {
        const double t = (double)k / segments, s = 1 - t;
        double at[2];
        for (int i = 0; i < 2; i++)
            at[i] = s * s * from[i] + 2 * s * t * control[i] + t * t * to[i];
        add_segment(outline, at[0], at[1]);
    }
    add_segment(outline, to[0], to[1]);
}

void firn_outline_cubic(firn_outline* outline, const double control_a[2], const double control_b[2],
                        const double to[2])
{
    const double from[2] = {outline->pen[0], outline->pen[1]};
    const int segments = count_segments(
        outline, 6 * fmax(bend(from, control_a, control_b), bend(control_a, control_b, to)));
    for (int k = 1; k < segments; k++) {
        const double t = (double)k / segments, s = 1 - t;
        double at[2];
        for (int i = 0; i < 2; i++)
            at[i] = s * s * s * from[i] + 3 * s * s * t * control_a[i] +
                    3 * s * t * t * control_b[i] + t * t * t * to[i];
        add_segment(outline, at[0], at[1]);
    }
    add_segment(outline, to[0], to[1]);
}

firn_result firn_outline_finish(firn_outline* outline, firn_error* error)
{
    close_contour(outline);
    if (outline->failed)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for an outline of %d segments",
                         (int)outline->count + 1);
    return firn_outline_find_edges(outline, error);
}

void firn_outline_destroy(firn_outline* outline)
{
    firn_free(outline->segments);
    firn_free(outline->edges);
    *outline = (firn_outline){0};
}

double firn_outline_segment_distance2(const firn_outline_segment* s, double x, double y)
{
    const double ux = s->b[0] - s->a[0], uy = s->b[1] - s->a[1];
    const double px = x - s->a[0], py = y - s->a[1];
    const double length2 = ux * ux + uy * uy;
    double t = length2 > 0 ? (px * ux + py * uy) / length2 : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    const double dx = px - t * ux, dy = py - t * uy;
    return dx * dx + dy * dy;
}

// Crossings of a ray towards +x. Each segment includes its lower end and excludes its upper one, so
// that a ray through a vertex counts it once.
int firn_outline_winding(const firn_outline* outline, double x, double y)
{
    int winding = 0;
    for (firn_local k = 0; k < outline->count; k++) {
        const firn_outline_segment* s = &outline->segments[k];
        const bool a_above = s->a[1] > y, b_above = s->b[1] > y;
        if (a_above == b_above) continue;
        const double t = (y - s->a[1]) / (s->b[1] - s->a[1]);
        if (s->a[0] + t * (s->b[0] - s->a[0]) > x) winding += b_above ? 1 : -1;
    }
    return winding;
}

double firn_outline_distance(const firn_outline* outline, double x, double y)
{
    double least = INFINITY;
    for (firn_local k = 0; k < outline->edge_count; k++)
        least = fmin(least, firn_outline_segment_distance2(&outline->edges[k], x, y));
    const bool inside = firn_outline_winding(outline, x, y) != 0;
    return inside ? -sqrt(least) : sqrt(least);
}

// Green's theorem: half the sum of the cross products of the end points.
double firn_outline_area(const firn_outline* outline)
{
    double twice = 0;
    for (firn_local k = 0; k < outline->edge_count; k++) {
        const firn_outline_segment* e = &outline->edges[k];
        twice += e->a[0] * e->b[1] - e->b[0] * e->a[1];
    }
    return twice / 2;
}

void firn_outline_bounds(const firn_outline* outline, double low[2], double high[2])
{
    for (int i = 0; i < 2; i++) {
        low[i] = INFINITY;
        high[i] = -INFINITY;
        for (firn_local k = 0; k < outline->edge_count; k++) {
            const firn_outline_segment* e = &outline->edges[k];
            low[i] = fmin(low[i], fmin(e->a[i], e->b[i]));
            high[i] = fmax(high[i], fmax(e->a[i], e->b[i]));
        }
    }
}
