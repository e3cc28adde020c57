// SPDX-License-Identifier: MIT
// A block is halved along each axis until its cells are single nodes. A cell has a list of the
// triangles that may be nearest to one of its nodes, which its halves take over and shorten.
//
// The distance d from a triangle is a convex function of the point. So if it is d at the centre m
// of a cell, with the nearest point q and the unit vector g = (m - q) / d, then at any node n
//
//      d + g (n - m)  <=  distance at n  <=  |n - q|,
//
// and in a cell of radius R a triangle counts only if d is at most the smallest one and 2 R.
#include "mesh/spatial/block_distance.h"

#include <math.h>

#define LISTED 1024  // triangles at most; a cell with more of them is halved first
#define BALLS 3072   // the same of a whole block
// Of the spacing, against rounding: bounds are made of floats, of distances of some 30 spacings.
#define SLACK 1e-4

// A triangle as seen from the centre of a cell. In float: lists are to fit on the stack.
typedef struct near_triangle {
    float distance;           // d
    float from[3], slope[3];  // m - q, g
    int32_t index;            // of the tree's mesh
} near_triangle;

typedef struct near_list {
    int count;
    near_triangle at[LISTED];
} near_list;

// The ball around the centroid that holds a triangle, from the middle of the block.
typedef struct ball {
    float center[3], radius;
    int32_t index;
} ball;

typedef struct block_job {
    const firn_block_search* search;
    double* distance;
    firn_vec3 middle;
    int ball_count;  // of all that may be nearest to a node of the block; -1: too many
    ball balls[BALLS];
    int32_t guess;       // a triangle that was nearest to a cell before; -1: none
    near_list lists[2];  // of cells of 4 and 2 nodes along an edge
} block_job;

// Nodes [first, first + edge) along each axis.
typedef struct cell {
    int first[3], edge, level;
    firn_vec3 center;
    double radius;  // [m] of the ball around its nodes
} cell;

static int node_of(const int at[3])
{
    return (at[2] * FIRN_BLOCK_EDGE + at[1]) * FIRN_BLOCK_EDGE + at[0];
}

static void difference(firn_vec3 a, firn_vec3 b, double out[3])
{
    out[0] = (double)a.x - (double)b.x;
    out[1] = (double)a.y - (double)b.y;
    out[2] = (double)a.z - (double)b.z;
}

static cell place_cell(const block_job* job, const int first[3], int edge, int level)
{
    cell c = {.first = {first[0], first[1], first[2]}, .edge = edge, .level = level};
    const int last[3] = {first[0] + edge - 1, first[1] + edge - 1, first[2] + edge - 1};
    const firn_vec3 a = job->search->x[node_of(first)], b = job->search->x[node_of(last)];
    c.center = firn_v3_scale(firn_v3_add(a, b), (firn_real)0.5);
    double below[3], above[3], sum = 0;
    difference(c.center, a, below);
    difference(b, c.center, above);
    for (int i = 0; i < 3; i++) {
        const double half = below[i] > above[i] ? below[i] : above[i];
        sum += half * half;
    }
    c.radius = sqrt(sum);
    return c;
}

// ---- lists --------------------------------------------------------------------------------------

static void look(near_list* list, const block_job* job, int32_t index, const double m[3])
{
    near_triangle* n = &list->at[list->count++];
    double from[3];
    const double d = sqrt(firn_prepared_distance2(&job->search->triangles[index], m, from));
    const double scale = d > 0 ? 1 / d : 0;
    n->index = index;
    n->distance = (float)d;
    for (int i = 0; i < 3; i++) {
        n->from[i] = (float)from[i];
        n->slope[i] = (float)(from[i] * scale);
    }
}

// Is f farther away than b everywhere in a ball of radius R around the centre? `bound`: at most
// d_f; g_f is the slope of a plane below f's distance that has this value there. For |r| <= R,
// bound + g_f r is to exceed an upper bound of b's distance: d_b + R, or, since
// |from + r|^2 = d^2 + 2 d g r + r^2, d_b + g_b r + R^2 / 2 d_b.
static bool is_behind(const near_triangle* b, const float slope[3], double bound, double radius)
{
    const double ahead = bound - (double)b->distance;
    if (ahead > 2 * radius) return true;
    const double rest = ahead - radius * radius / (2 * (double)b->distance);
    const float* g = b->slope;
    const double along = (double)(g[0] * slope[0] + g[1] * slope[1] + g[2] * slope[2]);
    return rest > 0 && rest * rest > (2 - 2 * along + 1e-6) * radius * radius;  // |g_f - g_b| R
}

// Drops what cannot be nearest in the ball; returns the smallest distance from the centre, and who
// is that near.
static double shorten(near_list* list, double radius, double slack, int32_t* out_nearest)
{
    int first = 0, count = 0;
    for (int n = 1; n < list->count; n++)
        if (list->at[n].distance < list->at[first].distance) first = n;
    const near_triangle b = list->at[first];
    for (int n = 0; n < list->count; n++)
        if (!is_behind(&b, list->at[n].slope, (double)list->at[n].distance - slack, radius))
            list->at[count++] = list->at[n];
    list->count = count;
    *out_nearest = b.index;
    return (double)b.distance;
}

// Whose nearest point is nearest to the point that is `by` from the centre?
static int nearest_point(const near_list* list, const float by[3])
{
    float least2 = INFINITY;
    int first = 0;
    for (int n = 0; n < list->count; n++) {
        const float* from = list->at[n].from;
        const float d[3] = {from[0] + by[0], from[1] + by[1], from[2] + by[2]};
        const float d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (!(d2 < least2)) continue;
        least2 = d2;
        first = n;
    }
    return first;
}

// Of the distance of that point, but for SLACK.
static double lower_bound(const near_triangle* n, const float by[3])
{
    const float* g = n->slope;
    return (double)(n->distance + (g[0] * by[0] + g[1] * by[1] + g[2] * by[2]));
}

static void difference_in_float(firn_vec3 a, firn_vec3 b, float out[3])
{
    out[0] = (float)(a.x - b.x);
    out[1] = (float)(a.y - b.y);
    out[2] = (float)(a.z - b.z);
}

static void to_doubles(firn_vec3 x, double out[3])
{
    out[0] = (double)x.x, out[1] = (double)x.y, out[2] = (double)x.z;
}

// Lists by the balls, of triangles that may be nearest to a node of the cell, whose centre is
// `least` from the nearest one. False: too many.
static bool list_by_balls(block_job* job, const cell* c, double least)
{
    near_list* list = &job->lists[c->level];
    const double reach = least + 2 * c->radius + SLACK * job->search->spacing;
    float by[3];
    double at[3];
    difference_in_float(c->center, job->middle, by);
    to_doubles(c->center, at);
    list->count = 0;
    for (int n = 0; n < job->ball_count; n++) {
        const ball* b = &job->balls[n];
        const float d[3] = {b->center[0] - by[0], b->center[1] - by[1], b->center[2] - by[2]};
        const float most = (float)reach + b->radius;
        if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > most * most) continue;
        if (list->count == LISTED) return false;
        look(list, job, b->index, at);
    }
    return true;
}

// The same by the tree, where a block has too many for balls.
static bool list_by_tree(block_job* job, const cell* c, double least)
{
    const firn_block_search* s = job->search;
    near_list* list = &job->lists[c->level];
    int32_t found[LISTED];
    const double reach = least + 2 * c->radius + SLACK * s->spacing;
    const int count = firn_triangle_tree_within(s->tree, c->center, reach, LISTED, found);
    double at[3];
    to_doubles(c->center, at);
    list->count = 0;
    for (int n = 0; n < count; n++) look(list, job, found[n], at);
    return count >= 0;
}

static ball ball_of(const firn_prepared_triangle* t, firn_vec3 middle, int32_t index)
{
    ball b = {.index = index};
    double from_middle[3], c[3], r2[3] = {0};
    to_doubles(middle, from_middle);
    for (int i = 0; i < 3; i++) {
        c[i] = (t->ab[i] + t->ac[i]) / 3;  // from a
        r2[0] += c[i] * c[i];
        r2[1] += (t->ab[i] - c[i]) * (t->ab[i] - c[i]);
        r2[2] += (t->ac[i] - c[i]) * (t->ac[i] - c[i]);
        b.center[i] = (float)(t->a[i] + c[i] - from_middle[i]);
    }
    b.radius = (float)sqrt(fmax(r2[0], fmax(r2[1], r2[2])));
    return b;
}

static void list_block(block_job* job, const cell* all)
{
    const firn_block_search* s = job->search;
    int32_t found[BALLS];
    const double least =
        sqrt(firn_triangle_tree_nearest(s->tree, all->center, -1, &job->guess).distance2);
    const double reach = least + 2 * all->radius + SLACK * s->spacing;
    job->middle = all->center;
    job->ball_count = firn_triangle_tree_within(s->tree, all->center, reach, BALLS, found);
    for (int n = 0; n < job->ball_count; n++)
        job->balls[n] = ball_of(&s->triangles[found[n]], job->middle, found[n]);
}

// Lists for a half what may be nearest, by the list of the whole.
static void list_for_half(block_job* job, const cell* whole, const cell* half)
{
    const near_list* from = &job->lists[whole->level];
    near_list* to = &job->lists[half->level];
    float by[3];
    double at[3];
    difference_in_float(half->center, whole->center, by);
    to_doubles(half->center, at);
    const int first = nearest_point(from, by);
    to->count = 0;
    look(to, job, from->at[first].index, at);
    const near_triangle b = to->at[0];
    const double slack = SLACK * job->search->spacing;
    for (int n = 0; n < from->count; n++) {
        const near_triangle* f = &from->at[n];
        if (n != first && !is_behind(&b, f->slope, lower_bound(f, by) - slack, half->radius))
            look(to, job, f->index, at);
    }
}

// ---- cells --------------------------------------------------------------------------------------

static double node_distance(const block_job* job, const cell* c, int node)
{
    const near_list* list = &job->lists[c->level];
    const firn_prepared_triangle* triangles = job->search->triangles;
    const double slack = SLACK * job->search->spacing;
    float by[3];
    double at[3], from[3];
    difference_in_float(job->search->x[node], c->center, by);
    to_doubles(job->search->x[node], at);
    const int first = nearest_point(list, by);
    double least2 = firn_prepared_distance2(&triangles[list->at[first].index], at, from);
    double least = sqrt(least2) + slack;
    for (int n = 0; n < list->count; n++) {
        if (n == first || lower_bound(&list->at[n], by) > least) continue;
        const double d2 = firn_prepared_distance2(&triangles[list->at[n].index], at, from);
        if (!(d2 < least2)) continue;
        least2 = d2;
        least = sqrt(d2) + slack;
    }
    return sqrt(least2);
}

static int node_in(const cell* c, int n)
{
    const int at[3] = {c->first[0] + n % c->edge, c->first[1] + n / c->edge % c->edge,
                       c->first[2] + n / c->edge / c->edge};
    return node_of(at);
}

static bool is_limited(const block_job* job, const cell* c)
{
    const bool* unlimited = job->search->unlimited;
    for (int n = 0; unlimited != NULL && n < c->edge * c->edge * c->edge; n++)
        if (unlimited[node_in(c, n)]) return false;
    return true;
}

// True: all nodes of the cell are farther away than `limit`, and have a value.
static bool fill_far(const block_job* job, const cell* c, double least)
{
    const double value = least - c->radius - SLACK * job->search->spacing;
    if (!(value > job->search->limit) || !is_limited(job, c)) return false;
    for (int n = 0; n < c->edge * c->edge * c->edge; n++) job->distance[node_in(c, n)] = value;
    return true;
}

// How far the nearest triangle is from the centre, at most: the one that was nearest to the cell
// before is about as near, and deep inside, where many are, a search would take long. Where the
// limit may end it, exactly that far.
static double bound_at_center(block_job* job, const cell* c)
{
    const firn_block_search* s = job->search;
    if (job->guess >= 0 && c->edge > 1) {
        double at[3], from[3];
        to_doubles(c->center, at);
        const double bound = sqrt(firn_prepared_distance2(&s->triangles[job->guess], at, from));
        if (!(bound - c->radius > s->limit) || !is_limited(job, c)) return bound;
    }
    return sqrt(firn_triangle_tree_nearest(s->tree, c->center, job->guess, &job->guess).distance2);
}

static void fill_cell(block_job* job, const cell* c, bool listed);

static void fill_halves(block_job* job, const cell* c, bool listed)
{
    for (int k = 0; k < 8; k++) {
        const int edge = c->edge / 2;
        const int first[3] = {c->first[0] + (k & 1) * edge, c->first[1] + (k >> 1 & 1) * edge,
                              c->first[2] + (k >> 2) * edge};
        if (listed && edge == 1) {
            job->distance[node_of(first)] = node_distance(job, c, node_of(first));
            continue;
        }
        const cell half = place_cell(job, first, edge, c->level + 1);
        if (listed) list_for_half(job, c, &half);
        fill_cell(job, &half, listed);
    }
}

// `listed`: the list of its level is that of this cell.
static void fill_cell(block_job* job, const cell* c, bool listed)
{
    double least = 0;
    if (!listed) {
        least = bound_at_center(job, c);
        if (c->edge == 1) {
            job->distance[node_of(c->first)] = least;
            return;
        }
        if (fill_far(job, c, least)) return;
        listed = job->ball_count >= 0 ? list_by_balls(job, c, least) : list_by_tree(job, c, least);
    }
    if (listed) {
        least =
            shorten(&job->lists[c->level], c->radius, SLACK * job->search->spacing, &job->guess);
        if (fill_far(job, c, least)) return;
    }
    fill_halves(job, c, listed);
}

void firn_block_distance(const firn_block_search* search, double* out_distance)
{
    block_job job;  // not cleared: a list has as much as its count says
    job.search = search;
    job.distance = out_distance;
    const int first[3] = {0, 0, 0};
    const cell all = place_cell(&job, first, FIRN_BLOCK_EDGE, -1);
    list_block(&job, &all);
    fill_halves(&job, &all, false);
}
