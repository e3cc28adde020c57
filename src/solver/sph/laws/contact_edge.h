// SPDX-License-Identifier: MIT
// Along what snow and a dynamic collider press on each other near an edge of the collider, for C
// and CUDA. A particle below an edge of a block has samples of its bottom and of its side in its
// sums: their mean normal points forward, pushes the block back, and the snow that it slides onto
// is compressed by a side that never comes nearer. Where two surfaces touch, the smoother one says
// along what: below an edge that is the surface of the snow (theory/forces.md, "Edges").
#pragma once
#include "physics/sph_kernel.h"
#include "solver/sph/laws/contact.h"

// Of a particle: how far its collider is flat there. 1: it is; 0: it has an edge.
#define FIRN_SPH_EDGE_LOW ((firn_real)0.95)
#define FIRN_SPH_EDGE_HIGH ((firn_real)0.99)
// [1/h] |sum V_j grad W_ij|, smoothed. Below, a particle is inside of the snow, where it has no
// direction; a flat surface has 0.3.
#define FIRN_SPH_SURFACE_LOW ((firn_real)0.1)
#define FIRN_SPH_SURFACE_HIGH ((firn_real)0.2)
// |mean| of the directions out of the snow over the mean of their lengths: 1 where its surface is
// flat. Steps of a lattice that lies askew, and the rim of the snow, are rougher than a collider.
#define FIRN_SPH_SMOOTH_LOW ((firn_real)0.93)
#define FIRN_SPH_SMOOTH_HIGH ((firn_real)0.96)
// Cosine between the surface of the snow and where the collider is: behind the snow it says
// nothing.
#define FIRN_SPH_FACING_LOW ((firn_real)-0.2)
#define FIRN_SPH_FACING_HIGH ((firn_real)0.1)

// 0 at x <= low, 1 at x >= high.
FIRN_FN firn_real firn_sph_ramp(firn_real low, firn_real high, firn_real x)
{
    const firn_real y = firn_max(firn_min((x - low) / (high - low), 1), 0);
    return y * y * (3 - 2 * y);
}

// How far a collider is a plane for a particle: its samples have one normal, `agreement`, and lie
// along that. 0.1 of the size of a sum over a random sample of a plane is along it, and 0.995 of
// the sum along the normal.
FIRN_FN firn_real firn_sph_flatness(firn_real agreement, const firn_sph_contact_sums* t)
{
    const firn_real B = firn_v3_length(t->gradient), n = firn_v3_length(t->normal);
    if (!(B > 0 && n > 0)) return 1;
    return firn_min(agreement, firn_abs(firn_v3_dot(t->normal, t->gradient)) / (n * B));
}

// Adds neighbour j to the direction out of the snow, - sum m_j grad W_ij.
FIRN_FN firn_vec3 firn_sph_outward_add(firn_vec3 sum, firn_vec3 x_ij, firn_real mass, firn_real h)
{
    const firn_real slope = firn_sph_dw_over_r(firn_v3_length(x_ij), h);
    return firn_v3_madd(sum, -slope * mass, x_ij);
}

// The mean of that over the particles near one, each with the weight m_j W_ij: friction displaces
// those that carry most, and their own direction with them.
typedef struct firn_sph_outward {
    firn_vec3 sum;
    firn_real size;  // the same of their lengths
    firn_real weight;
} firn_sph_outward;

FIRN_FN void firn_sph_outward_mean(firn_sph_outward* mean, firn_vec3 x_ij, firn_real mass,
                                   firn_real h, firn_vec3 outward)
{
    const firn_real weight = mass * firn_sph_w(firn_v3_length(x_ij), h);
    mean->sum = firn_v3_madd(mean->sum, weight, outward);
    mean->size += weight * firn_v3_length(outward);
    mean->weight += weight;
}

// Turns the normal of the sums to that of the snow as far as the collider has an edge there.
// `density`: rho_0 of the snow.
FIRN_FN void firn_sph_contact_edge(firn_real flatness, const firn_sph_outward* mean, firn_real h,
                                   firn_real density, firn_sph_contact_sums* t)
{
    const firn_real size = firn_v3_length(mean->sum), B = firn_v3_length(t->gradient);
    if (!(size > 0 && B > 0)) return;
    const firn_vec3 n = firn_v3_scale(mean->sum, 1 / size);
    const firn_real surface = size * h / (mean->weight * density);
    const firn_real edge =
        (1 - firn_sph_ramp(FIRN_SPH_EDGE_LOW, FIRN_SPH_EDGE_HIGH, flatness)) *
        firn_sph_ramp(FIRN_SPH_SMOOTH_LOW, FIRN_SPH_SMOOTH_HIGH, size / mean->size) *
        firn_sph_ramp(FIRN_SPH_SURFACE_LOW, FIRN_SPH_SURFACE_HIGH, surface) *
        firn_sph_ramp(FIRN_SPH_FACING_LOW, FIRN_SPH_FACING_HIGH, firn_v3_dot(n, t->gradient) / B);
    if (!(edge > 0)) return;
    const firn_vec3 kept = firn_v3_scale(t->normal, 1 - edge);
    t->normal = firn_v3_normalize(firn_v3_madd(kept, -edge, n), t->normal);
    t->flat = firn_max(t->flat, edge);
}
