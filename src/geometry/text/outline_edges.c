// SPDX-License-Identifier: MIT
// The edges of an outline: contours are split where they cross, and only segments with the inside
// on exactly one side are kept. Interior segments (where letters overlap) would otherwise count as
// surface in distances.
//
// Whether a side of a contour is inside changes only at crossings, so one ray is cast per contour
// and one after each crossing.
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "geometry/text/outline.h"

#define SAME 1e-12  // parameters on a segment closer than this are the same point

// A crossing, seen from one of its two segments.
typedef struct cut {
    firn_local segment;
    double t;         // parameter along the segment, 0..1
    double point[2];  // [m] identical for both segments, so that the parts join exactly
} cut;

typedef struct cut_list {
    cut* items;  // owned
    firn_local count, capacity;
} cut_list;

typedef struct span {
    double low, high;  // [m] x range of a segment
    firn_local segment;
} span;

static int by_low(const void* a, const void* b)
{
    const span *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    return (p->segment > q->segment) - (p->segment < q->segment);
}

static int by_place(const void* a, const void* b)
{
    const cut *p = a, *q = b;
    if (p->segment != q->segment) return p->segment < q->segment ? -1 : 1;
    return (p->t > q->t) - (p->t < q->t);
}

// Consecutive segments of a contour share a point without crossing.
static bool are_neighbours(const firn_outline* outline, firn_local i, firn_local j)
{
    const firn_outline_segment *p = &outline->segments[i], *q = &outline->segments[j];
    if (p->contour != q->contour) return false;
    return (p->b[0] == q->a[0] && p->b[1] == q->a[1]) || (q->b[0] == p->a[0] && q->b[1] == p->a[1]);
}

static bool add_cut(cut_list* cuts, firn_local segment, double t, const double* point)
{
    if (!firn_reserve((void**)&cuts->items, &cuts->capacity, cuts->count + 1, sizeof *cuts->items))
        return false;
    cuts->items[cuts->count++] = (cut){segment, t, {point[0], point[1]}};
    return true;
}

// Parallel segments are not split: the vertices of one that lies on another split it.
static bool cut_pair(const firn_outline* outline, firn_local i, firn_local j, cut_list* cuts)
{
    const firn_outline_segment *p = &outline->segments[i], *q = &outline->segments[j];
    if (fmin(p->a[1], p->b[1]) > fmax(q->a[1], q->b[1]) ||
        fmin(q->a[1], q->b[1]) > fmax(p->a[1], p->b[1]) || are_neighbours(outline, i, j))
        return true;
    const double u[2] = {p->b[0] - p->a[0], p->b[1] - p->a[1]};
    const double v[2] = {q->b[0] - q->a[0], q->b[1] - q->a[1]};
    const double w[2] = {q->a[0] - p->a[0], q->a[1] - p->a[1]};
    const double cross = u[0] * v[1] - u[1] * v[0];
    if (fabs(cross) <= SAME * hypot(u[0], u[1]) * hypot(v[0], v[1])) return true;
    const double s = (w[0] * v[1] - w[1] * v[0]) / cross, t = (w[0] * u[1] - w[1] * u[0]) / cross;
    if (s < -SAME || s > 1 + SAME || t < -SAME || t > 1 + SAME) return true;
    const double point[2] = {p->a[0] + s * u[0], p->a[1] + s * u[1]};
    return add_cut(cuts, i, s, point) && add_cut(cuts, j, t, point);
}

// All crossings, sorted by segment and by parameter.
static bool find_cuts(const firn_outline* outline, span* spans, cut_list* cuts)
{
    for (firn_local k = 0; k < outline->count; k++) {
        const firn_outline_segment* s = &outline->segments[k];
        spans[k] = (span){fmin(s->a[0], s->b[0]), fmax(s->a[0], s->b[0]), k};
    }
    qsort(spans, (size_t)outline->count, sizeof *spans, by_low);
    bool ok = true;
    for (firn_local k = 0; k < outline->count; k++)
        for (firn_local l = k + 1; ok && l < outline->count && spans[l].low <= spans[k].high; l++)
            ok = cut_pair(outline, spans[k].segment, spans[l].segment, cuts);
    if (ok && cuts->count > 1)
        qsort(cuts->items, (size_t)cuts->count, sizeof *cuts->items, by_place);
    return ok;
}

// 0: the part is inside or outside on both sides; 1: the inside is left of it; -1: right of it.
// Casts a ray from its midpoint and sums the winding of what it crosses. Segments that coincide
// with the part (letters that touch or share a line) count as one: together they change the winding
// by the sum of their directions, and only the first of them is kept.
static int side_of_inside(const firn_outline* outline, const firn_outline_segment* part,
                          firn_local segment)
{
    const double middle[2] = {(part->a[0] + part->b[0]) / 2, (part->a[1] + part->b[1]) / 2};
    const double dx = fabs(part->b[0] - part->a[0]), dy = fabs(part->b[1] - part->a[1]);
    const int along = dy >= dx ? 0 : 1, across = 1 - along;  // the axis closer to its normal
    const double hair = SAME * (fabs(middle[0]) + fabs(middle[1]) + dx + dy);
    int before = 0, own = 0, own_direction = 0;
    for (firn_local k = 0; k < outline->count; k++) {
        const firn_outline_segment* s = &outline->segments[k];
        const bool a_above = s->a[across] > middle[across], b_above = s->b[across] > middle[across];
        if (a_above == b_above) continue;
        const double t = (middle[across] - s->a[across]) / (s->b[across] - s->a[across]);
        const double away = s->a[along] + t * (s->b[along] - s->a[along]) - middle[along];
        // Counter-clockwise is upwards to the right of the point, and leftwards above it.
        const int direction = b_above == (along == 0) ? 1 : -1;
        const bool on_it = k == segment || fabs(away) <= hair;
        if (on_it && k < segment) return 0;
        if (k == segment) own_direction = direction;
        if (on_it)
            own += direction;
        else if (away > 0)
            before += direction;
    }
    const int behind = before + own;
    if ((before != 0) == (behind != 0)) return 0;
    // The far side is left of a segment that goes up or left.
    return (behind != 0) == (own_direction > 0) ? 1 : -1;
}

static bool add_edge(firn_outline* outline, const firn_outline_segment* part, int side)
{
    if (!firn_reserve((void**)&outline->edges, &outline->edge_capacity, outline->edge_count + 1,
                      sizeof *part))
        return false;
    firn_outline_segment* edge = &outline->edges[outline->edge_count++];
    *edge = *part;
    for (int i = 0; i < 2 && side < 0; i++) {
        edge->a[i] = part->b[i];
        edge->b[i] = part->a[i];
    }
    return true;
}

static bool keep_edges(firn_outline* outline, const cut_list* cuts)
{
    firn_local next = 0, contour = -1;
    int side = 0;
    bool known = false, ok = true;
    for (firn_local k = 0; k < outline->count && ok; k++) {
        firn_outline_segment part = outline->segments[k];
        known = known && part.contour == contour;
        contour = part.contour;
        double done = 0;
        for (bool last = false; !last && ok;) {
            last = next >= cuts->count || cuts->items[next].segment != k;
            const cut* c = last ? NULL : &cuts->items[next++];
            const double end = last ? 1 : c->t;
            for (int i = 0; i < 2; i++) part.b[i] = last ? outline->segments[k].b[i] : c->point[i];
            if (end - done > SAME) {
                if (!known) side = side_of_inside(outline, &part, k);
                known = true;
                if (side != 0) ok = add_edge(outline, &part, side);
                done = end;
                for (int i = 0; i < 2; i++) part.a[i] = part.b[i];
            }
            known = known && last;
        }
    }
    return ok;
}

firn_result firn_outline_find_edges(firn_outline* outline, firn_error* error)
{
    cut_list cuts = {0};
    span* spans = firn_alloc((size_t)outline->count + 1, sizeof *spans);
    const bool ok = spans != NULL && find_cuts(outline, spans, &cuts) && keep_edges(outline, &cuts);
    firn_free(spans);
    firn_free(cuts.items);
    return ok ? FIRN_OK
              : firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the edges of %d segments",
                          (int)outline->count);
}
