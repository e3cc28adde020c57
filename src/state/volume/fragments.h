// SPDX-License-Identifier: MIT
// Fragments: connected components of a density volume, their number and masses. Measures how snow
// breaks.
#pragma once
#include "core/result.h"
#include "state/volume/density_volume.h"

#define FIRN_FRAGMENT_NONE (-1)

// One fragment, from its voxels.
typedef struct firn_fragment {
    double mass;          // [kg]
    double center[3];     // [m] of mass
    double velocity[3];   // [m/s] mass-weighted mean; 0 if the volume has no velocity
    int64_t voxel_count;  // at or above the threshold
    int32_t low[3];       // lowest voxel along each axis
    int32_t high[3];      // highest voxel, inclusive
} firn_fragment;

typedef struct firn_fragments {
    firn_fragment* items;  // owned; by descending mass, then by first voxel (x, y, z)
    firn_local count;
    firn_local* label;  // owned; [block_count][512] of the volume: index in items, or NONE
} firn_fragments;

// Connects voxels of at least `threshold` [kg/m^3] that share a face, or with `by_corners` also an
// edge or a corner.
firn_result firn_fragments_find(const firn_density_volume* volume, double threshold,
                                bool by_corners, firn_fragments* out_fragments, firn_error* error);
void firn_fragments_destroy(firn_fragments* fragments);
// Get the fragment at a point: that of the nearest of the eight surrounding voxels that belong to
// one. So the outermost particles of a fragment, where the density is low, belong to it too.
firn_local firn_fragments_at(const firn_fragments* fragments, const firn_density_volume* volume,
                             firn_vec3 x);
