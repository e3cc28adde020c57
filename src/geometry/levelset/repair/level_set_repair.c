// SPDX-License-Identifier: MIT
// Broken meshes: inside is where the winding number w is above 1/2.
//
// Near triangles |phi| is the distance to them. Across a hole there are none, and w falls smoothly
// from 1 to 0; there the surface w = 1/2 closes the hole, at the distance |w - 1/2| / |grad w| to
// first order. In blocks without triangles w is smooth, so nine samples classify them.
#include "geometry/levelset/repair/level_set_repair.h"

#include <math.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "math/vec3.h"

#define BAND 3      // [voxels] |phi| at most
#define MARGIN 4    // [voxels] around the mesh
#define CLEAR 0.05  // w is clear if it differs from 1/2 by more, or from an integer by less

typedef struct repair_job {
    const firn_winding* winding;
    double voxel, sign;
    int64_t first[3];  // node (0, 0, 0), in voxels from the world's origin
    int32_t size[3];   // blocks
    int32_t* table;
    firn_real* value;
} repair_job;

static void node_position(const repair_job* job, int64_t t, const double node[3], double x[3])
{
    const int64_t block[3] = {t % job->size[0], t / job->size[0] % job->size[1],
                              t / job->size[0] / job->size[1]};
    for (int i = 0; i < 3; i++)
        x[i] = ((double)(job->first[i] + block[i] * FIRN_LEVEL_SET_EDGE) + node[i]) * job->voxel;
}

static double number_at(const repair_job* job, const double x[3])
{
    return job->sign * firn_winding_number(job->winding, x);
}

static double slope_at(const repair_job* job, const double x[3])
{
    const double step = job->voxel / 2;
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double a[3] = {x[0], x[1], x[2]}, b[3] = {x[0], x[1], x[2]};
        a[i] -= step;
        b[i] += step;
        const double d = (number_at(job, b) - number_at(job, a)) / (2 * step);
        sum += d * d;
    }
    return sqrt(sum);
}

static double phi_at(const repair_job* job, const double x[3], double w, double distance)
{
    const double from_half = fabs(w - 0.5);
    // Closer to a triangle, the finite differences of w would straddle it.
    if (distance > job->voxel && from_half < 0.3) {
        const double slope = slope_at(job, x);
        if (from_half < distance * slope) distance = from_half / slope;
    }
    return w > 0.5 ? -distance : distance;
}

// What is known of the nodes of a block so far.
typedef struct block_state {
    double x[FIRN_LEVEL_SET_NODES][3];
    double w[FIRN_LEVEL_SET_NODES], distance[FIRN_LEVEL_SET_NODES];
} block_state;

static bool is_clear(double w)
{
    return fabs(w - round(w)) < CLEAR;
}

// A node copies w from its even neighbour if that is close to an integer and no triangle can lie
// between them. Winding numbers are expensive; only holes and surfaces need all of them.
static double number_of_node(const repair_job* job, const block_state* b, int n)
{
    const int even = n & ~(1 | 8 | 64), steps = (n & 1) + (n >> 3 & 1) + (n >> 6 & 1);
    const bool same = steps > 0 && is_clear(b->w[even]) &&
                      b->distance[n] + b->distance[even] > 1.01 * sqrt((double)steps) * job->voxel;
    return same ? b->w[even] : number_at(job, b->x[n]);
}

// Upper bound of the distance from node n: a voxel more than from a node next to it.
static double distance_limit(const repair_job* job, const block_state* b, int n)
{
    double limit = BAND * job->voxel;
    for (int step = 1; step <= 64; step *= 8)
        if (n / step % FIRN_LEVEL_SET_EDGE > 0)
            limit = fmin(limit, b->distance[n - step] + 1.0001 * job->voxel);
    return limit;
}

static void fill_block(const repair_job* job, int64_t t, firn_real* value)
{
    block_state b;
    for (int n = 0; n < FIRN_LEVEL_SET_NODES; n++) {
        node_position(job, t, (const double[3]){n & 7, n >> 3 & 7, n >> 6}, b.x[n]);
        b.distance[n] = firn_winding_distance(job->winding, b.x[n], distance_limit(job, &b, n));
        b.w[n] = number_of_node(job, &b, n);
        value[n] = (firn_real)phi_at(job, b.x[n], b.w[n], b.distance[n]);
    }
}

// OUTSIDE, INSIDE, or 0 for a block that the surface may cross.
static int32_t classify_block(const repair_job* job, int64_t t)
{
    const double middle = (FIRN_LEVEL_SET_EDGE - 1) / 2.0, center[3] = {middle, middle, middle};
    const double reach = sqrt(3) * (middle + 1) * job->voxel;
    double x[3];
    node_position(job, t, center, x);
    if (firn_winding_distance(job->winding, x, reach) < reach) return 0;
    int inside = 0, outside = 0;
    for (int n = 0; n < 9; n++) {
        const double corner[3] = {n & 1 ? 8 : -1, n & 2 ? 8 : -1, n & 4 ? 8 : -1};
        node_position(job, t, n < 8 ? corner : center, x);
        const double w = number_at(job, x);
        inside += w > 0.5 + CLEAR;
        outside += w < 0.5 - CLEAR;
    }
    return inside == 9 ? FIRN_LEVEL_SET_INSIDE : outside == 9 ? FIRN_LEVEL_SET_OUTSIDE : 0;
}

static firn_result lay_table(repair_job* job, firn_box3 box, firn_error* error)
{
    const double low[3] = {(double)box.low.x, (double)box.low.y, (double)box.low.z};
    const double high[3] = {(double)box.high.x, (double)box.high.y, (double)box.high.z};
    int64_t entries = 1;
    for (int i = 0; i < 3; i++) {
        job->first[i] = (int64_t)floor(low[i] / job->voxel) - MARGIN;
        const int64_t last = (int64_t)ceil(high[i] / job->voxel) + MARGIN;
        job->size[i] = (int32_t)((last - job->first[i]) / FIRN_LEVEL_SET_EDGE + 1);
        entries *= job->size[i];
    }
    job->table = firn_alloc((size_t)entries, sizeof *job->table);
    if (job->table == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a level set of %lld blocks",
                         (long long)entries);
    return FIRN_OK;
}

static void classify_blocks(const void* self, firn_local begin, firn_local end)
{
    const repair_job* job = self;
    for (firn_local t = begin; t < end; t++) job->table[t] = classify_block(job, t);
}

static void fill_some(const void* self, firn_local begin, firn_local end)
{
    const repair_job* job = self;
    for (firn_local t = begin; t < end; t++) {
        if (job->table[t] < 0) continue;
        firn_real* value = job->value + (size_t)job->table[t] * FIRN_LEVEL_SET_NODES;
        fill_block(job, t, value);
    }
}

static firn_result fill_blocks(repair_job* job, firn_local* out_count, firn_error* error)
{
    const int64_t entries = (int64_t)job->size[0] * job->size[1] * job->size[2];
    firn_share((firn_local)entries, 1, classify_blocks, job);
    firn_local count = 0;
    for (int64_t t = 0; t < entries; t++)
        if (job->table[t] >= 0) job->table[t] = count++;
    job->value = firn_alloc((size_t)count * FIRN_LEVEL_SET_NODES, sizeof *job->value);
    if (job->value == NULL && count > 0)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a level set of %d blocks",
                         (int)count);
    firn_share((firn_local)entries, 1, fill_some, job);
    *out_count = count;
    return FIRN_OK;
}

firn_result firn_level_set_repair(const firn_winding* winding, firn_box3 box, double voxel,
                                  double sign, firn_level_set* out_parts, firn_error* error)
{
    repair_job job = {.winding = winding, .voxel = voxel, .sign = sign};
    FIRN_TRY(lay_table(&job, box, error));
    firn_local count = 0;
    const firn_result result = fill_blocks(&job, &count, error);
    if (result != FIRN_OK) {
        firn_free(job.table);
        return result;
    }
    *out_parts = (firn_level_set){.voxel = (firn_real)voxel,
                                  .size = {job.size[0], job.size[1], job.size[2]},
                                  .table = job.table,
                                  .value = job.value,
                                  .block_count = count,
                                  .band = (firn_real)(BAND * voxel)};
    out_parts->origin = (firn_vec3){(firn_real)((double)job.first[0] * voxel),
                                    (firn_real)((double)job.first[1] * voxel),
                                    (firn_real)((double)job.first[2] * voxel)};
    return FIRN_OK;
}

// Adjacent nodes are on the same side of the surface if their distances to it sum to more than a
// voxel, so most nodes need no winding number.
static void hollow_block(const firn_winding* winding, double sign, const firn_level_set* set,
                         int64_t t, firn_real* value)
{
    const double h = (double)set->voxel;
    const int64_t block[3] = {t % set->size[0], t / set->size[0] % set->size[1],
                              t / set->size[0] / set->size[1]};
    const double origin[3] = {(double)set->origin.x, (double)set->origin.y, (double)set->origin.z};
    bool inside[FIRN_LEVEL_SET_NODES];
    for (int n = 0; n < FIRN_LEVEL_SET_NODES; n++) {
        const int node[3] = {n & 7, n >> 3 & 7, n >> 6};
        inside[n] = value[n] < 0;
        if (!inside[n]) continue;
        const int before = node[0] > 0 ? n - 1 : node[1] > 0 ? n - 8 : n - 64;
        if (n > 0 && fabs((double)value[n]) + fabs((double)value[before]) > 1.01 * h) {
            inside[n] = inside[before];
            continue;
        }
        double x[3];
        for (int i = 0; i < 3; i++)
            x[i] = origin[i] + (double)(block[i] * FIRN_LEVEL_SET_EDGE + node[i]) * h;
        inside[n] = sign * firn_winding_number(winding, x) >= 0.5;
    }
    for (int n = 0; n < FIRN_LEVEL_SET_NODES; n++)
        if (value[n] < 0 && !inside[n]) value[n] = firn_min(-value[n], set->band);
}

typedef struct hollow_job {
    const firn_winding* winding;
    double sign;
    const firn_level_set* set;
    firn_real* values;  // of the set
} hollow_job;

static void hollow_blocks(const void* self, firn_local begin, firn_local end)
{
    const hollow_job* j = self;
    for (firn_local t = begin; t < end; t++)
        if (j->set->table[t] >= 0)
            hollow_block(j->winding, j->sign, j->set, t,
                         j->values + (size_t)j->set->table[t] * FIRN_LEVEL_SET_NODES);
}

void firn_level_set_hollow(const firn_winding* winding, double sign, firn_level_set* set)
{
    firn_share(set->size[0] * set->size[1] * set->size[2], 1, hollow_blocks,
               &(hollow_job){winding, sign, set, (firn_real*)set->value});
}
