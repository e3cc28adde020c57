// SPDX-License-Identifier: MIT
// Builds level sets from distance functions. Evaluates phi at the centre of each block first: if it
// is farther away than the band, no node needs a value. So the cost grows with the solid,
// not with its box.
#include "geometry/levelset/level_set_blocks.h"

#include <math.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "geometry/sdf/shape.h"
#include "math/vec3.h"

typedef struct build_job {
    firn_level_set set;  // under construction
    int32_t* table;
    firn_real* value;
    const firn_level_set_source* source;
    int64_t first[3];  // node (0, 0, 0), in voxels from the world's origin
} build_job;

// Coordinates are computed from integers, so that level sets with the same voxel size share nodes.
static firn_vec3 node_position(const build_job* job, int64_t t, double i, double j, double k)
{
    const double h = (double)job->set.voxel;
    const int32_t* size = job->set.size;
    const int64_t block[3] = {t % size[0], t / size[0] % size[1], t / size[0] / size[1]};
    const double at[3] = {i, j, k};
    firn_real x[3];
    for (int a = 0; a < 3; a++)
        x[a] = (firn_real)(((double)(job->first[a] + block[a] * FIRN_LEVEL_SET_EDGE) + at[a]) * h);
    return firn_v3(x[0], x[1], x[2]);
}

// Marks entries that may need values with 0, the others with OUTSIDE.
static void mark_blocks(const void* self, firn_local begin, firn_local end)
{
    const build_job* job = self;
    const double h = (double)job->set.voxel, middle = (FIRN_LEVEL_SET_EDGE - 1) / 2.0;
    const double reach = (double)job->set.band + sqrt(3) * (middle + 0.01) * h;
    for (firn_local t = begin; t < end; t++) {
        const firn_vec3 x = node_position(job, t, middle, middle, middle);
        const double phi = (double)job->source->function(job->source->context, x);
        job->table[t] = phi > reach ? FIRN_LEVEL_SET_OUTSIDE : 0;
    }
}

// Numbers the marked entries in order.
static firn_local number_blocks(int32_t* table, int64_t entries)
{
    firn_local count = 0;
    for (int64_t t = 0; t < entries; t++)
        if (table[t] >= 0) table[t] = count++;
    return count;
}

// Computes the values of one block; false when none of them is within the band.
static bool fill_block(const build_job* job, int64_t t, firn_real* value)
{
    const firn_level_set_source* s = job->source;
    firn_vec3 x[FIRN_LEVEL_SET_NODES];
    for (int n = 0; n < FIRN_LEVEL_SET_NODES; n++)
        x[n] = node_position(job, t, n & 7, n >> 3 & 7, n >> 6);
    if (s->block_function != NULL)
        s->block_function(s->context, x, value);
    else
        for (int n = 0; n < FIRN_LEVEL_SET_NODES; n++) value[n] = s->function(s->context, x[n]);
    bool needed = false;
    for (int n = 0; n < FIRN_LEVEL_SET_NODES; n++) needed = needed || value[n] < job->set.band;
    return needed;
}

// Fills the numbered blocks and drops the empty ones.
static void fill_blocks(const void* self, firn_local begin, firn_local end)
{
    const build_job* job = self;
    for (firn_local t = begin; t < end; t++) {
        const int32_t block = job->table[t];
        if (block < 0) continue;
        firn_real* value = job->value + (size_t)block * FIRN_LEVEL_SET_NODES;
        if (!fill_block(job, t, value)) job->table[t] = FIRN_LEVEL_SET_OUTSIDE;
    }
}

// Moves the blocks that are left down to where the dropped ones were.
static void close_gaps(build_job* job, int64_t entries)
{
    firn_local used = 0;
    for (int64_t t = 0; t < entries; t++) {
        if (job->table[t] < 0) continue;
        const firn_real* from = job->value + (size_t)job->table[t] * FIRN_LEVEL_SET_NODES;
        firn_real* to = job->value + (size_t)used * FIRN_LEVEL_SET_NODES;
        for (int n = 0; to != from && n < FIRN_LEVEL_SET_NODES; n++) to[n] = from[n];
        job->table[t] = used++;
    }
    job->set.block_count = used;
}

// Lays blocks over the box and a margin of the band. firn_level_set_adopt refuses sizes that are
// too large, but the table must be allocated before that.
static firn_result lay_table(build_job* job, firn_box3 box, firn_error* error)
{
    const double h = (double)job->set.voxel, band = (double)job->set.band;
    const double low[3] = {(double)box.low.x, (double)box.low.y, (double)box.low.z};
    const double high[3] = {(double)box.high.x, (double)box.high.y, (double)box.high.z};
    double total = FIRN_LEVEL_SET_NODES;
    firn_real origin[3];
    for (int a = 0; a < 3; a++) {
        const double first = floor((low[a] - band) / h) - 1;
        const double nodes = ceil((high[a] + band) / h) + 2 - first;
        const double size = ceil(nodes / FIRN_LEVEL_SET_EDGE);
        total *= size;
        if (!(low[a] <= high[a] && fabs(first) < 1e15 && total <= FIRN_LEVEL_SET_VOXELS_MAX))
            return firn_fail(
                error, FIRN_REFUSED_ARGUMENT,
                "level set: a box from %g to %g m along %c in voxels of %g m: %.3g "
                "voxels, at most %.3g are taken: use larger voxels, or 'scale' if the unit "
                "of the file is not the metre",
                low[a], high[a], "xyz"[a], h, total, FIRN_LEVEL_SET_VOXELS_MAX);
        job->first[a] = (int64_t)first;
        job->set.size[a] = (int32_t)size;
        origin[a] = (firn_real)(first * h);
    }
    job->set.origin = firn_v3(origin[0], origin[1], origin[2]);
    return FIRN_OK;
}

static firn_result fill_table(build_job* job, const firn_level_set** out_set, firn_error* error)
{
    const int64_t entries = (int64_t)job->set.size[0] * job->set.size[1] * job->set.size[2];
    job->table = firn_alloc((size_t)entries, sizeof *job->table);
    if (job->table == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a level set of %lld blocks",
                         (long long)entries);
    firn_share((firn_local)entries, 64, mark_blocks, job);  // at most 2^22 of them
    const firn_local count = number_blocks(job->table, entries);
    job->value = firn_alloc((size_t)count * FIRN_LEVEL_SET_NODES, sizeof *job->value);
    if (job->value == NULL && count > 0)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a level set of %d blocks",
                         (int)count);
    firn_share((firn_local)entries, 1, fill_blocks, job);
    close_gaps(job, entries);
    // Shrink to the blocks in use; failure to shrink does no harm.
    const size_t room = (size_t)count * FIRN_LEVEL_SET_NODES;
    const size_t used = (size_t)job->set.block_count * FIRN_LEVEL_SET_NODES;
    firn_real* fitting =
        used < room ? firn_realloc(job->value, room, used, sizeof *job->value) : NULL;
    if (fitting != NULL) job->value = fitting;
    job->set.table = job->table;
    job->set.value = job->value;
    return firn_level_set_adopt(&job->set, out_set, error);
}

firn_result firn_level_set_build_blocks(firn_box3 box, firn_real voxel, firn_real band,
                                        const firn_level_set_source* source,
                                        const firn_level_set** out_set, firn_error* error)
{
    if (!((double)voxel >= FIRN_SHAPE_LENGTH_MIN && (double)voxel <= FIRN_SHAPE_LENGTH_MAX &&
          band > 0 && (double)band <= FIRN_SHAPE_LENGTH_MAX))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "level set: voxels of %g m and a band of %g m, must be between %g and %g",
                         (double)voxel, (double)band, FIRN_SHAPE_LENGTH_MIN, FIRN_SHAPE_LENGTH_MAX);
    build_job job = {.source = source};
    job.set.voxel = voxel;
    job.set.band = band;
    FIRN_TRY(lay_table(&job, box, error));
    const firn_result result = fill_table(&job, out_set, error);
    if (result != FIRN_OK) {
        firn_free(job.table);
        firn_free(job.value);
    }
    return result;
}

firn_result firn_level_set_build(firn_box3 box, firn_real voxel, firn_real band,
                                 firn_level_set_function function, const void* context,
                                 const firn_level_set** out_set, firn_error* error)
{
    const firn_level_set_source source = {.function = function, .context = context};
    return firn_level_set_build_blocks(box, voxel, band, &source, out_set, error);
}
