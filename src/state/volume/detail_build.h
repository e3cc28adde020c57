// SPDX-License-Identifier: MIT
// Shared by the stages of density_detail.c: what is where, and in whose turn it changes.
#pragma once
#include "core/threads/team.h"
#include "state/volume/density_detail.h"
#include "state/volume/detail_grid.h"
#include "state/volume/detail_noise.h"

typedef struct firn_detail {
    const firn_density_detail_def* def;
    firn_detail_grid grid;
    firn_detail_noise noise;
    float unit;  // volume fraction per sum of windows
    // Arrays of nodes, [region][FIRN_DETAIL_NODES]; owned, as all below
    float* density;   // [kg/m^3]; finally of the solid voxels
    float* fraction;  // volume fraction of snow
    float* most;      // largest fraction of the nodes around
    float* room;      // share of the voxels under the node's spline that is solid
    float* excess;    // [kg/m^3] that they cannot hold, per room around
    uint8_t* deep;    // whether particles between this node and the next are far from any surface
    float* mist;      // [m^3/kg] volume of snow per mass; finally of the mist [kg/m^3]
    // Arrays of regions
    float* held;    // [region][FIRN_DETAIL_PADDED] what its solid voxels add to `room`
    float* voxels;  // [region][side^3] solid share, finally density [kg/m^3]
    uint8_t* calm;  // [region] solid everywhere
    // Particles by region: list[begin[r] .. begin[r + 1])
    firn_local *list, *begin;  // deep ones as ~p
    float* scratch;            // [workers][scratch_room]
    size_t scratch_room;
} firn_detail;

static inline size_t firn_detail_voxels(const firn_detail* d)
{
    const size_t side = (size_t)d->grid.side;
    return side * side * side;
}

// At least three regions' voxels and firn_detail_scratch floats, for the calling worker.
static inline float* firn_detail_scratch_of(const firn_detail* d)
{
    return d->scratch + (size_t)firn_team_worker() * d->scratch_room;
}

// Distributes the nodes' mass over the voxels (detail_mass.c).
void firn_detail_share_mass(firn_detail* d);
// Collects the blocks of 8^3 voxels that are not empty (detail_blocks.c).
firn_result firn_detail_collect(const firn_detail* d, firn_density_volume* volume);
