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

#include "mesh/spatial/prepared_triangle.h"

#define LISTED 1024  // triangles at most; a cell with more of them is halved first
#define SLACK 1e-9   // of the spacing and of distances, against rounding

// A triangle as seen from the centre of a cell.
typedef struct near_triangle {
    double distance;           // d
    double from[3], slope[3];  // m - q, g
    int32_t index;             // in job.triangle
} near_triangle;

typedef struct near_list {
    int count;
    near_triangle at[LISTED];
} near_list;

typedef struct block_job {
    const firn_block_search* search;
    double* distance;
    firn_prepared_triangle triangle[LISTED];  // of the first list, from the middle of its cell
    firn_vec3 middle;
    near_list lists[3];  // of cells of 8, 4 and 2 nodes along an edge
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
    n->index = index;
    n->distance = sqrt(firn_prepared_distance2(&job->triangle[index], m, n->from));
    const double scale = n->distance > 0 ? 1 / n->distance : 0;
    for (int i = 0; i < 3; i++) n->slope[i] = n->from[i] * scale;
}

// Drops those that are farther away than the first one b everywhere in a ball of radius R around
// the centre; returns the distance of b there. For |r| <= R, and f to be dropped, d_f + g_f r is to
// exceed an upper bound of b's distance: d_b + R, or, since |from + r|^2 = d^2 + 2 d g r + r^2,
// d_b + g_b r + R^2 / 2 d_b.
static double shorten(near_list* list, double radius, double slack)
{
    int first = 0, count = 0;
    for (int n = 1; n < list->count; n++)
        if (list->at[n].distance < list->at[first].distance) first = n;
    const near_triangle b = list->at[first];
    const double bend = radius * radius / (2 * b.distance), *g = b.slope;
    for (int n = 0; n < list->count; n++) {
        const near_triangle* f = &list->at[n];
        const double ahead = f->distance - b.distance - slack;
        if (ahead > 2 * radius) continue;
        const double along = g[0] * f->slope[0] + g[1] * f->slope[1] + g[2] * f->slope[2];
        const double rest = ahead - bend;  // to exceed |g_f - g_b| R
        if (rest > 0 && rest * rest > (2 - 2 * along + SLACK) * radius * radius) continue;
        list->at[count++] = *f;
    }
    list->count = count;
    return b.distance;
}

// Of the distance of a point that is `by` from the centre.
static double upper_bound(const near_list* list, const double by[3])
{
    double least2 = INFINITY;
    for (int n = 0; n < list->count; n++) {
        const double* from = list->at[n].from;
        const double d[3] = {from[0] + by[0], from[1] + by[1], from[2] + by[2]};
        const double d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (d2 < least2) least2 = d2;
    }
    return sqrt(least2);
}

static double lower_bound(const near_triangle* n, const double by[3])
{
    const double* g = n->slope;
    return (n->distance + g[0] * by[0] + g[1] * by[1] + g[2] * by[2]) * (1 - SLACK);
}

// Lists by the tree what may be nearest to a node of the cell. False: too many.
static bool list_by_tree(block_job* job, const cell* c)
{
    const firn_block_search* s = job->search;
    near_list* list = &job->lists[c->level];
    int32_t found[LISTED], nearest;
    const double least =
        sqrt(firn_triangle_tree_nearest(s->tree, c->center, -1, &nearest).distance2);
    const double reach = (least + 2 * c->radius) * (1 + SLACK) + SLACK * s->spacing;
    const int count = firn_triangle_tree_within(s->tree, c->center, reach, LISTED, found);
    if (count < 0) return false;
    job->middle = c->center;
    list->count = 0;
    for (int n = 0; n < count; n++) {
        double corner[3][3];
        for (int k = 0; k < 3; k++)
            difference(s->mesh->vertices[s->mesh->triangles[found[n]][k]], job->middle, corner[k]);
        job->triangle[n] = firn_prepare_triangle(corner[0], corner[1], corner[2]);
        look(list, job, n, (const double[3]){0, 0, 0});
    }
    return true;
}

// Lists for a half what may be nearest, by the list of the whole.
static void list_for_half(block_job* job, const cell* whole, const cell* half)
{
    const near_list* from = &job->lists[whole->level];
    near_list* to = &job->lists[half->level];
    double by[3], at[3];
    difference(half->center, whole->center, by);
    difference(half->center, job->middle, at);
    const double reach = upper_bound(from, by) + 2 * half->radius + SLACK * job->search->spacing;
    to->count = 0;
    for (int n = 0; n < from->count; n++)
        if (!(lower_bound(&from->at[n], by) > reach)) look(to, job, from->at[n].index, at);
}

// ---- cells --------------------------------------------------------------------------------------

static double node_distance(const block_job* job, const cell* c, int node)
{
    const near_list* list = &job->lists[c->level];
    double by[3], at[3], from[3], found2 = INFINITY;
    difference(job->search->x[node], c->center, by);
    difference(job->search->x[node], job->middle, at);
    double least = upper_bound(list, by) + SLACK * job->search->spacing;
    for (int n = 0; n < list->count; n++) {
        if (lower_bound(&list->at[n], by) > least) continue;
        const double d2 = firn_prepared_distance2(&job->triangle[list->at[n].index], at, from);
        if (!(d2 < found2)) continue;
        found2 = d2;
        least = fmin(least, sqrt(d2));
    }
    return sqrt(found2);
}

// True: all nodes of the cell are farther away than `limit`, and have a value.
static bool fill_far(const block_job* job, const cell* c, double least)
{
    const double value = least - c->radius - SLACK * job->search->spacing;
    if (!(value > job->search->limit)) return false;
    int nodes[FIRN_BLOCK_NODES], count = 0;
    for (int n = 0; n < c->edge * c->edge * c->edge; n++) {
        const int at[3] = {c->first[0] + n % c->edge, c->first[1] + n / c->edge % c->edge,
                           c->first[2] + n / c->edge / c->edge};
        nodes[count] = node_of(at);
        if (job->search->unlimited != NULL && job->search->unlimited[nodes[count]]) return false;
        count++;
    }
    for (int n = 0; n < count; n++) job->distance[nodes[n]] = value;
    return true;
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
    if (c->edge == 1) {
        int32_t nearest;
        job->distance[node_of(c->first)] =
            sqrt(firn_triangle_tree_nearest(job->search->tree, c->center, -1, &nearest).distance2);
        return;
    }
    listed = listed || list_by_tree(job, c);
    if (listed) {
        near_list* list = &job->lists[c->level];
        const double least = shorten(list, c->radius, SLACK * job->search->spacing);
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
    const cell all = place_cell(&job, first, FIRN_BLOCK_EDGE, 0);
    fill_cell(&job, &all, false);
}
