// SPDX-License-Identifier: MIT
// Velocities of key frames: derivatives at the vertices, carried to the nodes of a coarse grid from
// the nearest triangle. Nodes next to a triangle look at it; the others take over candidates from
// their neighbours in sweeps over the grid (closest-point propagation, as in fast sweeping, Zhao
// 2005), each compared by its true distance. Ties go to the triangle with the smaller number, and
// everything runs in one order: a grid is the same every time.
#include "shape/deform_velocity.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "shape/level_set_sample.h"
#include "shape/nearest_triangle.h"

#define CELLS_ALONG 96  // of the grid's longest edge, where the voxels allow it: 2 cm on a person
#define MARGIN 4        // [cells] around the bodies
#define ROUNDS_MAX 8    // of eight sweeps; two are the rule
#define WALKS 4         // steps towards the surface

firn_deform_weights firn_deform_weigh(double length_before, double length_after)
{
    const double a = length_before, b = length_after;
    if (a > 0 && b > 0) {
        const double before = -b / (a * (a + b)), after = a / (b * (a + b));
        return (firn_deform_weights){before, -(before + after), after};
    }
    if (a > 0) return (firn_deform_weights){-1 / a, 1 / a, 0};
    if (b > 0) return (firn_deform_weights){0, -1 / b, 1 / b};
    return (firn_deform_weights){0, 0, 0};
}

bool firn_deform_same_points(const firn_mesh* a, const firn_mesh* b)
{
    return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           memcmp(a->triangles, b->triangles, (size_t)a->triangle_count * sizeof *a->triangles) ==
               0;
}

firn_result firn_deform_grid(const firn_box3 boxes[3], firn_real voxel,
                             firn_velocity_grid* out_grid, firn_error* error)
{
    firn_box3 all = boxes[1];
    for (int i = 0; i < 3; i++) {
        if (!(boxes[i].low.x <= boxes[i].high.x)) continue;
        all.low = firn_v3_min(all.low, boxes[i].low);
        all.high = firn_v3_max(all.high, boxes[i].high);
    }
    const firn_vec3 e = firn_v3_sub(all.high, all.low);
    const firn_real longest = firn_max(e.x, firn_max(e.y, e.z));
    const firn_real h = firn_max(2 * voxel, longest / CELLS_ALONG), m = MARGIN * h;
    const firn_vec3 margin = {m, m, m};
    const firn_box3 box = {firn_v3_sub(all.low, margin), firn_v3_add(all.high, margin)};
    return firn_velocity_grid_create(box, h, out_grid, error);
}

// ---- from vertices ------------------------------------------------------------------------------

// A ball around a triangle: most candidates are farther away than what a node has, and their balls
// tell it at a fraction of the work.
typedef struct ball {
    double center[3], radius;  // [m]
} ball;

typedef struct search {
    const firn_mesh* mesh;
    const firn_velocity_grid* grid;
    ball* balls;        // owned [triangles]
    int32_t* triangle;  // owned [nodes]: nearest so far; -1: none yet
    double* distance;   // owned [nodes] [m]
    uint8_t* found_at;  // owned [nodes]: the sweep that found it; 0: before the first
} search;

static ball ball_around(const firn_mesh* mesh, int32_t triangle)
{
    double corner[3][3], radius2 = 0;
    ball b = {{0, 0, 0}, 0};
    for (int i = 0; i < 3; i++) {
        const firn_vec3 v = mesh->vertices[mesh->triangles[triangle][i]];
        corner[i][0] = (double)v.x, corner[i][1] = (double)v.y, corner[i][2] = (double)v.z;
        for (int d = 0; d < 3; d++) b.center[d] += corner[i][d] / 3;
    }
    for (int i = 0; i < 3; i++) {
        double r2 = 0;
        for (int d = 0; d < 3; d++) r2 += pow(corner[i][d] - b.center[d], 2);
        radius2 = fmax(radius2, r2);
    }
    b.radius = sqrt(radius2) * (1 + 1e-12);  // never too small by rounding
    return b;
}

static firn_nearest look(const search* s, firn_vec3 x, int32_t triangle)
{
    const int32_t* t = s->mesh->triangles[triangle];
    const firn_vec3* v = s->mesh->vertices;
    return firn_nearest_on_triangle(x, v[t[0]], v[t[1]], v[t[2]]);
}

static bool offer(const search* s, int64_t n, firn_vec3 x, int32_t triangle)
{
    if (triangle < 0 || triangle == s->triangle[n]) return false;
    const ball* b = &s->balls[triangle];
    const double off[3] = {(double)x.x - b->center[0], (double)x.y - b->center[1],
                           (double)x.z - b->center[2]};
    const double reach = s->distance[n] * (1 + 1e-12) + b->radius;
    if (off[0] * off[0] + off[1] * off[1] + off[2] * off[2] > reach * reach) return false;
    const double distance = sqrt(look(s, x, triangle).distance2);
    const bool nearer =
        distance < s->distance[n] || (distance == s->distance[n] && triangle < s->triangle[n]);
    if (!nearer) return false;
    s->triangle[n] = triangle;
    s->distance[n] = distance;
    return true;
}

// Nodes of the box of a triangle and one cell around it, along one axis.
static void node_range(firn_real low, firn_real high, firn_real origin, firn_real voxel,
                       int32_t size, int32_t* out_first, int32_t* out_last)
{
    const double a = floor((double)((low - origin) / voxel)) - 1;
    const double b = ceil((double)((high - origin) / voxel)) + 1;
    *out_first = (int32_t)fmin(fmax(a, 0), size - 1);
    *out_last = (int32_t)fmin(fmax(b, 0), size - 1);
}

static void offer_around(const search* s, int32_t triangle)
{
    const firn_velocity_grid* g = s->grid;
    const int32_t* t = s->mesh->triangles[triangle];
    const firn_vec3 a = s->mesh->vertices[t[0]], b = s->mesh->vertices[t[1]];
    const firn_vec3 c = s->mesh->vertices[t[2]];
    const firn_vec3 low = firn_v3_min(a, firn_v3_min(b, c));
    const firn_vec3 high = firn_v3_max(a, firn_v3_max(b, c));
    int32_t first[3], last[3];
    node_range(low.x, high.x, g->origin.x, g->voxel, g->size[0], &first[0], &last[0]);
    node_range(low.y, high.y, g->origin.y, g->voxel, g->size[1], &first[1], &last[1]);
    node_range(low.z, high.z, g->origin.z, g->voxel, g->size[2], &first[2], &last[2]);
    for (int32_t k = first[2]; k <= last[2]; k++)
        for (int32_t j = first[1]; j <= last[1]; j++)
            for (int32_t i = first[0]; i <= last[0]; i++) {
                const int64_t n = ((int64_t)k * g->size[1] + j) * g->size[0] + i;
                offer(s, n, firn_velocity_grid_node(g, n), triangle);
            }
}

// The sweep before number `now` (from 1) in which nodes looked at the same neighbour, `from`: bit
// per axis. 0: none. Sweep n runs downwards along the axes of the bits of n - 1.
static int last_look(int now, int from)
{
    for (int n = now - 1; n >= 1; n--)
        if (((n - 1) & from) == ((now - 1) & from)) return n;
    return 0;
}

// Each node is offered what its seven neighbours passed before it have found since it last looked
// at them.
static bool sweep(const search* s, int now)
{
    const int32_t* size = s->grid->size;
    const int way = (now - 1) & 7;
    const int64_t row = size[0], layer = row * size[1];
    int64_t step[8];
    int seen[8];
    for (int from = 1; from < 8; from++) {
        step[from] = (from & 1 ? (way & 1 ? 1 : -1) : 0) + (from & 2 ? (way & 2 ? row : -row) : 0) +
                     (from & 4 ? (way & 4 ? layer : -layer) : 0);
        seen[from] = last_look(now, from);
    }
    bool changed = false;
    for (int32_t kk = 0; kk < size[2]; kk++)
        for (int32_t jj = 0; jj < size[1]; jj++)
            for (int32_t ii = 0; ii < size[0]; ii++) {
                const int64_t i = way & 1 ? size[0] - 1 - ii : ii;
                const int64_t j = way & 2 ? size[1] - 1 - jj : jj;
                const int64_t k = way & 4 ? size[2] - 1 - kk : kk;
                const int64_t n = k * layer + j * row + i;
                const firn_vec3 x = firn_velocity_grid_node(s->grid, n);
                const int edge = (ii == 0 ? 1 : 0) | (jj == 0 ? 2 : 0) | (kk == 0 ? 4 : 0);
                for (int from = 1; from < 8; from++) {
                    const int64_t m = n + step[from];
                    if ((from & edge) != 0 || (seen[from] > 0 && s->found_at[m] <= seen[from]))
                        continue;
                    if (!offer(s, n, x, s->triangle[m])) continue;
                    s->found_at[n] = (uint8_t)now;
                    changed = true;
                }
            }
    return changed;
}

static void find_nearest(const search* s)
{
    const int64_t count = firn_velocity_grid_count(s->grid);
    for (int64_t n = 0; n < count; n++) {
        s->triangle[n] = -1;
        s->distance[n] = INFINITY;
    }
    for (int32_t t = 0; t < s->mesh->triangle_count; t++) {
        s->balls[t] = ball_around(s->mesh, t);
        offer_around(s, t);
    }
    bool changed = true;
    for (int round = 0; round < ROUNDS_MAX && changed; round++) {
        changed = false;
        for (int way = 0; way < 8; way++) changed = sweep(s, 8 * round + way + 1) || changed;
    }
}

// Derivative of the path of one vertex [m/s].
static void add_vertex(const firn_mesh* mesh, int32_t v, double weight, double out[3])
{
    if (mesh == NULL) return;
    out[0] += weight * (double)mesh->vertices[v].x;
    out[1] += weight * (double)mesh->vertices[v].y;
    out[2] += weight * (double)mesh->vertices[v].z;
}

firn_result firn_deform_from_points(const firn_mesh* before, const firn_mesh* here,
                                    const firn_mesh* after, firn_deform_weights weights,
                                    firn_velocity_grid* grid, firn_error* error)
{
    const size_t count = (size_t)firn_velocity_grid_count(grid);
    search s = {.mesh = here,
                .grid = grid,
                .balls = firn_alloc((size_t)here->triangle_count, sizeof *s.balls),
                .triangle = firn_alloc(count, sizeof *s.triangle),
                .distance = firn_alloc(count, sizeof *s.distance),
                .found_at = firn_alloc(count, sizeof *s.found_at)};
    const bool good =
        s.balls != NULL && s.triangle != NULL && s.distance != NULL && s.found_at != NULL;
    if (good) find_nearest(&s);
    for (int64_t n = 0; good && n < (int64_t)count; n++) {
        const firn_nearest at = look(&s, firn_velocity_grid_node(grid, n), s.triangle[n]);
        double v[3] = {0, 0, 0};
        for (int i = 0; i < 3; i++) {
            const int32_t vertex = here->triangles[s.triangle[n]][i];
            add_vertex(before, vertex, at.weight[i] * weights.before, v);
            add_vertex(here, vertex, at.weight[i] * weights.here, v);
            add_vertex(after, vertex, at.weight[i] * weights.after, v);
        }
        grid->value[n] = firn_v3((firn_real)v[0], (firn_real)v[1], (firn_real)v[2]);
    }
    firn_free(s.balls);
    firn_free(s.triangle);
    firn_free(s.distance);
    firn_free(s.found_at);
    if (!good)
        return firn_fail(error, FIRN_BROKEN_MEMORY,
                         "no memory for the velocities at %zu nodes around a deforming body",
                         count);
    return FIRN_OK;
}

// ---- from level sets ----------------------------------------------------------------------------

void firn_deform_from_distances(const firn_level_set* before, const firn_level_set* here,
                                const firn_level_set* after, firn_deform_weights weights,
                                firn_velocity_grid* grid)
{
    const int64_t count = firn_velocity_grid_count(grid);
    for (int64_t n = 0; n < count; n++) {
        // at the nearest point of the surface, where distances are most exact; far out phi is a
        // lower bound, so it takes some steps to get there
        firn_vec3 x = firn_velocity_grid_node(grid, n);
        firn_phi phi = firn_level_set_sample(here, x);
        for (int walk = 0; walk < WALKS; walk++) {
            x = firn_v3_madd(x, -phi.distance, phi.normal);
            phi = firn_level_set_sample(here, x);
        }
        double rate = weights.here * (double)phi.distance;
        if (before != NULL) rate += weights.before * (double)firn_level_set_distance(before, x);
        if (after != NULL) rate += weights.after * (double)firn_level_set_distance(after, x);
        grid->value[n] = firn_v3_scale(phi.normal, (firn_real)-rate);
    }
}

// ---- from files ---------------------------------------------------------------------------------

// Mean of the neighbours along the axes that were known before layer `now`; false: none was.
static bool mean_around(const firn_velocity_grid* grid, const uint8_t* known, int64_t n,
                        uint8_t now, firn_vec3* out_mean)
{
    const int64_t step[3] = {1, grid->size[0], (int64_t)grid->size[0] * grid->size[1]};
    const int64_t at[3] = {n % grid->size[0], n / step[1] % grid->size[1], n / step[2]};
    firn_vec3 sum = {0, 0, 0};
    int count = 0;
    for (int d = 0; d < 3; d++)
        for (int way = -1; way <= 1; way += 2) {
            if (at[d] + way < 0 || at[d] + way >= grid->size[d]) continue;
            const int64_t m = n + way * step[d];
            if (known[m] == 0 || known[m] == now) continue;
            sum = firn_v3_add(sum, grid->value[m]);
            count++;
        }
    if (count > 0) *out_mean = firn_v3_scale(sum, 1 / (firn_real)count);
    return count > 0;
}

bool firn_deform_fill(firn_velocity_grid* grid, uint8_t* known)
{
    const int64_t count = firn_velocity_grid_count(grid);
    int64_t missing = 0;
    for (int64_t n = 0; n < count; n++) missing += known[n] == 0;
    if (missing == count) return false;
    // a layer is marked by a number of its own (2 and 3 in turn), so that it does not see itself
    for (uint8_t now = 2; missing > 0; now ^= 1) {
        for (int64_t n = 0; n < count; n++)
            if (known[n] == now) known[n] = 1;
        for (int64_t n = 0; n < count; n++) {
            if (known[n] != 0 || !mean_around(grid, known, n, now, &grid->value[n])) continue;
            known[n] = now;
            missing--;
        }
    }
    return true;
}
