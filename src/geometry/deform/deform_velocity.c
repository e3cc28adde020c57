// SPDX-License-Identifier: MIT
// Velocities of key frames: time derivatives at the vertices, copied to the nodes of a coarse grid
// from the nearest triangle, or farther away from one that is about as near
// (mesh/spatial/nearest_grid.h). No value depends on threads.
#include "geometry/deform/deform_velocity.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "geometry/levelset/level_set_sample.h"
#include "mesh/spatial/nearest_grid.h"
#include "mesh/spatial/nearest_triangle.h"

#define CELLS_ALONG 96  // cells along the longest edge, if voxels allow: 2 cm on a person
#define MARGIN 4        // [cells] around the solid
#define NEAR 3          // [cells] from the surface the nearest triangle is exact: where snow is
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

// Time derivative of the position of one vertex [m/s].
static void add_vertex(const firn_mesh* mesh, int32_t v, double weight, double out[3])
{
    if (mesh == NULL) return;
    out[0] += weight * (double)mesh->vertices[v].x;
    out[1] += weight * (double)mesh->vertices[v].y;
    out[2] += weight * (double)mesh->vertices[v].z;
}

typedef struct node_job {
    const int32_t* nearest;    // [nodes] triangles
    const firn_mesh* keys[3];  // before, here, after
    firn_deform_weights weights;
    const firn_velocity_grid* grid;
} node_job;

// The velocity of the nearest point of the nearest triangle.
static void copy_velocities(const void* self, firn_local begin, firn_local end)
{
    const node_job* job = self;
    const firn_deform_weights* w = &job->weights;
    const double weight[3] = {w->before, w->here, w->after};
    const firn_vec3* x = job->keys[1]->vertices;
    for (firn_local n = begin; n < end; n++) {
        if (job->nearest[n] < 0) continue;  // no surface: at rest
        const int32_t* corner = job->keys[1]->triangles[job->nearest[n]];
        const firn_nearest at = firn_nearest_on_triangle(firn_velocity_grid_node(job->grid, n),
                                                         x[corner[0]], x[corner[1]], x[corner[2]]);
        double v[3] = {0, 0, 0};
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                add_vertex(job->keys[k], corner[i], at.weight[i] * weight[k], v);
        job->grid->value[n] = firn_v3((firn_real)v[0], (firn_real)v[1], (firn_real)v[2]);
    }
}

firn_result firn_deform_from_points(const firn_mesh* before, const firn_mesh* here,
                                    const firn_mesh* after, firn_deform_weights weights,
                                    firn_velocity_grid* grid, firn_error* error)
{
    const int64_t count = firn_velocity_grid_count(grid);
    const firn_nearest_grid nodes = {.origin = grid->origin,
                                     .spacing = grid->voxel,
                                     .size = {grid->size[0], grid->size[1], grid->size[2]},
                                     .near = NEAR * grid->voxel};
    int32_t* nearest = firn_alloc((size_t)count, sizeof *nearest);
    if (nearest == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the velocities of %lld nodes",
                         (long long)count);
    const firn_result result = firn_nearest_on_grid(here, &nodes, nearest, error);
    if (result == FIRN_OK)
        firn_share((firn_local)count, 64, copy_velocities,
                   &(node_job){nearest, {before, here, after}, weights, grid});
    firn_free(nearest);
    return result;
}

// ---- from level sets ----------------------------------------------------------------------------

typedef struct distance_job {
    const firn_level_set *before, *here, *after;
    firn_deform_weights weights;
    const firn_velocity_grid* grid;
} distance_job;

static void fill_nodes(const void* self, firn_local begin, firn_local end)
{
    const distance_job* job = self;
    const firn_level_set *before = job->before, *here = job->here, *after = job->after;
    const firn_deform_weights weights = job->weights;
    const firn_velocity_grid* grid = job->grid;
    for (firn_local n = begin; n < end; n++) {
        // Evaluate at the nearest point of the surface, where distances are most accurate. Far away
        // phi is only a lower bound, so it takes several steps to get there.
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

void firn_deform_from_distances(const firn_level_set* before, const firn_level_set* here,
                                const firn_level_set* after, firn_deform_weights weights,
                                firn_velocity_grid* grid)
{
    firn_share((firn_local)firn_velocity_grid_count(grid), 16, fill_nodes,
               &(distance_job){before, here, after, weights, grid});
}

// ---- from files ---------------------------------------------------------------------------------

// Mean of the axis neighbours that were known before layer `now`; false: there are none.
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
            const uint8_t mark = __atomic_load_n(&known[m], __ATOMIC_RELAXED);
            if (mark == 0 || mark == now) continue;
            sum = firn_v3_add(sum, grid->value[m]);
            count++;
        }
    if (count > 0) *out_mean = firn_v3_scale(sum, 1 / (firn_real)count);
    return count > 0;
}

typedef struct fill_job {
    const firn_velocity_grid* grid;
    uint8_t* known;
    uint8_t now;  // mark of the layer
    int64_t* found;
} fill_job;

static void forget_layer(const void* self, firn_local begin, firn_local end)
{
    const fill_job* job = self;
    for (firn_local n = begin; n < end; n++)
        if (job->known[n] == job->now) job->known[n] = 1;
}

// Marks change while other parts look at them: from 0 to `now`, which means the same to them.
static void fill_layer(const void* self, firn_local begin, firn_local end)
{
    const fill_job* job = self;
    int64_t found = 0;
    for (firn_local n = begin; n < end; n++) {
        if (job->known[n] != 0 ||
            !mean_around(job->grid, job->known, n, job->now, &job->grid->value[n]))
            continue;
        __atomic_store_n(&job->known[n], job->now, __ATOMIC_RELAXED);
        found++;
    }
    firn_atomic_add(job->found, found);
}

bool firn_deform_fill(firn_velocity_grid* grid, uint8_t* known)
{
    const int64_t count = firn_velocity_grid_count(grid);
    int64_t missing = 0;
    for (int64_t n = 0; n < count; n++) missing += known[n] == 0;
    if (missing == count) return false;
    // Layers alternate between the marks 2 and 3, so that a layer does not read its own values.
    for (uint8_t now = 2; missing > 0; now ^= 1) {
        int64_t found = 0;
        const fill_job job = {grid, known, now, &found};
        firn_share((firn_local)count, 8192, forget_layer, &job);
        firn_share((firn_local)count, 2048, fill_layer, &job);
        missing -= found;
    }
    return true;
}
