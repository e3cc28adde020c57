// SPDX-License-Identifier: MIT
// Nearest triangles at the nodes of a grid.
//
// Near the surface, blocks of 8^3 nodes list the triangles within `near` of them, and each triangle
// visits the nodes around it. From there the nodes farther away are reached in the order of their
// distances, as by Dijkstra 1959: a node that is final offers its triangle to the 26 around it.
#include "mesh/spatial/nearest_grid.h"

#include <math.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "mesh/spatial/nearest_triangle.h"
#include "mesh/spatial/prepared_triangle.h"

#define EDGE 8      // nodes along a block
#define RANGE 0.25  // [spacings] of a list of nodes at about the same distance
#define SLACK 1e-6  // relative, against rounding

typedef struct grid_job {
    const firn_mesh* mesh;
    const firn_nearest_grid* grid;
    int32_t blocks[3];
    firn_local* first;                  // owned [blocks + 1]: where a block's list begins
    firn_local* list;                   // owned: triangles, in order of their numbers
    int32_t* nearest;                   // [nodes]; -1: none yet
    firn_prepared_triangle* triangles;  // owned
} grid_job;

static firn_vec3 node_position(const firn_nearest_grid* g, int32_t i, int32_t j, int32_t k)
{
    return firn_v3_madd(g->origin, g->spacing, firn_v3((firn_real)i, (firn_real)j, (firn_real)k));
}

// The square of the distance of a triangle, or, sooner, any number above `limit2` if it is above.
static double distance2_of(const grid_job* job, int32_t t, firn_vec3 x, double limit2)
{
    const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
    const double h2 = (double)job->grid->spacing * (double)job->grid->spacing;
    double from[3];
    const double about = firn_prepared_distance2(&job->triangles[t], at, from);
    if (about > limit2 * (1 + SLACK) + SLACK * h2) return about;
    const int32_t* c = job->mesh->triangles[t];
    const firn_vec3* v = job->mesh->vertices;
    return firn_nearest_on_triangle(x, v[c[0]], v[c[1]], v[c[2]]).distance2;
}

// ---- near the surface ---------------------------------------------------------------------------

// Nodes [range[d][0], range[d][1]) along each axis within `near` of a triangle's box.
static void nodes_around(const grid_job* job, int32_t t, int32_t range[3][2])
{
    const firn_nearest_grid* g = job->grid;
    const int32_t* c = job->mesh->triangles[t];
    const firn_vec3 *v = job->mesh->vertices, a = v[c[0]], b = v[c[1]], d = v[c[2]];
    const firn_vec3 low = firn_v3_sub(firn_v3_min(a, firn_v3_min(b, d)), g->origin);
    const firn_vec3 high = firn_v3_sub(firn_v3_max(a, firn_v3_max(b, d)), g->origin);
    const double from[3] = {(double)low.x, (double)low.y, (double)low.z};
    const double to[3] = {(double)high.x, (double)high.y, (double)high.z};
    const double h = (double)g->spacing, reach = (double)g->near + SLACK * h;
    for (int i = 0; i < 3; i++) {
        const double most = g->size[i];
        range[i][0] = (int32_t)fmin(fmax(ceil((from[i] - reach) / h), 0), most);
        range[i][1] = (int32_t)fmin(fmax(floor((to[i] + reach) / h) + 1, 0), most);
    }
}

// Calls of this for all triangles count them into first[block + 1], or list them in order.
static void enlist(const grid_job* job, int32_t t, firn_local* next)
{
    int32_t range[3][2];
    nodes_around(job, t, range);
    for (int i = 0; i < 3; i++)
        if (range[i][0] >= range[i][1]) return;
    for (int32_t k = range[2][0] / EDGE; k <= (range[2][1] - 1) / EDGE; k++)
        for (int32_t j = range[1][0] / EDGE; j <= (range[1][1] - 1) / EDGE; j++)
            for (int32_t i = range[0][0] / EDGE; i <= (range[0][1] - 1) / EDGE; i++) {
                const int32_t block = (k * job->blocks[1] + j) * job->blocks[0] + i;
                if (job->list != NULL) job->list[next[block]] = t;
                next[block]++;
            }
}

static firn_result list_triangles(grid_job* job)
{
    const firn_local count = job->blocks[0] * job->blocks[1] * job->blocks[2];
    job->first = firn_alloc((size_t)count + 2, sizeof *job->first);
    if (job->first == NULL) return FIRN_BROKEN_MEMORY;
    firn_local* next = job->first + 1;  // the end of a list, while it fills: its beginning before
    for (firn_local t = 0; t < job->mesh->triangle_count; t++) enlist(job, t, next + 1);
    for (firn_local b = 0; b < count; b++) next[b + 1] += next[b];
    job->list = firn_alloc((size_t)next[count] + 1, sizeof *job->list);
    if (job->list == NULL) return FIRN_BROKEN_MEMORY;
    for (firn_local t = 0; t < job->mesh->triangle_count; t++) enlist(job, t, next);
    return FIRN_OK;
}

// The nodes of a block, and the nearest triangle of each so far.
typedef struct block_state {
    int32_t low[3], high[3];  // nodes [low, high) of the grid
    double distance[EDGE * EDGE * EDGE], distance2[EDGE * EDGE * EDGE];
    int32_t nearest[EDGE * EDGE * EDGE];
} block_state;

// A triangle lies in the ball around its centroid: most nodes need no more than that.
static void visit(const grid_job* job, int32_t t, block_state* b)
{
    int32_t range[3][2];
    nodes_around(job, t, range);
    const int32_t* c = job->mesh->triangles[t];
    double center[3] = {0}, radius2 = 0;
    for (int v = 0; v < 3; v++) {
        const firn_vec3 x = job->mesh->vertices[c[v]];
        center[0] += (double)x.x / 3, center[1] += (double)x.y / 3, center[2] += (double)x.z / 3;
    }
    for (int v = 0; v < 3; v++) {
        const firn_vec3 x = job->mesh->vertices[c[v]];
        const double d[3] = {(double)x.x - center[0], (double)x.y - center[1],
                             (double)x.z - center[2]};
        radius2 = fmax(radius2, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
    const double radius = sqrt(radius2);
    for (int i = 0; i < 3; i++) {
        if (range[i][0] < b->low[i]) range[i][0] = b->low[i];
        if (range[i][1] > b->high[i]) range[i][1] = b->high[i];
    }
    for (int32_t k = range[2][0]; k < range[2][1]; k++)
        for (int32_t j = range[1][0]; j < range[1][1]; j++)
            for (int32_t i = range[0][0]; i < range[0][1]; i++) {
                const int n = ((k - b->low[2]) * EDGE + j - b->low[1]) * EDGE + i - b->low[0];
                const firn_vec3 x = node_position(job->grid, i, j, k);
                const double d[3] = {(double)x.x - center[0], (double)x.y - center[1],
                                     (double)x.z - center[2]};
                const double reach = (b->distance[n] + radius) * (1 + SLACK);
                if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > reach * reach) continue;
                const double d2 = distance2_of(job, t, x, b->distance2[n]);
                if (d2 > b->distance2[n]) continue;
                if (b->nearest[n] >= 0 && d2 == b->distance2[n]) continue;  // a smaller number
                b->distance2[n] = d2;
                b->distance[n] = sqrt(d2);
                b->nearest[n] = t;
            }
}

static void fill_block(const grid_job* job, firn_local block)
{
    const int32_t at[3] = {block % job->blocks[0], block / job->blocks[0] % job->blocks[1],
                           block / job->blocks[0] / job->blocks[1]};
    const int32_t* size = job->grid->size;
    block_state b;
    for (int i = 0; i < 3; i++) {
        b.low[i] = at[i] * EDGE;
        b.high[i] = b.low[i] + EDGE < size[i] ? b.low[i] + EDGE : size[i];
    }
    const double near = (double)job->grid->near;
    for (int n = 0; n < EDGE * EDGE * EDGE; n++) {
        b.distance[n] = near;
        b.distance2[n] = near * near;
        b.nearest[n] = -1;
    }
    for (firn_local l = job->first[block]; l < job->first[block + 1]; l++)
        visit(job, job->list[l], &b);
    for (int32_t k = b.low[2]; k < b.high[2]; k++)
        for (int32_t j = b.low[1]; j < b.high[1]; j++)
            for (int32_t i = b.low[0]; i < b.high[0]; i++) {
                const int from = ((k - b.low[2]) * EDGE + j - b.low[1]) * EDGE + i - b.low[0];
                const firn_local to = (k * size[1] + j) * size[0] + i;
                job->nearest[to] = b.nearest[from];
            }
}

static void fill_blocks(const void* self, firn_local begin, firn_local end)
{
    for (firn_local b = begin; b < end; b++) fill_block(self, b);
}

// ---- farther away -------------------------------------------------------------------------------

// A list per range of distances, of nodes whose distance may still shrink.
typedef struct front {
    const grid_job* job;
    double width;       // [m] of a range
    int32_t count;      // ranges
    int32_t now;        // range that is being emptied
    int32_t* first;     // owned [count]; -1: empty
    int32_t* next;      // owned [nodes]; -1: the last one
    int32_t* before;    // owned [nodes]; -1: the first one
    double* distance2;  // owned [nodes] [m^2]; infinite: in no list, 0: final
} front;

static int32_t range_of(const front* f, double distance2)
{
    const double r = sqrt(distance2) / f->width;
    const int32_t k = r < f->count - 1 ? (int32_t)r : f->count - 1;
    return k > f->now ? k : f->now;
}

static void leave(front* f, int32_t n)
{
    const int32_t before = f->before[n], next = f->next[n];
    if (next >= 0) f->before[next] = before;
    if (before >= 0)
        f->next[before] = next;
    else
        f->first[range_of(f, f->distance2[n])] = next;
}

static void enter(front* f, int32_t n)
{
    int32_t* first = &f->first[range_of(f, f->distance2[n])];
    f->before[n] = -1;
    f->next[n] = *first;
    if (*first >= 0) f->before[*first] = n;
    *first = n;
}

static void offer(front* f, int32_t triangle, const int32_t at[3], int32_t n)
{
    int32_t* nearest = &f->job->nearest[n];
    if (f->distance2[n] == 0 || *nearest == triangle) return;
    const firn_vec3 x = node_position(f->job->grid, at[0], at[1], at[2]);
    const double d2 = distance2_of(f->job, triangle, x, f->distance2[n]);
    if (d2 > f->distance2[n] || (d2 == f->distance2[n] && triangle > *nearest)) return;
    if (*nearest >= 0) leave(f, n);
    *nearest = triangle;
    f->distance2[n] = d2;
    enter(f, n);
}

// Offers the triangle of a node to the nodes around it.
static void spread(front* f, int32_t n)
{
    const int32_t* size = f->job->grid->size;
    const int32_t at[3] = {n % size[0], n / size[0] % size[1], n / size[0] / size[1]};
    int32_t low[3], high[3], m[3];
    for (int i = 0; i < 3; i++) {
        low[i] = at[i] > 0 ? at[i] - 1 : 0;
        high[i] = at[i] + 1 < size[i] ? at[i] + 1 : at[i];
    }
    for (m[2] = low[2]; m[2] <= high[2]; m[2]++)
        for (m[1] = low[1]; m[1] <= high[1]; m[1]++)
            for (m[0] = low[0]; m[0] <= high[0]; m[0]++)
                offer(f, f->job->nearest[n], m, (m[2] * size[1] + m[1]) * size[0] + m[0]);
}

static void march(front* f, int32_t nodes)
{
    for (int32_t n = 0; n < nodes; n++) f->distance2[n] = f->job->nearest[n] >= 0 ? 0 : INFINITY;
    for (int32_t k = 0; k < f->count; k++) f->first[k] = -1;
    for (int32_t n = 0; n < nodes; n++)
        if (f->distance2[n] == 0) spread(f, n);
    for (; f->now < f->count; f->now++)
        while (f->first[f->now] >= 0) {
            const int32_t n = f->first[f->now];
            leave(f, n);
            f->distance2[n] = 0;
            spread(f, n);
        }
}

static firn_result fill_rest(const grid_job* job)
{
    const firn_nearest_grid* g = job->grid;
    const int32_t nodes = g->size[0] * g->size[1] * g->size[2];
    front f = {.job = job,
               .width = RANGE * (double)g->spacing,
               .count = (int32_t)(2 * (g->size[0] + g->size[1] + g->size[2]) / RANGE)};
    f.first = firn_alloc((size_t)f.count, sizeof *f.first);
    f.next = firn_alloc((size_t)nodes, sizeof *f.next);
    f.before = firn_alloc((size_t)nodes, sizeof *f.before);
    f.distance2 = firn_alloc((size_t)nodes, sizeof *f.distance2);
    const bool good = f.first != NULL && f.next != NULL && f.before != NULL && f.distance2 != NULL;
    if (good) march(&f, nodes);
    firn_free(f.first);
    firn_free(f.next);
    firn_free(f.before);
    firn_free(f.distance2);
    return good ? FIRN_OK : FIRN_BROKEN_MEMORY;
}

firn_result firn_nearest_on_grid(const firn_mesh* mesh, const firn_nearest_grid* grid,
                                 int32_t* out_triangle, firn_error* error)
{
    grid_job job = {.mesh = mesh, .grid = grid, .nearest = out_triangle};
    for (int i = 0; i < 3; i++) job.blocks[i] = (grid->size[i] + EDGE - 1) / EDGE;
    job.triangles = firn_prepare_mesh(mesh);
    firn_result result = job.triangles != NULL ? FIRN_OK : FIRN_BROKEN_MEMORY;
    if (result == FIRN_OK) result = list_triangles(&job);
    if (result == FIRN_OK) {
        firn_share(job.blocks[0] * job.blocks[1] * job.blocks[2], 1, fill_blocks, &job);
        result = fill_rest(&job);
    }
    firn_free(job.first);
    firn_free(job.list);
    firn_free(job.triangles);
    return result == FIRN_OK ? result
                             : firn_fail(error, result, "no memory for a grid of %d triangles",
                                         (int)mesh->triangle_count);
}
