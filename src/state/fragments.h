// SPDX-License-Identifier: MIT
// Fragments: connected pieces of a density volume, how many and how heavy. For measuring how a body
// breaks.
#pragma once
#include "core/result.h"
#include "state/density_volume.h"

#define FIRN_FRAGMENT_NONE (-1)

// One piece, as its voxels have it.
typedef struct firn_fragment {
    double mass;          // [kg]
    double center[3];     // [m] of mass
    double velocity[3];   // [m/s] mean by mass; 0 when the volume has none
    int64_t voxel_count;  // at or over the threshold
    int32_t low[3];       // its lowest voxel along each axis
    int32_t high[3];      // its highest, inclusive
} firn_fragment;

typedef struct firn_fragments {
    firn_fragment* items;  // owned; heaviest first, equal ones by their first voxel (x, y, z)
    firn_local count;
    firn_local* label;  // owned; [block_count][512] of the volume: index in items, or NONE
} firn_fragments;

// Voxels of at least `threshold` [kg/m^3] belong together when they share a face, or with
// `by_corners` also an edge or a corner.
firn_result firn_fragments_find(const firn_density_volume* volume, double threshold,
                                bool by_corners, firn_fragments* out_fragments, firn_error* error);
void firn_fragments_destroy(firn_fragments* fragments);
// The fragment at a point: that of the nearest of the eight voxels around it, of those that belong
// to one. So the outermost particles of a piece, where the volume thins out, belong to it too.
firn_local firn_fragments_at(const firn_fragments* fragments, const firn_density_volume* volume,
                             firn_vec3 x);
