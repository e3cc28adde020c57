// SPDX-License-Identifier: MIT
// Particles to a sparse volume. A particle touches 4x4x4 voxels from its base voxel on; its home is
// the block of 8^3 voxels that holds the base, and it may spill into the next block along each
// axis:
//
//     home block        next block          Particles are sorted by home, stably. Each output block
//     0 1 2 3 4 5 6 7 | 0 1 2 3 ...         is then gathered by one thread from the up to 8 homes
//             base: x x x | x               that can reach it, in a fixed order: no two threads
//                                           write the same voxel, and sums do not depend on them.
#include "state/density_volume.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/sort_keys.h"
#include "math/bspline.h"

#define VOXELS 512    // of a block
#define AXIS_BITS 21  // of a block's coordinate within a key
#define BIAS (1 << (AXIS_BITS - 1))
#define REACH 8.0e6  // [voxels] from the origin; beyond it a key would overflow

// Particles of one home block: order[begin .. next home's begin).
typedef struct home {
    uint64_t key;
    firn_local begin;
    uint8_t touched;  // bit s: the block at +(s>>2&1, s>>1&1, s&1) gets something
} home;

typedef struct build {
    const firn_vec3 *x, *v;
    const firn_real* mass;
    firn_local count;
    double voxel;
    int threads;
    firn_key_sort particles, blocks;
    const uint64_t* keys;     // of the particles, ascending; borrowed from `particles`
    const firn_local* order;  // borrowed from `particles`; null: as they come
    home* homes;              // owned; [home_count + 1], the last one only ends its predecessor
    firn_local home_count;
    firn_error* error;
} build;

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

// Key distance to the neighbour number s (home.touched).
static uint64_t step_to(int s)
{
    return (uint64_t)(s >> 2 & 1) << (2 * AXIS_BITS) | (uint64_t)(s >> 1 & 1) << AXIS_BITS |
           (uint64_t)(s & 1);
}

// Lowest voxel that a particle touches, and where it lies in the cell. In double: with float,
// x/voxel of a particle far from the origin would lose the fraction that the weights are made of.
static void locate(const build* c, firn_local p, int32_t out_base[3], double out_t[3])
{
    const double at[3] = {c->x[p].x / c->voxel, c->x[p].y / c->voxel, c->x[p].z / c->voxel};
    for (int d = 0; d < 3; d++) {
        const double cell = floor(at[d]);
        out_base[d] = (int32_t)cell - 1;
        if (out_t != NULL) out_t[d] = at[d] - cell;
    }
}

static bool is_good(const build* c, firn_local p)
{
    const double reach = REACH * c->voxel;
    return fabs((double)c->x[p].x) < reach && fabs((double)c->x[p].y) < reach &&
           fabs((double)c->x[p].z) < reach && firn_is_finite(c->mass[p]) && c->mass[p] >= 0 &&
           (c->v == NULL || firn_v3_is_finite(c->v[p]));
}

static firn_result make_keys(build* c)
{
    firn_local bad = c->count;
    uint64_t* key = c->particles.key[0];
#pragma omp parallel for schedule(static) num_threads(c->threads) reduction(min : bad)
    for (firn_local p = 0; p < c->count; p++) {
        int32_t base[3];
        if (!is_good(c, p)) {
            bad = bad < p ? bad : p;
            continue;
        }
        locate(c, p, base, NULL);
        key[p] = key_of(base[0] >> 3, base[1] >> 3, base[2] >> 3);
    }
    if (bad == c->count) return FIRN_OK;
    return firn_fail(
        c->error, FIRN_REFUSED_ARGUMENT,
        "particle %d at (%g, %g, %g) m with mass %g kg cannot be put into a volume: not "
        "finite, negative mass, or more than %g voxels of %g m from the origin",
        (int)bad, (double)c->x[bad].x, (double)c->x[bad].y, (double)c->x[bad].z,
        (double)c->mass[bad], REACH, c->voxel);
}

// A particle whose base is voxel 5, 6 or 7 of its home reaches the next block along that axis.
static uint8_t touched_by(const build* c, firn_local begin, firn_local end)
{
    uint8_t touched = 0;
    for (firn_local k = begin; k < end && touched != 0xff; k++) {
        int32_t base[3];
        locate(c, c->order != NULL ? c->order[k] : k, base, NULL);
        const int over = ((base[0] & 7) > 4) << 2 | ((base[1] & 7) > 4) << 1 | ((base[2] & 7) > 4);
        for (int s = 0; s < 8; s++)
            if ((s & ~over) == 0) touched |= (uint8_t)(1 << s);
    }
    return touched;
}

static firn_result find_homes(build* c)
{
    firn_local n = 0;
    for (firn_local k = 0; k < c->count; k++) n += k == 0 || c->keys[k] != c->keys[k - 1];
    c->homes = firn_alloc((size_t)n + 1, sizeof *c->homes);
    if (c->homes == NULL) return FIRN_BROKEN_MEMORY;
    c->home_count = n;
    n = 0;
    for (firn_local k = 0; k < c->count; k++)
        if (k == 0 || c->keys[k] != c->keys[k - 1])
            c->homes[n++] = (home){.key = c->keys[k], .begin = k};
    c->homes[n].begin = c->count;
#pragma omp parallel for schedule(dynamic, 16) num_threads(c->threads)
    for (firn_local h = 0; h < n; h++)
        c->homes[h].touched = touched_by(c, c->homes[h].begin, c->homes[h + 1].begin);
    return FIRN_OK;
}

// The keys of all blocks that get something, ascending, each once.
static firn_result find_blocks(build* c, uint64_t** out_keys, firn_local* out_count)
{
    int64_t all = 0;
    for (firn_local h = 0; h < c->home_count; h++) all += __builtin_popcount(c->homes[h].touched);
    if (all > INT32_MAX) return FIRN_BROKEN_MEMORY;
    FIRN_TRY(firn_key_sort_reserve(&c->blocks, (firn_local)all, c->threads));
    firn_local n = 0;
    for (firn_local h = 0; h < c->home_count; h++)
        for (int s = 0; s < 8; s++)
            if ((c->homes[h].touched >> s & 1) != 0)
                c->blocks.key[0][n++] = c->homes[h].key + step_to(s);
    const uint64_t* sorted;
    const firn_local* order;
    firn_key_sort_run(&c->blocks, n, &sorted, &order);
    uint64_t* unique = firn_alloc((size_t)n, sizeof *unique);
    if (unique == NULL) return FIRN_BROKEN_MEMORY;
    firn_local kept = 0;
    for (firn_local k = 0; k < n; k++)
        if (k == 0 || sorted[k] != sorted[k - 1]) unique[kept++] = sorted[k];
    *out_keys = unique;
    *out_count = kept;
    return FIRN_OK;
}

// Null when no particle lives there.
static const home* find_home(const build* c, uint64_t key)
{
    firn_local low = 0, high = c->home_count;
    while (low < high) {
        const firn_local middle = low + (high - low) / 2;
        if (c->homes[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->home_count && c->homes[low].key == key ? &c->homes[low] : NULL;
}

// Adds one particle to the sums of a block: mass, and mass times velocity.
static void add_particle(const build* c, firn_local p, const int32_t origin[3],
                         double sums[VOXELS][4])
{
    int32_t base[3], from[3], to[3];
    double t[3];
    firn_real w[3][4];
    locate(c, p, base, t);
    for (int d = 0; d < 3; d++) {
        base[d] -= origin[d];
        from[d] = base[d] < 0 ? -base[d] : 0;
        to[d] = base[d] > 4 ? 8 - base[d] : 4;
        if (from[d] >= to[d]) return;
        firn_bspline_weights((firn_real)t[d], w[d]);
    }
    const double m = c->mass[p];
    const firn_vec3 v = c->v != NULL ? c->v[p] : firn_v3(0, 0, 0);
    for (int a = from[0]; a < to[0]; a++) {
        for (int b = from[1]; b < to[1]; b++) {
            const double m_ab = m * w[0][a] * w[1][b];
            double(*row)[4] = sums + ((base[0] + a) * 8 + base[1] + b) * 8 + base[2];
            for (int k = from[2]; k < to[2]; k++) {
                const double m_k = m_ab * w[2][k];
                row[k][0] += m_k;
                row[k][1] += m_k * v.x;
                row[k][2] += m_k * v.y;
                row[k][3] += m_k * v.z;
            }
        }
    }
}

static void gather_block(const build* c, uint64_t key, firn_density_volume* volume, firn_local b)
{
    double sums[VOXELS][4];
    memset(sums, 0, sizeof sums);
    int32_t block[3];
    block_of(key, block);
    for (int d = 0; d < 3; d++) volume->origin[b][d] = block[d] * 8;
    for (int s = 0; s < 8; s++) {
        const home* h = find_home(c, key - step_to(s));
        if (h == NULL || (h->touched >> s & 1) == 0) continue;
        for (firn_local k = h->begin; k < h[1].begin; k++)
            add_particle(c, c->order != NULL ? c->order[k] : k, volume->origin[b], sums);
    }
    const double per_volume = 1 / (c->voxel * c->voxel * c->voxel);
    float* density = volume->density + (size_t)b * VOXELS;
    for (int k = 0; k < VOXELS; k++) density[k] = (float)(sums[k][0] * per_volume);
    if (volume->velocity == NULL) return;
    float* velocity = volume->velocity + (size_t)b * VOXELS * 3;
    for (int k = 0; k < VOXELS; k++)
        for (int d = 0; d < 3; d++)
            velocity[3 * k + d] = sums[k][0] > 0 ? (float)(sums[k][d + 1] / sums[k][0]) : 0;
}

static void gather_all(const build* c, const uint64_t* keys, firn_density_volume* volume)
{
#pragma omp parallel for schedule(dynamic, 8) num_threads(c->threads)
    for (firn_local b = 0; b < volume->block_count; b++) gather_block(c, keys[b], volume, b);
}

static firn_result fill(build* c, firn_density_volume* volume)
{
    uint64_t* keys = NULL;
    FIRN_TRY(firn_key_sort_reserve(&c->particles, c->count, c->threads));
    FIRN_TRY(make_keys(c));
    firn_key_sort_run(&c->particles, c->count, &c->keys, &c->order);
    FIRN_TRY(find_homes(c));
    FIRN_TRY(find_blocks(c, &keys, &volume->block_count));
    const size_t blocks = (size_t)volume->block_count;
    volume->origin = firn_alloc(blocks, sizeof *volume->origin);
    volume->density = firn_alloc(blocks * VOXELS, sizeof(float));
    if (c->v != NULL) volume->velocity = firn_alloc(blocks * VOXELS * 3, sizeof(float));
    const bool good = volume->origin != NULL && volume->density != NULL &&
                      (c->v == NULL || volume->velocity != NULL);
    if (good) gather_all(c, keys, volume);
    firn_free(keys);
    return good ? FIRN_OK : FIRN_BROKEN_MEMORY;
}

firn_result firn_density_volume_build(const firn_vec3* x, const firn_vec3* v, const firn_real* mass,
                                      firn_local count, double voxel, int threads,
                                      firn_density_volume* out_volume, firn_error* error)
{
    if (!(voxel > 0) || !isfinite(voxel))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a voxel of %g m: give a length greater than 0", voxel);
    build c = {.x = x,
               .v = v,
               .mass = mass,
               .count = count,
               .voxel = voxel,
               .threads = threads < 1 ? 1 : threads,
               .error = error};
    firn_density_volume volume = {.voxel = voxel};
    const firn_result result = count > 0 ? fill(&c, &volume) : FIRN_OK;
    firn_key_sort_destroy(&c.particles);
    firn_key_sort_destroy(&c.blocks);
    firn_free(c.homes);
    if (result == FIRN_OK) {
        *out_volume = volume;
        return FIRN_OK;
    }
    const double bytes = (double)volume.block_count * VOXELS * (v != NULL ? 16 : 4);
    firn_density_volume_destroy(&volume);
    if (result != FIRN_BROKEN_MEMORY) return result;
    return firn_fail(
        error, result,
        "no memory for a volume of %d particles with voxels of %g m (%.1f MB of voxels): "
        "choose a bigger voxel",
        (int)count, voxel, bytes / 1e6);
}

void firn_density_volume_destroy(firn_density_volume* volume)
{
    firn_free(volume->origin);
    firn_free(volume->density);
    firn_free(volume->velocity);
    *volume = (firn_density_volume){0};
}
