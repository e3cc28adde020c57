// SPDX-License-Identifier: MIT
// Rasterizes particles to a sparse density volume with any kernel that reaches a few blocks: finds
// the blocks and fills them, bitwise independent of the number of threads.
#pragma once
#include "state/volume/density_volume.h"

#define FIRN_SPREAD_VOXELS 512   // per block
#define FIRN_SPREAD_REACH_MAX 8  // [blocks]

// The blocks that particles of one occupied block contribute to.
typedef struct firn_touched {
    int32_t block[3];  // its coordinates
    int32_t reach;     // [blocks] along each axis, in both directions
    uint32_t* bits;    // borrowed; [(2 reach + 1)^3], x slowest
} firn_touched;

static inline void firn_touched_mark(firn_touched* t, int32_t bx, int32_t by, int32_t bz)
{
    const int32_t side = 2 * t->reach + 1;
    const int32_t k = ((bx - t->block[0] + t->reach) * side + by - t->block[1] + t->reach) * side +
                      (bz - t->block[2] + t->reach);
    t->bits[k >> 5] |= (uint32_t)1 << (k & 31);
}

// The particles and their kernel. Voxels are counted from the world's origin.
typedef struct firn_spread {
    firn_local count;  // of particles
    double voxel;      // [m]
    int32_t reach;     // [blocks] largest reach of a kernel, 1 to FIRN_SPREAD_REACH_MAX
    bool wants_velocity;
    const void* kernel;  // borrowed; passed to the functions
    // Get a voxel of the block that owns the particle.
    void (*locate)(const void* kernel, firn_local p, int32_t out_voxel[3]);
    // Marks the blocks that the particle contributes to.
    void (*touch)(const void* kernel, firn_local p, firn_touched* touched);
    // Adds the particle's contribution to a block: mass [kg], momentum [kg m/s]. `origin`: its
    // first voxel.
    void (*add)(const void* kernel, firn_local p, const int32_t origin[3],
                double sums[FIRN_SPREAD_VOXELS][4]);
} firn_spread;

// Refuses an invalid voxel size and particles that no volume can represent. `v` may be null.
firn_result firn_spread_check(const firn_vec3* x, const firn_vec3* v, const firn_real* mass,
                              firn_local count, double voxel, firn_error* error);
firn_result firn_spread_run(const firn_spread* spread, firn_density_volume* out_volume,
                            firn_error* error);
