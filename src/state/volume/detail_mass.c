// SPDX-License-Identifier: MIT
// Distributes the mass of each node over the solid voxels under its spline. Nodes with more than
// these hold, outside a surface or where particles are alone, give the rest to nodes around them;
// what those have no room for becomes mist, spread over all voxels under the spline. Splines sum to
// 1 everywhere, so that every step conserves mass.
#include "state/volume/detail_build.h"

#include <string.h>

enum { NODES = FIRN_DETAIL_NODES, PADDED = FIRN_DETAIL_PADDED };

#define DENSEST 2.0f  // largest density of solid voxels over that of packed snow: less than ice has

// Adds to a region's nodes what the solid voxels of the region beside it hold: `way` as in
// firn_detail_region.near.
static void add_room(int way, const float held[PADDED], float room[NODES])
{
    static const int from[3] = {0, 0, 7}, to[3] = {2, 8, 8};  // of this region's nodes
    const int step[3] = {way / 9, way / 3 % 3, way % 3};
    for (int x = from[step[0]]; x < to[step[0]]; x++)
        for (int y = from[step[1]]; y < to[step[1]]; y++)
            for (int z = from[step[2]]; z < to[step[2]]; z++) {
                const int in[3] = {x - 8 * step[0] + 9, y - 8 * step[1] + 9, z - 8 * step[2] + 9};
                room[(x * 8 + y) * 8 + z] +=
                    held[(in[0] * FIRN_DETAIL_PAD + in[1]) * FIRN_DETAIL_PAD + in[2]];
            }
}

// Sum of the 27 values around each node of region r.
static void sum_around(const firn_detail* d, firn_local r, const float* values, float out[NODES])
{
    static const int stride[3] = {1, FIRN_DETAIL_PAD, FIRN_DETAIL_PAD * FIRN_DETAIL_PAD};
    float a[PADDED], b[PADDED];
    firn_detail_pad(&d->grid, r, values, a);
    for (int axis = 0; axis < 3; axis++) {
        memcpy(b, a, sizeof a);
        for (int n = stride[axis]; n < PADDED - stride[axis]; n++)
            a[n] = b[n - stride[axis]] + b[n] + b[n + stride[axis]];
    }
    for (int n = 0; n < NODES; n++)
        out[n] = a[((n >> 6) + 1) * stride[2] + ((n >> 3 & 7) + 1) * stride[1] + (n & 7) + 1];
}

static void find_room(const void* self, firn_local begin, firn_local end)
{
    const firn_detail* d = self;
    const int fine = d->grid.fine;
    const float per = 1 / (float)(fine * fine * fine);
    for (firn_local r = begin; r < end; r++) {
        float* room = d->room + (size_t)r * NODES;
        for (int way = 0; way < 27; way++) {
            const firn_local q = d->grid.regions[r].near[way];
            if (q >= 0) add_room(way, d->held + (size_t)q * PADDED, room);
        }
        for (size_t n = 0; n < NODES; n++)
            room[n] = d->density[(size_t)r * NODES + n] > 0 ? per * room[n] : 0;
    }
}

// Takes from nodes what their solid voxels cannot hold, if those of nodes around them can hold any.
// `excess` of a node: [kg/m^3] per room around.
static void take_excess(const void* self, firn_local begin, firn_local end)
{
    const firn_detail* d = self;
    for (firn_local r = begin; r < end; r++) {
        float around[NODES];
        sum_around(d, r, d->room, around);
        for (int n = 0; n < NODES; n++) {
            const size_t k = (size_t)r * NODES + (size_t)n;
            const float most = DENSEST * d->room[k], fraction = d->fraction[k];
            if (!(around[n] > 1e-3f) || !(fraction > most)) continue;
            const float excess = d->density[k] * (1 - most / fraction);
            d->excess[k] = excess / around[n];
            d->density[k] -= excess;
        }
    }
}

// Gives it to them, and splits each node's mass: density = that of its solid voxels, mist = that
// everywhere else.
static void split_mass(const void* self, firn_local begin, firn_local end)
{
    const firn_detail* d = self;
    for (firn_local r = begin; r < end; r++) {
        float around[NODES];
        sum_around(d, r, d->excess, around);
        for (int n = 0; n < NODES; n++) {
            const size_t k = (size_t)r * NODES + (size_t)n;
            const float room = d->room[k], density = d->density[k] + room * around[n],
                        need = density * d->mist[k] / DENSEST;
            d->density[k] = d->mist[k] = 0;
            if (!(density > 0)) continue;
            const float mist = need > room ? need - room : 0;
            d->density[k] = density / (room + mist);
            d->mist[k] = mist * d->density[k];
        }
    }
}

static void fill_voxels(const void* self, firn_local begin, firn_local end)
{
    const firn_detail* d = self;
    const size_t n = firn_detail_voxels(d);
    for (firn_local r = begin; r < end; r++) {
        float *voxels = d->voxels + (size_t)r * n, *value = firn_detail_scratch_of(d),
              *rest = value + n;
        float padded[PADDED];
        firn_detail_pad(&d->grid, r, d->density, padded);
        firn_detail_refine(&d->grid, padded, rest, value);
        for (size_t k = 0; k < n; k++) voxels[k] *= value[k];
        if (!firn_detail_pad(&d->grid, r, d->mist, padded)) continue;
        firn_detail_refine(&d->grid, padded, rest, value);
        for (size_t k = 0; k < n; k++) voxels[k] += value[k];
    }
}

void firn_detail_share_mass(firn_detail* d)
{
    firn_share(d->grid.count, 4, find_room, d);
    firn_share(d->grid.count, 4, take_excess, d);
    firn_share(d->grid.count, 4, split_mass, d);
    firn_share(d->grid.count, 1, fill_voxels, d);
}
