// SPDX-License-Identifier: MIT
// Rasterizes particles to a sparse volume. Each particle is owned by one block of 8^3 voxels and
// may reach some blocks around it:
//
//     occupied block    next block          Particles are sorted by block, stably. One thread then
//     0 1 2 3 4 5 6 7 | 0 1 2 3 ...         gathers each output block from the occupied blocks that
//             base: x x x | x               reach it, in a fixed order: no two threads write the
//                                           same voxel, and sums do not depend on threads.
#include "state/block_spread.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/sort_keys.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "math/vec3.h"

#define AXIS_BITS 21  // of a block's coordinate within a key
#define BIAS (1 << (AXIS_BITS - 1))
#define REACH 8.0e6  // [voxels] from the origin; beyond, a key would overflow

// Particles of one occupied block: order[begin .. next block's begin).
typedef struct occupied_block {
    uint64_t key;
    firn_local begin;
} occupied_block;

// An output block, gathered from pairs [begin .. next block's begin).
typedef struct target {
    uint64_t key;
    firn_local begin;
} target;

typedef struct job {
    const firn_spread* s;
    firn_key_sort particles, pairs;
    const uint64_t* keys;      // of the particles, ascending; borrowed from `particles`
    const firn_local* order;   // borrowed from `particles`; null: identity
    occupied_block* occupied;  // owned; [occupied_count + 1], the last one is a sentinel
    firn_local occupied_count;
    size_t words;                  // of the marks of an occupied block
    uint32_t* marks;               // owned; [occupied_count][words], see firn_touched
    firn_local* pair_from;         // owned; a pair is an occupied block and a block that it reaches
    const firn_local* pair_order;  // borrowed from `pairs`; by block; null: identity
    target* targets;               // owned; [block_count + 1]
} job;

static uint64_t key_of(int32_t bx, int32_t by, int32_t bz)
{
    return (uint64_t)(bx + BIAS) << (2 * AXIS_BITS) | (uint64_t)(by + BIAS) << AXIS_BITS |
           (uint64_t)(bz + BIAS);
}

static void block_of(uint64_t key, int32_t out_block[3])
{
    const uint64_t mask = ((uint64_t)1 << AXIS_BITS) - 1;
    for (int d = 0; d < 3; d++)
        out_block[d] = (int32_t)(key >> ((2 - d) * AXIS_BITS) & mask) - BIAS;
}

typedef struct check_pass {
    const firn_vec3 *x, *v;
    const firn_real* mass;
    double reach;     // [m]
    firn_local* bad;  // out: the first one
} check_pass;

static void check_particles(const void* self, firn_local begin, firn_local end)
{
    const check_pass* c = self;
    for (firn_local p = begin; p < end; p++) {
        const firn_vec3 x = c->x[p];
        const bool good = fabs((double)x.x) < c->reach && fabs((double)x.y) < c->reach &&
                          fabs((double)x.z) < c->reach && firn_is_finite(c->mass[p]) &&
                          c->mass[p] >= 0 && (c->v == NULL || firn_v3_is_finite(c->v[p]));
        if (!good) firn_atomic_min(c->bad, p);
    }
}

firn_result firn_spread_check(const firn_vec3* x, const firn_vec3* v, const firn_real* mass,
                              firn_local count, double voxel, firn_error* error)
{
    if (!(voxel > 0) || !isfinite(voxel))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "a voxel of %g m: use a length above 0",
                         voxel);
    firn_local bad = count;
    firn_share(count, 4096, check_particles, &(check_pass){x, v, mass, REACH * voxel, &bad});
    if (bad == count) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                     "particle %d at (%g, %g, %g) m with mass %g kg cannot be rasterized: not "
                     "finite, negative mass, or more than %g voxels of %g m from the origin",
                     (int)bad, (double)x[bad].x, (double)x[bad].y, (double)x[bad].z,
                     (double)mass[bad], REACH, voxel);
}

static void locate_particles(const void* self, firn_local begin, firn_local end)
{
    const job* j = self;
    for (firn_local p = begin; p < end; p++) {
        int32_t voxel[3];
        j->s->locate(j->s->kernel, p, voxel);
        j->particles.key[0][p] = key_of(voxel[0] >> 3, voxel[1] >> 3, voxel[2] >> 3);
    }
}

static void sort_particles(job* j)
{
    firn_share(j->s->count, 512, locate_particles, j);
    firn_key_sort_run(&j->particles, j->s->count, &j->keys, &j->order);
}

static firn_result find_occupied(job* j)
{
    firn_local n = 0;
    for (firn_local k = 0; k < j->s->count; k++) n += k == 0 || j->keys[k] != j->keys[k - 1];
    j->occupied = firn_alloc((size_t)n + 1, sizeof *j->occupied);
    if (j->occupied == NULL) return FIRN_BROKEN_MEMORY;
    j->occupied_count = n;
    n = 0;
    for (firn_local k = 0; k < j->s->count; k++)
        if (k == 0 || j->keys[k] != j->keys[k - 1])
            j->occupied[n++] = (occupied_block){.key = j->keys[k], .begin = k};
    j->occupied[n].begin = j->s->count;
    return FIRN_OK;
}

static void mark_range(const void* self, firn_local begin, firn_local end)
{
    const job* j = self;
    const firn_spread* s = j->s;
    for (firn_local h = begin; h < end; h++) {
        firn_touched t = {.reach = s->reach, .bits = j->marks + (size_t)h * j->words};
        block_of(j->occupied[h].key, t.block);
        for (firn_local k = j->occupied[h].begin; k < j->occupied[h + 1].begin; k++)
            s->touch(s->kernel, j->order != NULL ? j->order[k] : k, &t);
    }
}

static firn_result mark_blocks(job* j)
{
    const size_t side = 2 * (size_t)j->s->reach + 1;
    j->words = (side * side * side + 31) / 32;
    j->marks = firn_alloc((size_t)j->occupied_count * j->words, sizeof *j->marks);
    if (j->marks == NULL) return FIRN_BROKEN_MEMORY;
    firn_share(j->occupied_count, 4, mark_range, j);
    return FIRN_OK;
}

// Key difference between an occupied block and the block of mark number `bit`; wraps, as keys do.
static uint64_t step_to(const firn_spread* s, int32_t bit)
{
    const int32_t side = 2 * s->reach + 1;
    return key_of(bit / (side * side) - s->reach, bit / side % side - s->reach,
                  bit % side - s->reach) -
           key_of(0, 0, 0);
}

// Makes the pairs of an occupied block and a block that it reaches, sorted by block and, within a
// block, from the last occupied block to the first.
static firn_result pair_blocks(job* j, const uint64_t** out_keys, firn_local* out_count)
{
    int64_t all = 0;
    for (size_t w = 0; w < (size_t)j->occupied_count * j->words; w++)
        all += __builtin_popcount(j->marks[w]);
    if (all > INT32_MAX) return FIRN_BROKEN_MEMORY;
    FIRN_TRY(firn_key_sort_reserve(&j->pairs, (firn_local)all, firn_team_size()));
    j->pair_from = firn_alloc((size_t)all, sizeof *j->pair_from);
    if (j->pair_from == NULL) return FIRN_BROKEN_MEMORY;
    firn_local n = 0;
    for (firn_local h = j->occupied_count - 1; h >= 0; h--) {
        for (size_t w = 0; w < j->words; w++) {
            for (uint32_t bits = j->marks[(size_t)h * j->words + w]; bits != 0; bits &= bits - 1) {
                const int32_t bit = (int32_t)(32 * w) + __builtin_ctz(bits);
                j->pairs.key[0][n] = j->occupied[h].key + step_to(j->s, bit);
                j->pair_from[n++] = h;
            }
        }
    }
    firn_key_sort_run(&j->pairs, n, out_keys, &j->pair_order);
    *out_count = n;
    return FIRN_OK;
}

static firn_result find_targets(job* j, firn_local* out_count)
{
    const uint64_t* keys;
    firn_local pairs, n = 0;
    FIRN_TRY(pair_blocks(j, &keys, &pairs));
    for (firn_local k = 0; k < pairs; k++) n += k == 0 || keys[k] != keys[k - 1];
    *out_count = n;
    j->targets = firn_alloc((size_t)n + 1, sizeof *j->targets);
    if (j->targets == NULL) return FIRN_BROKEN_MEMORY;
    n = 0;
    for (firn_local k = 0; k < pairs; k++)
        if (k == 0 || keys[k] != keys[k - 1])
            j->targets[n++] = (target){.key = keys[k], .begin = k};
    j->targets[n].begin = pairs;
    return FIRN_OK;
}

static void gather_block(const job* j, firn_density_volume* volume, firn_local b)
{
    const firn_spread* s = j->s;
    double sums[FIRN_SPREAD_VOXELS][4];
    memset(sums, 0, sizeof sums);
    int32_t block[3];
    block_of(j->targets[b].key, block);
    for (int d = 0; d < 3; d++) volume->origin[b][d] = block[d] * 8;
    for (firn_local k = j->targets[b].begin; k < j->targets[b + 1].begin; k++) {
        const occupied_block* h =
            &j->occupied[j->pair_from[j->pair_order != NULL ? j->pair_order[k] : k]];
        for (firn_local p = h->begin; p < h[1].begin; p++)
            s->add(s->kernel, j->order != NULL ? j->order[p] : p, volume->origin[b], sums);
    }
    const double per_volume = 1 / (s->voxel * s->voxel * s->voxel);
    float* density = volume->density + (size_t)b * FIRN_SPREAD_VOXELS;
    for (int k = 0; k < FIRN_SPREAD_VOXELS; k++) density[k] = (float)(sums[k][0] * per_volume);
    if (volume->velocity == NULL) return;
    float* velocity = volume->velocity + (size_t)b * FIRN_SPREAD_VOXELS * 3;
    for (int k = 0; k < FIRN_SPREAD_VOXELS; k++)
        for (int d = 0; d < 3; d++)
            velocity[3 * k + d] = sums[k][0] > 0 ? (float)(sums[k][d + 1] / sums[k][0]) : 0;
}

typedef struct gather_pass {
    const job* j;
    firn_density_volume* volume;
} gather_pass;

static void gather_blocks(const void* self, firn_local begin, firn_local end)
{
    const gather_pass* pass = self;
    for (firn_local b = begin; b < end; b++) gather_block(pass->j, pass->volume, b);
}

static firn_result fill(job* j, firn_density_volume* volume)
{
    const firn_spread* s = j->s;
    FIRN_TRY(firn_key_sort_reserve(&j->particles, s->count, firn_team_size()));
    sort_particles(j);
    FIRN_TRY(find_occupied(j));
    FIRN_TRY(mark_blocks(j));
    FIRN_TRY(find_targets(j, &volume->block_count));
    const size_t blocks = (size_t)volume->block_count;
    volume->origin = firn_alloc(blocks, sizeof *volume->origin);
    volume->density = firn_alloc(blocks * FIRN_SPREAD_VOXELS, sizeof(float));
    if (s->wants_velocity)
        volume->velocity = firn_alloc(blocks * FIRN_SPREAD_VOXELS * 3, sizeof(float));
    if (volume->origin == NULL || volume->density == NULL ||
        (s->wants_velocity && volume->velocity == NULL))
        return FIRN_BROKEN_MEMORY;
    firn_share(volume->block_count, 1, gather_blocks, &(gather_pass){j, volume});
    return FIRN_OK;
}

firn_result firn_spread_run(const firn_spread* spread, firn_density_volume* out_volume,
                            firn_error* error)
{
    job j = {.s = spread};
    firn_density_volume volume = {.voxel = spread->voxel};
    const firn_result result = spread->count > 0 ? fill(&j, &volume) : FIRN_OK;
    firn_key_sort_destroy(&j.particles);
    firn_key_sort_destroy(&j.pairs);
    firn_free(j.occupied);
    firn_free(j.marks);
    firn_free(j.pair_from);
    firn_free(j.targets);
    if (result == FIRN_OK) {
        *out_volume = volume;
        return FIRN_OK;
    }
    const double bytes =
        (double)volume.block_count * FIRN_SPREAD_VOXELS * (spread->wants_velocity ? 16 : 4);
    firn_density_volume_destroy(&volume);
    return firn_fail(
        error, result,
        "out of memory for a volume of %d particles with voxels of %g m (%.1f MB of voxels): "
        "use a larger voxel",
        (int)spread->count, spread->voxel, bytes / 1e6);
}
