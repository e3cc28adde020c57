// SPDX-License-Identifier: MIT
// Level sets: adopts blocks, counts references, measures bounds and volume.
#include "geometry/levelset/level_set.h"

#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "geometry/levelset/level_set_sample.h"
#include "geometry/sdf/shape.h"

#define VALUES 32  // grain of loops over values [blocks]: 16 k reals, about 5 us
#define LINES 4    // sample lines per cell and direction, for its volume

static int64_t table_length(const firn_level_set* set)
{
    return (int64_t)set->size[0] * set->size[1] * set->size[2];
}

static firn_result check_frame(const firn_level_set* set, firn_error* error)
{
    if (!((double)set->voxel >= FIRN_SHAPE_LENGTH_MIN &&
          (double)set->voxel <= FIRN_SHAPE_LENGTH_MAX))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "level set: voxels of %g m, must be between %g and %g", (double)set->voxel,
                         FIRN_SHAPE_LENGTH_MIN, FIRN_SHAPE_LENGTH_MAX);
    if (!(set->band > 0 && (double)set->band <= FIRN_SHAPE_LENGTH_MAX))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "level set: a band of %g m, must be above 0 and at most %g",
                         (double)set->band, FIRN_SHAPE_LENGTH_MAX);
    double blocks = 1;
    const firn_real origin[3] = {set->origin.x, set->origin.y, set->origin.z};
    for (int i = 0; i < 3; i++) {
        const double far =
            fabs((double)origin[i]) + (double)set->voxel * FIRN_LEVEL_SET_EDGE * set->size[i];
        if (set->size[i] < 1 || !(far <= FIRN_SHAPE_LENGTH_MAX))
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "level set: %d blocks from %g m along %c, must be at least one and "
                             "end within %g m",
                             (int)set->size[i], (double)origin[i], "xyz"[i], FIRN_SHAPE_LENGTH_MAX);
        blocks *= set->size[i];
    }
    if (blocks * FIRN_LEVEL_SET_NODES > FIRN_LEVEL_SET_VOXELS_MAX)
        return firn_fail(
            error, FIRN_REFUSED_ARGUMENT,
            "level set: its box holds %.3g voxels of %g m, at most %.3g are taken: use "
            "larger voxels",
            blocks * FIRN_LEVEL_SET_NODES, (double)set->voxel, FIRN_LEVEL_SET_VOXELS_MAX);
    return FIRN_OK;
}

typedef struct value_job {
    const firn_level_set* set;
    firn_local* bad;     // first block with a value that is not finite
    firn_real* deepest;  // -value
} value_job;

static void find_not_finite(const void* self, firn_local begin, firn_local end)
{
    const value_job* j = self;
    for (firn_local b = begin; b < end; b++) {
        const firn_real* value = j->set->value + (size_t)b * FIRN_LEVEL_SET_NODES;
        bool finite = true;
        for (int n = 0; n < FIRN_LEVEL_SET_NODES; n++) finite &= firn_is_finite(value[n]);
        if (!finite) firn_atomic_min(j->bad, b);
    }
}

static firn_result check_blocks(const firn_level_set* set, firn_error* error)
{
    const int64_t entries = table_length(set);
    for (int64_t t = 0; t < entries; t++)
        if (set->table[t] < FIRN_LEVEL_SET_INSIDE || set->table[t] >= set->block_count)
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "level set: entry %lld of its table is block %d, there are %d",
                             (long long)t, (int)set->table[t], (int)set->block_count);
    firn_local bad = set->block_count;
    firn_share(set->block_count, VALUES, find_not_finite, &(value_job){set, .bad = &bad});
    const size_t first = (size_t)bad * FIRN_LEVEL_SET_NODES;
    for (size_t n = first; bad < set->block_count && n < first + FIRN_LEVEL_SET_NODES; n++)
        if (!firn_is_finite(set->value[n]))
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "level set: value %zu of block %zu is NaN or infinite",
                             n % FIRN_LEVEL_SET_NODES, n / FIRN_LEVEL_SET_NODES);
    return FIRN_OK;
}

// Bounds of phi <= 0, in nodes from the origin.
typedef struct extent {
    double low[3], high[3];
} extent;

static void extent_add(extent* e, int axis, double at)
{
    if (at < e->low[axis]) e->low[axis] = at;
    if (at > e->high[axis]) e->high[axis] = at;
}

// Adds an inside node, and how far the inside extends from it along the grid edges. Trilinear phi
// has its extrema at corners, so nothing inside lies farther out.
static void extent_add_node(extent* e, const firn_level_set* set, const int32_t node[3])
{
    const firn_real phi = firn_level_set_node(set, node[0], node[1], node[2]);
    if (!(phi <= 0)) return;
    for (int axis = 0; axis < 3; axis++) {
        extent_add(e, axis, node[axis]);
        for (int way = -1; way <= 1; way += 2) {
            int32_t next[3] = {node[0], node[1], node[2]};
            next[axis] += way;
            const firn_real there = firn_level_set_node(set, next[0], next[1], next[2]);
            if (there > 0)
                extent_add(e, axis,
                           node[axis] + way * ((double)phi / ((double)phi - (double)there)));
        }
    }
}

// The nodes of one block; in a full block only the outer shell can be at the border.
static void extent_add_block(extent* e, const firn_level_set* set, int64_t t)
{
    if (set->table[t] == FIRN_LEVEL_SET_OUTSIDE) return;
    const bool full = set->table[t] == FIRN_LEVEL_SET_INSIDE;
    const int32_t first[3] = {(int32_t)(t % set->size[0]) * FIRN_LEVEL_SET_EDGE,
                              (int32_t)(t / set->size[0] % set->size[1]) * FIRN_LEVEL_SET_EDGE,
                              (int32_t)(t / set->size[0] / set->size[1]) * FIRN_LEVEL_SET_EDGE};
    for (int n = 0; n < FIRN_LEVEL_SET_NODES; n++) {
        const int at[3] = {n & 7, n >> 3 & 7, n >> 6};
        if (full && at[0] % 7 != 0 && at[1] % 7 != 0 && at[2] % 7 != 0) continue;
        const int32_t node[3] = {first[0] + at[0], first[1] + at[1], first[2] + at[2]};
        extent_add_node(e, set, node);
    }
}

typedef struct extent_job {
    const firn_level_set* set;
    extent* all;
} extent_job;

static const extent nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

// Minimum and maximum do not depend on the order.
static void find_extent(const void* self, firn_local begin, firn_local end)
{
    const extent_job* j = self;
    extent e = nothing;
    for (firn_local t = begin; t < end; t++) extent_add_block(&e, j->set, t);
    for (int axis = 0; axis < 3; axis++) {
        firn_atomic_min_double(&j->all->low[axis], e.low[axis]);
        firn_atomic_max_double(&j->all->high[axis], e.high[axis]);
    }
}

// Sets `bounds`; false when nothing is inside.
static bool find_bounds(firn_level_set* set)
{
    extent e = nothing;
    firn_share((firn_local)table_length(set), 2, find_extent, &(extent_job){set, &e});
    if (!(e.low[0] <= e.high[0])) return false;
    const double h = (double)set->voxel;
    const firn_vec3 o = set->origin;
    set->bounds =
        (firn_box3){firn_v3((firn_real)(o.x + h * e.low[0]), (firn_real)(o.y + h * e.low[1]),
                            (firn_real)(o.z + h * e.low[2])),
                    firn_v3((firn_real)(o.x + h * e.high[0]), (firn_real)(o.y + h * e.high[1]),
                            (firn_real)(o.z + h * e.high[2]))};
    return true;
}

// Values above the band would step down to +band at the next block without values, and the gradient
// would have the wrong sign there.
static void cut_values(const void* self, firn_local begin, firn_local end)
{
    const firn_level_set* set = self;
    firn_real* value = (firn_real*)set->value;
    const size_t last = (size_t)end * FIRN_LEVEL_SET_NODES;
    for (size_t n = (size_t)begin * FIRN_LEVEL_SET_NODES; n < last; n++)
        value[n] = firn_min(value[n], set->band);
}

firn_result firn_level_set_adopt(const firn_level_set* parts, const firn_level_set** out_set,
                                 firn_error* error)
{
    FIRN_TRY(check_frame(parts, error));
    FIRN_TRY(check_blocks(parts, error));
    firn_level_set* set = firn_alloc(1, sizeof *set);
    if (set == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a level set");
    *set = *parts;
    if (!find_bounds(set)) {
        firn_free(set);
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "level set: nothing is inside: the shape is empty, or thinner than its "
                         "voxels of %g m",
                         (double)parts->voxel);
    }
    firn_share(set->block_count, VALUES, cut_values, set);
    set->users = 1;
    *out_set = set;
    return FIRN_OK;
}

const firn_level_set* firn_level_set_share(const firn_level_set* set)
{
    __atomic_add_fetch(&((firn_level_set*)set)->users, 1, __ATOMIC_RELAXED);
    return set;
}

void firn_level_set_release(const firn_level_set* set)
{
    if (set == NULL) return;
    if (__atomic_sub_fetch(&((firn_level_set*)set)->users, 1, __ATOMIC_ACQ_REL) > 0) return;
    firn_free((void*)set->table);
    firn_free((void*)set->value);
    firn_free((void*)set);
}

size_t firn_level_set_bytes(const firn_level_set* set)
{
    return sizeof *set + (size_t)table_length(set) * sizeof *set->table +
           (size_t)set->block_count * FIRN_LEVEL_SET_NODES * sizeof *set->value;
}

uint64_t firn_level_set_hash(const firn_level_set* set)
{
    const firn_real frame[5] = {set->origin.x, set->origin.y, set->origin.z, set->voxel, set->band};
    uint64_t hash = firn_hash(frame, sizeof frame, 0);
    hash = firn_hash(set->size, sizeof set->size, hash);
    hash = firn_hash(set->table, (size_t)table_length(set) * sizeof *set->table, hash);
    return firn_hash(set->value,
                     (size_t)set->block_count * FIRN_LEVEL_SET_NODES * sizeof *set->value, hash);
}

// Length of the part of [0, 1] where a + t (b - a) <= 0.
static double part_inside(double a, double b)
{
    if (a <= 0 && b <= 0) return 1;
    if (a > 0 && b > 0) return 0;
    return a <= 0 ? a / (a - b) : b / (b - a);
}

// Volume of the cell above a node, in cells: phi is linear along x, so each line is exact.
static double cell_inside(const firn_level_set* set, int32_t i, int32_t j, int32_t k)
{
    double corner[8];
    int inside = 0;
    for (int n = 0; n < 8; n++) {
        corner[n] = (double)firn_level_set_node(set, i + (n & 1), j + (n >> 1 & 1), k + (n >> 2));
        inside += corner[n] <= 0;
    }
    if (inside == 0 || inside == 8) return inside / 8;
    double sum = 0;
    for (int q = 0; q < LINES * LINES; q++) {
        const double v = (q % LINES + 0.5) / LINES, w = (double)(q / LINES) / LINES + 0.5 / LINES;
        double end[2];
        for (int x = 0; x < 2; x++) {
            const double a = corner[x] + v * (corner[2 + x] - corner[x]);
            const double b = corner[4 + x] + v * (corner[6 + x] - corner[4 + x]);
            end[x] = a + w * (b - a);
        }
        sum += part_inside(end[0], end[1]);
    }
    return sum / (LINES * LINES);
}

// Volume of the cells above the nodes of a block, in cells. Their corners are in 8 blocks.
static double block_inside(const firn_level_set* set, int32_t bi, int32_t bj, int32_t bk)
{
    const int32_t edge = FIRN_LEVEL_SET_EDGE;
    int outside = 0, inside = 0;
    for (int n = 0; n < 8; n++) {
        const int32_t entry = firn_level_set_block(
            set, edge * (bi + (n & 1)), edge * (bj + (n >> 1 & 1)), edge * (bk + (n >> 2)));
        outside += entry == FIRN_LEVEL_SET_OUTSIDE;
        inside += entry == FIRN_LEVEL_SET_INSIDE;
    }
    if (outside == 8) return 0;
    if (inside == 8) return FIRN_LEVEL_SET_NODES;
    double sum = 0;
    for (int32_t n = 0; n < FIRN_LEVEL_SET_NODES; n++)
        sum += cell_inside(set, bi * edge + n % edge, bj * edge + n / edge % edge,
                           bk * edge + n / (edge * edge));
    return sum;
}

typedef struct volume_job {
    const firn_level_set* set;
    int32_t k;    // first layer of blocks
    double* sum;  // of each layer from k on
} volume_job;

static void add_layers(const void* self, firn_local begin, firn_local end)
{
    const volume_job* v = self;
    for (firn_local b = begin; b < end; b++) {
        double layer = 0;
        for (int32_t j = -1; j < v->set->size[1]; j++)
            for (int32_t i = -1; i < v->set->size[0]; i++)
                layer += block_inside(v->set, i, j, v->k + b);
        v->sum[b] = layer;
    }
}

double firn_level_set_volume(const firn_level_set* set)
{
    // Layers of blocks are summed separately and then added in order.
    const double h = (double)set->voxel;
    double total = 0;
    enum { BATCH = 64 };
    for (int32_t k = -1; k < set->size[2]; k += BATCH) {
        double sum[BATCH] = {0};
        const int32_t left = set->size[2] - k;
        firn_share(left < BATCH ? left : BATCH, 1, add_layers, &(volume_job){set, k, sum});
        for (int b = 0; b < BATCH; b++) total += sum[b];
    }
    return total * h * h * h;
}

static void find_lowest(const void* self, firn_local begin, firn_local end)
{
    const value_job* j = self;
    firn_real lowest = 0;
    const size_t last = (size_t)end * FIRN_LEVEL_SET_NODES;
    for (size_t n = (size_t)begin * FIRN_LEVEL_SET_NODES; n < last; n++)
        lowest = firn_min(lowest, j->set->value[n]);
    firn_atomic_max(j->deepest, -lowest);
}

firn_real firn_level_set_depth(const firn_level_set* set)
{
    firn_real deepest = 0;
    const int64_t entries = table_length(set);
    for (int64_t t = 0; t < entries; t++)
        if (set->table[t] == FIRN_LEVEL_SET_INSIDE) deepest = set->band;
    firn_share(set->block_count, VALUES, find_lowest, &(value_job){set, .deepest = &deepest});
    return deepest;
}
