// SPDX-License-Identifier: MIT
// From particles to snow, in stages (design/0029):
//
//   nodes    cubic B-splines, a particle spacing wide, give each node the mass and the volume
//            fraction of the snow about it: smooth, but the surface is two spacings thick
//   solid    at fine voxels, 1 where that fraction exceeds a threshold, 0 elsewhere, with an edge
//   of
//            a voxel. The threshold is noise that the particles carry. Near packed snow it stays
//            near 1/2, which puts the surface where it is and roughens it; in loose snow it takes
//            all values from 0 to 1, so that snow of fraction 0.2 fills a fifth of the space:
//            crumbs
//   mass     each node distributes its mass over the solid voxels under its spline, and what they
//            cannot hold as mist over all of them: mass is conserved, node by node
#include "state/volume/density_detail.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/sort_keys.h"
#include "math/rgb.h"
#include "state/block_spread.h"
#include "state/volume/detail_build.h"

enum { NODES = FIRN_DETAIL_NODES, PADDED = FIRN_DETAIL_PADDED };

#define CALM 0.92f     // volume fraction from which on no threshold matters
#define LOOSE 0.3f     // largest fraction around up to which snow is loose,
#define PACKED 0.6f    //     and from which on it is packed
#define ROUGH 0.3f     // range of thresholds at the surface of packed snow
#define CLUMP 1.0f     // loose snow exceeds as many more of them: clumps, rather than dust
#define TALL 1.9f      // normal noise, beyond which thresholds are 0 and 1
#define EDGE 0.2f      // [fraction] width of an edge: less than a voxel of packed snow's surface
#define WINDOW 1.5     // [spacings] reach of a particle
#define SHORTEST 2.6f  // [voxels] wavelengths of the noise, which voxels resolve,
#define LONGEST 4.0    // [spacings] and which make lumps

// ---- nodes --------------------------------------------------------------------------------------

typedef struct carry_pass {
    const firn_density_detail_def* def;
    firn_vec3* carried;
} carry_pass;

static void carry_volumes(const void* self, firn_local begin, firn_local end)
{
    const carry_pass* c = self;
    const double volume = c->def->spacing * c->def->spacing * c->def->spacing;
    for (firn_local p = begin; p < end; p++) {
        const double m = (double)c->def->mass[p];
        c->carried[p] = firn_v3(m > 0 ? (firn_real)(volume / m) : 0, 0, 0);
    }
}

// Mass per volume, and volume of snow per mass in place of a velocity.
static firn_result build_nodes(const firn_density_detail_def* def, double node,
                               firn_density_volume* out, firn_error* error)
{
    const carry_pass c = {def, firn_alloc((size_t)def->count + 1, sizeof *c.carried)};
    if (c.carried == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for %d particles of a picture",
                         (int)def->count);
    firn_share(def->count, 4096, carry_volumes, &c);
    const firn_result r =
        firn_density_volume_build(def->x, c.carried, def->mass, def->count, node, out, error);
    firn_free(c.carried);
    return r;
}

typedef struct copy_pass {
    firn_detail* d;
    const firn_density_volume* nodes;
} copy_pass;

static void copy_nodes(const void* self, firn_local begin, firn_local end)
{
    const copy_pass* pass = self;
    const firn_detail* d = pass->d;
    for (firn_local r = begin; r < end; r++) {
        const firn_local b = d->grid.regions[r].block;
        if (b < 0) continue;  // zeroed
        const size_t from = (size_t)b * NODES, to = (size_t)r * NODES;
        for (size_t n = 0; n < NODES; n++) {
            const float density = pass->nodes->density[from + n];
            d->density[to + n] = density;
            d->mist[to + n] = pass->nodes->velocity[3 * (from + n)];
            d->fraction[to + n] = density * d->mist[to + n];
        }
    }
}

// Of the nodes around a node: the largest fraction of 27, and whether all of 64, from the one
// before it to the second after it, are in packed snow.
static void find_around(const void* self, firn_local begin, firn_local end)
{
    const firn_detail* d = self;
    enum { X = FIRN_DETAIL_PAD * FIRN_DETAIL_PAD, Y = FIRN_DETAIL_PAD };
    static const int stride[3] = {1, Y, X};
    for (firn_local r = begin; r < end; r++) {
        float a[PADDED], b[PADDED], low[PADDED], least = INFINITY;
        firn_detail_pad(&d->grid, r, d->fraction, a);
        memcpy(low, a, sizeof a);
        for (int n = 0; n < PADDED; n++) least = fminf(least, a[n]);
        d->calm[r] = least > CALM;
        for (int axis = 0; axis < 3; axis++) {
            const int s = stride[axis];
            memcpy(b, a, sizeof a);
            for (int n = s; n < PADDED - s; n++) a[n] = fmaxf(b[n], fmaxf(b[n - s], b[n + s]));
            memcpy(b, low, sizeof low);
            for (int n = s; n < PADDED - 2 * s; n++)
                low[n] = fminf(fminf(b[n - s], b[n]), fminf(b[n + s], b[n + 2 * s]));
        }
        for (int n = 0; n < NODES; n++) {
            const size_t k = (size_t)r * NODES + (size_t)n;
            const int at = ((n >> 6) + 1) * X + ((n >> 3 & 7) + 1) * Y + (n & 7) + 1;
            d->most[k] = a[at];
            d->deep[k] = low[at] > CALM;
        }
    }
}

// ---- particles by region
// -------------------------------------------------------------------------

typedef struct region_memo {
    int32_t at[3];
    firn_local r;
} region_memo;

// The region of a particle; -1: none, it has no mass. *out_deep: it is deep in packed snow.
static firn_local region_of(const firn_detail* d, firn_local p, region_memo* memo, bool* out_deep)
{
    const firn_vec3 x = d->def->x[p];
    const double per = 1 / d->grid.node;
    const int32_t node[3] = {(int32_t)floor((double)x.x * per), (int32_t)floor((double)x.y * per),
                             (int32_t)floor((double)x.z * per)};
    const int32_t at[3] = {node[0] >> 3, node[1] >> 3, node[2] >> 3};
    if (memo->r < 0 || memcmp(at, memo->at, sizeof at) != 0) {
        memcpy(memo->at, at, sizeof at);
        memo->r = firn_detail_grid_find(&d->grid, at);
    }
    *out_deep =
        memo->r >= 0 && d->deep[(size_t)memo->r * NODES +
                                (size_t)((node[0] & 7) * 64 + (node[1] & 7) * 8 + (node[2] & 7))];
    return memo->r;
}

typedef struct number_pass {
    const firn_detail* d;
    uint64_t* keys;  // region, and whether the particle is deep
} number_pass;

static void number_regions(const void* self, firn_local begin, firn_local end)
{
    const number_pass* pass = self;
    const firn_detail* d = pass->d;
    region_memo memo = {.r = -1};
    for (firn_local p = begin; p < end; p++) {
        bool deep;
        const firn_local r = region_of(d, p, &memo, &deep);
        pass->keys[p] = (r < 0 ? (uint64_t)d->grid.count : (uint64_t)r) << 1 | deep;
    }
}

static firn_result sort_particles(firn_detail* d, firn_key_sort* sort)
{
    const firn_local count = d->def->count, regions = d->grid.count;
    FIRN_TRY(firn_key_sort_reserve(sort, count, firn_team_size()));
    firn_share(count, 512, number_regions, &(number_pass){d, sort->key[0]});
    const uint64_t* keys;
    const firn_local* order;
    firn_key_sort_run(sort, count, &keys, &order);
    d->list = firn_alloc((size_t)count + 1, sizeof *d->list);
    d->begin = firn_alloc((size_t)regions + 2, sizeof *d->begin);
    if (d->list == NULL || d->begin == NULL) return FIRN_BROKEN_MEMORY;
    for (firn_local k = 0; k < count; k++) {
        const firn_local p = order != NULL ? order[k] : k;
        d->list[k] = keys[k] & 1 ? ~p : p;
        d->begin[(keys[k] >> 1) + 1] = k + 1;
    }
    for (firn_local r = 0; r <= regions; r++)
        if (d->begin[r + 1] < d->begin[r]) d->begin[r + 1] = d->begin[r];
    return FIRN_OK;
}

static firn_result list_particles(firn_detail* d)
{
    firn_key_sort sort = {0};
    const firn_result result = sort_particles(d, &sort);
    firn_key_sort_destroy(&sort);
    return result;
}

// ---- solid voxels -------------------------------------------------------------------------------

// Share of a voxel that is solid, from the volume fraction of snow, the largest fraction nearby and
// normal noise.
static float solid_share(float fraction, float most, float noise)
{
    const float packed = firn_smooth_between(LOOSE, PACKED, most);
    const float range = 1 - (1 - ROUGH) * packed;
    const float threshold = 0.5f + (firn_smooth_between(-TALL, TALL, noise) - 0.5f) * range;
    return firn_clamp01((fraction * (1 + CLUMP * (1 - packed)) - threshold) / EDGE + 0.5f);
}

static void find_solid(const void* self, firn_local begin, firn_local end)
{
    const firn_detail* d = self;
    const size_t n = firn_detail_voxels(d);
    for (firn_local r = begin; r < end; r++) {
        float* solid = d->voxels + (size_t)r * n;
        float *most = firn_detail_scratch_of(d), *out[3] = {most + n, most + 2 * n, solid},
              *rest = most + 3 * n;
        float padded[PADDED];
        if (d->calm[r]) {
            for (size_t k = 0; k < n; k++) solid[k] = 1;
        } else if (firn_detail_pad(&d->grid, r, d->fraction, padded)) {
            firn_detail_pad(&d->grid, r, d->most, padded);
            firn_detail_refine(&d->grid, padded, rest, most);
            memset(out[0], 0, 2 * n * sizeof *out[0]);
            const firn_detail_region* region = &d->grid.regions[r];
            for (int way = 0; way < 27; way++) {
                const firn_local q = region->near[way];
                if (q < 0) continue;
                firn_detail_noise_add(&d->noise, region, d->grid.side, d->list + d->begin[q],
                                      d->begin[q + 1] - d->begin[q], out);
            }
            const float unit = d->unit, scale = sqrtf(2.0f / FIRN_DETAIL_WAVES);
            for (size_t k = 0; k < n; k++) {
                const float noise = out[1][k] > 1e-12f ? scale * out[0][k] / sqrtf(out[1][k]) : 0;
                solid[k] = solid_share(unit * solid[k], most[k], noise);
            }
        }
        firn_detail_gather(&d->grid, solid, rest, d->held + (size_t)r * PADDED);
    }
}

// ---- all of it
// -----------------------------------------------------------------------------------

static firn_result reserve(firn_detail* d)
{
    const size_t regions = (size_t)d->grid.count, voxels = firn_detail_voxels(d);
    d->density = firn_alloc(regions * NODES + 1, sizeof(float));
    d->fraction = firn_alloc(regions * NODES + 1, sizeof(float));
    d->most = firn_alloc(regions * NODES + 1, sizeof(float));
    d->room = firn_alloc(regions * NODES + 1, sizeof(float));
    d->excess = firn_alloc(regions * NODES + 1, sizeof(float));
    d->mist = firn_alloc(regions * NODES + 1, sizeof(float));
    d->held = firn_alloc(regions * PADDED + 1, sizeof(float));
    d->calm = firn_alloc(regions + 1, sizeof *d->calm);
    d->deep = firn_alloc(regions * NODES + 1, sizeof *d->deep);
    d->voxels = firn_alloc(regions * voxels + 1, sizeof(float));
    d->scratch_room = 3 * voxels + firn_detail_scratch(&d->grid) + 16;
    d->scratch = firn_alloc((size_t)firn_team_size() * d->scratch_room, sizeof(float));
    const bool good = d->density != NULL && d->fraction != NULL && d->most != NULL &&
                      d->room != NULL && d->excess != NULL && d->mist != NULL && d->held != NULL &&
                      d->calm != NULL && d->deep != NULL && d->voxels != NULL && d->scratch != NULL;
    return good ? FIRN_OK : FIRN_BROKEN_MEMORY;
}

static firn_result fill(firn_detail* d, const firn_density_volume* nodes, int32_t fine,
                        firn_density_volume* out_volume)
{
    FIRN_TRY(firn_detail_grid_create(&d->grid, nodes, fine));
    FIRN_TRY(reserve(d));
    const firn_local regions = d->grid.count;
    firn_share(regions, 4, copy_nodes, &(copy_pass){d, nodes});
    firn_share(regions, 4, find_around, d);
    FIRN_TRY(list_particles(d));
    firn_share(regions, 1, find_solid, d);
    firn_detail_share_mass(d);
    return firn_detail_collect(d, out_volume);
}

static void destroy(firn_detail* d)
{
    firn_detail_grid_destroy(&d->grid);
    firn_free(d->density);
    firn_free(d->fraction);
    firn_free(d->most);
    firn_free(d->room);
    firn_free(d->excess);
    firn_free(d->mist);
    firn_free(d->held);
    firn_free(d->voxels);
    firn_free(d->calm);
    firn_free(d->deep);
    firn_free(d->list);
    firn_free(d->begin);
    firn_free(d->scratch);
}

firn_result firn_density_detail_build(const firn_density_detail_def* def,
                                      firn_density_volume* out_volume, firn_error* error)
{
    FIRN_TRY(firn_spread_check(def->x, NULL, def->mass, def->count, def->voxel, error));
    if (!(def->spacing > 0) || !isfinite(def->spacing))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a particle spacing of %g m: use a length above 0", def->spacing);
    const double ratio = floor(def->spacing / def->voxel + 0.5);
    if (ratio > FIRN_DETAIL_FINE_MAX)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a voxel of %g m is too small for particles %g m apart: use %g m or more, "
                         "or kernel: spline",
                         def->voxel, def->spacing, def->spacing / FIRN_DETAIL_FINE_MAX);
    const int32_t fine = ratio > 1 ? (int32_t)ratio : 1;
    firn_density_volume nodes = {0}, volume = {.voxel = def->voxel};
    FIRN_TRY(build_nodes(def, fine * def->voxel, &nodes, error));
    const float spacing = (float)(def->spacing / def->voxel);
    firn_detail d = {.def = def,
                     .noise = {.x = def->x,
                               .id = def->id,
                               .voxel = def->voxel,
                               .reach = fminf((float)WINDOW * spacing, 20),
                               .shortest = SHORTEST,
                               .longest = fmaxf((float)LONGEST * spacing, SHORTEST)}};
    const double across = 16.0 / 15 * (double)d.noise.reach / (double)spacing;
    d.unit = (float)(1 / (across * across * across));
    const firn_result result = fill(&d, &nodes, fine, &volume);
    firn_density_volume_destroy(&nodes);
    destroy(&d);
    if (result == FIRN_OK) {
        *out_volume = volume;
        return FIRN_OK;
    }
    firn_density_volume_destroy(&volume);
    return firn_fail(error, result,
                     "out of memory for the snow of %d particles with voxels of %g m: use a larger "
                     "voxel",
                     (int)def->count, def->voxel);
}
