// SPDX-License-Identifier: MIT
// Filling a shape with points: sub-cells in blocks of 8x8x8, each block classified by one
// distance first.
//
//     |phi(centre)| > half the diagonal:  all outside, or all inside       + + + + + + + +
//     else:                               every point is tested           + + - - - - + +
//
// because a ball of radius |phi| never crosses the surface (shape.h). The cost therefore grows with
// the surface and the number of points, not with the box around the shape. Blocks are counted, then
// filled: each chunk of blocks writes to its own range of the array, so threads do not conflict and
// the order is deterministic. Several ranks divide the chunks among themselves, and tell each other
// the counts: so all know the number of each point among all of them.
#include "geometry/sampling/seeding.h"

#include "comm/comm.h"
#include "core/memory.h"
#include "core/threads/team.h"
#include "geometry/sdf/evaluate.h"
#include "math/elementary.h"
#include "math/random.h"

#define BLOCK 8                          // [sub-cells] edge of a block
#define CHUNK 64                         // blocks per thread task
#define BLOCKS_MAX ((int64_t)1 << 30)    // a minute or two of classification on one core
#define INDEX_MAX ((double)(1ll << 40))  // of a sub-cell from the origin: exact in double

typedef struct seed_job {
    const firn_shapes* shapes;
    firn_local shape;
    firn_seeding seeding;
    uint64_t seed;
    double edge;              // of a sub-cell [m]
    double corner[3];         // of a sub-cell [m]: where indices begin
    int64_t low[3], high[3];  // sub-cells that touch the bounds of the shape, inclusive
    int64_t first[3];         // block with the lowest coordinates
    int64_t side[3];          // blocks along each axis
    bool classify;            // phi of this shape may classify whole blocks
    double slack;             // [m] by which |phi| may exceed the distance
} seed_job;

// A blend mixes the phi of its children. If one is a height field, whose bound is discontinuous,
// the result need not be a lower bound of the distance any more (its sign is still right).
static bool has_field(const firn_shapes* shapes, firn_local shape)
{
    const firn_shape_node* node = &shapes->nodes[shape];
    if (firn_shape_is_leaf(node->kind)) return node->kind == FIRN_SHAPE_HEIGHT_FIELD;
    return has_field(shapes, node->a) || (node->b >= 0 && has_field(shapes, node->b));
}

static bool is_bound(const firn_shapes* shapes, firn_local shape)
{
    const firn_shape_node* node = &shapes->nodes[shape];
    if (firn_shape_is_leaf(node->kind)) return true;
    if (node->kind == FIRN_SHAPE_UNION && node->p[0] > 0 && has_field(shapes, shape)) return false;
    return is_bound(shapes, node->a) && (node->b < 0 || is_bound(shapes, node->b));
}

// Between nodes, phi of a level set interpolates exact distances. The error is up to 0.866 voxels
// at the centre of a block, and as much at the points to be classified.
static double largest_slack(const firn_shapes* shapes, firn_local shape)
{
    const firn_shape_node* node = &shapes->nodes[shape];
    if (node->kind == FIRN_SHAPE_LEVEL_SET)
        return 2 * 0.8661 * (double)shapes->level_sets[node->a]->voxel;
    if (firn_shape_is_leaf(node->kind)) return 0;
    if (node->kind == FIRN_SHAPE_TRANSFORM)
        return (double)node->p[3] * largest_slack(shapes, node->a);
    return fmax(largest_slack(shapes, node->a), largest_slack(shapes, node->b));
}

// Number of points in a sub-cell: 1, or a Poisson variate of mean 1 by inversion.
static int points_in(const seed_job* job, uint64_t key)
{
    if (job->seeding != FIRN_SEED_RANDOM) return 1;
    const double u = firn_random_unit(key, 0);
    double p = 0.36787944117144233;  // e^-1
    double sum = p;
    int count = 0;
    while (u >= sum && count < 20) {  // beyond 20 the probability is below the resolution of u
        count++;
        p /= count;
        sum += p;
    }
    return count;
}

// One coordinate of point `which` in the sub-cell with index i along an axis.
static firn_real coordinate(const seed_job* job, uint64_t key, int which, int axis, int64_t i)
{
    const double within = job->seeding == FIRN_SEED_LATTICE
                              ? 0.5
                              : firn_random_unit(key, 1 + 3 * (uint64_t)which + (uint64_t)axis);
    return (firn_real)(job->corner[axis] + ((double)i + within) * job->edge);
}

// Counts the points of one sub-cell that lie in the shape; writes them to `out` unless null.
static int64_t do_cell(const seed_job* job, const int64_t cell[3], bool all_inside, firn_vec3* out)
{
    uint64_t key = job->seed;
    if (job->seeding != FIRN_SEED_LATTICE)
        for (int axis = 0; axis < 3; axis++) key = firn_random_bits(key, (uint64_t)cell[axis]);
    const int candidates = points_in(job, key);
    if (all_inside && out == NULL) return candidates;
    int64_t kept = 0;
    for (int c = 0; c < candidates; c++) {
        const firn_vec3 x =
            firn_v3(coordinate(job, key, c, 0, cell[0]), coordinate(job, key, c, 1, cell[1]),
                    coordinate(job, key, c, 2, cell[2]));
        if (!all_inside && !(firn_shape_distance(job->shapes, job->shape, x) <= 0)) continue;
        if (out != NULL) out[kept] = x;
        kept++;
    }
    return kept;
}

// The same for a block, by its index.
static int64_t do_block(const seed_job* job, int64_t block, firn_vec3* out)
{
    const int64_t at[3] = {job->first[0] + block % job->side[0],
                           job->first[1] + block / job->side[0] % job->side[1],
                           job->first[2] + block / (job->side[0] * job->side[1])};
    bool all_inside = false;
    if (job->classify) {
        const double size = BLOCK * job->edge;
        double center[3], far = 0;
        for (int i = 0; i < 3; i++) {
            center[i] = job->corner[i] + ((double)at[i] + 0.5) * size;
            far = fmax(far, fabs(center[i]));
        }
        const double phi = (double)firn_shape_distance(
            job->shapes, job->shape,
            firn_v3((firn_real)center[0], (firn_real)center[1], (firn_real)center[2]));
        // Half the diagonal is 0.866 of the edge; the rest allows for rounding of x and phi.
        const double radius =
            0.8661 * size + job->slack + 64 * (double)FIRN_REAL_EPSILON * (far + fabs(phi));
        if (phi > radius) return 0;
        all_inside = phi < -radius;
    }
    if (all_inside && out == NULL && job->seeding != FIRN_SEED_RANDOM) return BLOCK * BLOCK * BLOCK;
    int64_t begin[3], end[3];
    for (int i = 0; i < 3; i++) {
        begin[i] = at[i] * BLOCK > job->low[i] ? at[i] * BLOCK : job->low[i];
        end[i] = (at[i] + 1) * BLOCK <= job->high[i] ? (at[i] + 1) * BLOCK : job->high[i] + 1;
    }
    int64_t kept = 0, cell[3];
    for (cell[2] = begin[2]; cell[2] < end[2]; cell[2]++)
        for (cell[1] = begin[1]; cell[1] < end[1]; cell[1]++)
            for (cell[0] = begin[0]; cell[0] < end[0]; cell[0]++)
                kept += do_cell(job, cell, all_inside, out == NULL ? NULL : out + kept);
    return kept;
}

// Lays blocks over the bounds of the shape.
static firn_result lay_blocks(seed_job* job, double cell, double per_cell, firn_error* error)
{
    job->edge = cell / firn_cbrt_double(per_cell);
    const firn_box3 b = firn_shape_bounds(job->shapes, job->shape);
    const double low[3] = {(double)b.low.x, (double)b.low.y, (double)b.low.z};
    const double high[3] = {(double)b.high.x, (double)b.high.y, (double)b.high.z};
    const double size = BLOCK * job->edge;
    double total = 1;
    for (int i = 0; i < 3; i++) {
        if (low[i] > high[i])
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "the shape is empty: its parts do not overlap");
        if (low[i] <= -(double)FIRN_REAL_MAX || high[i] >= (double)FIRN_REAL_MAX)
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "the shape has no end along %c: only bounded shapes can be filled; "
                             "intersect it with a box",
                             "xyz"[i]);
        // The bounds include a margin for the rounding of coordinates.
        const double first = floor((low[i] - job->corner[i]) / job->edge),
                     last = floor((high[i] - job->corner[i]) / job->edge);
        if (!(first > -INDEX_MAX && last < INDEX_MAX))
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "the shape reaches to %g m, too far for cells of %g m",
                             fmax(fabs(low[i]), fabs(high[i])), cell);
        job->low[i] = (int64_t)first;
        job->high[i] = (int64_t)last;
        job->first[i] = (int64_t)floor(first / BLOCK);
        job->side[i] = (int64_t)floor(last / BLOCK) - job->first[i] + 1;
        total *= (double)job->side[i];
    }
    if (total > (double)BLOCKS_MAX)
        return firn_fail(
            error, FIRN_REFUSED_ARGUMENT,
            "the box around the shape, %g x %g x %g m, holds about %.3g cells of %g m; "
            "at most %.3g can be searched: use cells of at least %.2g m or a smaller shape",
            high[0] - low[0], high[1] - low[1], high[2] - low[2],
            total * size * size * size / (cell * cell * cell), cell,
            (double)BLOCKS_MAX * size * size * size / (cell * cell * cell),
            1.1 * cell * firn_cbrt_double(total / (double)BLOCKS_MAX));
    return FIRN_OK;
}

typedef struct chunk_job {
    const seed_job* job;
    const firn_comm* comm;
    int64_t* counts;  // points in chunk c when counting, start of chunk c in `out` when filling
    firn_vec3* out;   // null: only counts
} chunk_job;

static void do_chunks(const void* self, firn_local begin, firn_local end)
{
    const chunk_job* j = self;
    const int64_t* side = j->job->side;
    const int64_t blocks = side[0] * side[1] * side[2];
    for (int64_t c = begin; c < end; c++) {
        if (!FIRN_SEED_IS_MINE(j->comm, c)) continue;
        const int64_t last = (c + 1) * CHUNK < blocks ? (c + 1) * CHUNK : blocks;
        int64_t count = 0;
        for (int64_t block = c * CHUNK; block < last; block++)
            count += do_block(j->job, block, j->out == NULL ? NULL : j->out + j->counts[c] + count);
        if (j->out == NULL) j->counts[c] = count;
    }
}

static int64_t chunks_of(const seed_job* job)
{
    return (job->side[0] * job->side[1] * job->side[2] + CHUNK - 1) / CHUNK;
}

// Number of points in each chunk, on all ranks; owned by the caller.
static firn_result count(const seed_job* job, firn_comm* comm, int64_t** out_counts,
                         firn_error* error)
{
    const int64_t chunks = chunks_of(job);
    int64_t* counts = firn_alloc((size_t)chunks, sizeof *counts);
    firn_result result = FIRN_OK;
    if (counts == NULL) result = firn_fail(error, FIRN_BROKEN_MEMORY, "no memory to fill a shape");
    if (comm != NULL) result = firn_comm_settle(comm, result, error);
    if (result != FIRN_OK) {
        firn_free(counts);
        return result;
    }
    firn_share((firn_local)chunks, 1, do_chunks, &(chunk_job){job, comm, counts, NULL});
    firn_comm_add(comm, counts, (int)chunks);  // those of other ranks are 0
    *out_counts = counts;
    return FIRN_OK;
}

// Turns counts into where each chunk of this rank begins, and numbers the points of all ranks.
static void number_points(const int64_t chunks, int64_t* counts, const firn_points* points)
{
    int64_t at = points->count, number = points->total;
    for (int64_t c = 0; c < chunks; c++) {
        const int64_t own = counts[c];
        if (FIRN_SEED_IS_MINE(points->comm, c)) {
            counts[c] = at;
            for (int64_t k = 0; k < own && points->number != NULL; k++)
                points->number[at + k] = (uint32_t)(number + k);
            at += own;
        }
        number += own;
    }
}

bool firn_points_reserve(firn_points* points, firn_local count)
{
    firn_local room = points->capacity;
    if (count == 0) count = 1;  // a rank without points has arrays, too
    if (points->comm != NULL &&
        !firn_reserve((void**)&points->number, &room, count, sizeof *points->number))
        return false;
    return firn_reserve((void**)&points->position, &points->capacity, count,
                        sizeof *points->position);
}

static firn_result fill(const seed_job* job, firn_points* points, firn_error* error)
{
    const int64_t chunks = chunks_of(job);
    int64_t *counts = NULL, total = 0, mine = 0;
    FIRN_TRY(count(job, points->comm, &counts, error));
    for (int64_t c = 0; c < chunks; c++) {
        total += counts[c];
        if (FIRN_SEED_IS_MINE(points->comm, c)) mine += counts[c];
    }
    const int64_t before = points->comm != NULL ? points->total : points->count;
    firn_result result = FIRN_OK;
    if (total == 0)
        result = firn_fail(error, FIRN_REFUSED_ARGUMENT,
                           "no point falls into the shape: it is empty, or small against the %g m "
                           "between points; use smaller cells or more particles per cell",
                           job->edge);
    else if (total > INT32_MAX - before)
        result = firn_fail(error, FIRN_REFUSED_ARGUMENT,
                           "%lld points, at most %d are possible: use larger cells or fewer "
                           "particles per cell",
                           (long long)(total + before), INT32_MAX);
    else if (!firn_points_reserve(points, points->count + (firn_local)mine))
        result = firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for %lld points",
                           (long long)(mine + points->count));
    if (result == FIRN_OK) {
        number_points(chunks, counts, points);
        firn_share((firn_local)chunks, 1, do_chunks,
                   &(chunk_job){job, points->comm, counts, points->position});
        points->count += (firn_local)mine;
        if (points->comm != NULL) points->total += total;
    }
    firn_free(counts);
    return result;
}

// Checks the arguments and lays the blocks: everything that is known before a point is sampled.
static firn_result prepare(seed_job* job, firn_real cell, double per_cell, firn_error* error)
{
    const firn_shapes* shapes = job->shapes;
    const firn_local shape = job->shape;
    if (shape < 0 || shape >= shapes->node_count)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "there is no shape %d, only %d", (int)shape,
                         (int)shapes->node_count);
    if (!((double)cell >= FIRN_SHAPE_LENGTH_MIN && (double)cell <= FIRN_SHAPE_LENGTH_MAX))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "cells of %g m, must be between %g and %g",
                         (double)cell, FIRN_SHAPE_LENGTH_MIN, FIRN_SHAPE_LENGTH_MAX);
    if (!(per_cell >= 1 / FIRN_PER_CELL_MAX && per_cell <= FIRN_PER_CELL_MAX))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "%g particles per cell, must be between %g and %g", per_cell,
                         1 / FIRN_PER_CELL_MAX, FIRN_PER_CELL_MAX);
    job->classify = is_bound(shapes, shape);
    job->slack = largest_slack(shapes, shape);
    return lay_blocks(job, (double)cell, per_cell, error);
}

firn_result firn_seed_shape(const firn_shapes* shapes, firn_local shape, firn_real cell,
                            double per_cell, firn_seeding seeding, uint64_t seed,
                            firn_points* points, firn_error* error)
{
    seed_job job = {.shapes = shapes, .shape = shape, .seeding = seeding, .seed = seed};
    FIRN_TRY(prepare(&job, cell, per_cell, error));
    return fill(&job, points, error);
}

static seed_job lattice_job(const firn_shapes* shapes, firn_local shape, const double corner[3])
{
    return (seed_job){.shapes = shapes,
                      .shape = shape,
                      .seeding = FIRN_SEED_LATTICE,
                      .corner = {corner[0], corner[1], corner[2]}};
}

firn_result firn_seed_lattice(const firn_shapes* shapes, firn_local shape, firn_real cell,
                              const double corner[3], firn_points* points, firn_error* error)
{
    seed_job job = lattice_job(shapes, shape, corner);
    FIRN_TRY(prepare(&job, cell, 1, error));
    return fill(&job, points, error);
}

// ---- where a lattice lies -----------------------------------------------------------------------

#define MASS_TOLERANCE 0.025   // of a box's volume, up to which the origin is good enough
#define VOLUME_SAMPLES 200000  // of shapes without a formula

// |volume of its points - volume| of a shape [m^3].
static firn_result miss(const firn_shapes* shapes, firn_local shape, firn_real cell,
                        const double corner[3], double volume, double* out_miss, firn_error* error)
{
    seed_job job = lattice_job(shapes, shape, corner);
    int64_t *counts = NULL, total = 0;
    FIRN_TRY(prepare(&job, cell, 1, error));
    FIRN_TRY(count(&job, NULL, &counts, error));
    for (int64_t c = 0; c < chunks_of(&job); c++) total += counts[c];
    firn_free(counts);
    *out_miss = fabs((double)total * (double)cell * (double)cell * (double)cell - volume);
    return FIRN_OK;
}

firn_result firn_seed_corner(const firn_shapes* shapes, firn_local shape, firn_real cell,
                             double corner[3], firn_error* error)
{
    double at_origin, at_low;
    for (int d = 0; d < 3; d++) corner[d] = 0;
    if (shape < 0 || shape >= shapes->node_count || shapes->nodes[shape].kind != FIRN_SHAPE_BOX)
        return FIRN_OK;
    const double volume = firn_shape_volume(shapes, shape, VOLUME_SAMPLES);
    FIRN_TRY(miss(shapes, shape, cell, corner, volume, &at_origin, error));
    if (at_origin <= MASS_TOLERANCE * volume) return FIRN_OK;
    const firn_vec3 low = firn_shape_bounds(shapes, shape).low;
    const double near[3] = {(double)low.x, (double)low.y, (double)low.z};
    FIRN_TRY(miss(shapes, shape, cell, near, volume, &at_low, error));
    for (int d = 0; d < 3 && at_low < at_origin; d++) corner[d] = near[d];
    return FIRN_OK;
}

firn_result firn_seed_check(const firn_shapes* shapes, firn_local shape, firn_real cell,
                            double per_cell, firn_error* error)
{
    seed_job job = {.shapes = shapes, .shape = shape};
    return prepare(&job, cell, per_cell, error);
}

void firn_points_destroy(firn_points* points)
{
    firn_free(points->position);
    firn_free(points->number);
    *points = (firn_points){0};
}
