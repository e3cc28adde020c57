// SPDX-License-Identifier: MIT
// Sums over boundary particles as a fluid has them, for C and CUDA.
#pragma once
#include "physics/heat.h"
#include "physics/viscosity.h"
#include "solver/sph/laws/contact_sums.h"
#include "solver/sph/laws/material.h"

// [-] K^2 over what a wall must add to the sum of densities at rest. One spacing from a plane's
// boundary particles K is 0.21 with 8 % of noise, and 1 - 0.85 is missing (VALIDATION T34): 0.29,
// at which the gradient is right, too. Water that moves keeps 0.04 spacings more; with a quarter
// more it ends at the surface of colliders, at half a spacing (theory/sph.md, "Water").
#define FIRN_SPH_WALL_KERNEL ((firn_real)0.36)

// What a fluid has of a wall. Boundary particles have their whole volume, without phi. Their part K
// of the density enters as K^2 / FIRN_SPH_WALL_KERNEL, and its gradient, exactly, as 2 K /
// FIRN_SPH_WALL_KERNEL grad K: the factor 2 is that of a mirror image, as p_i + p_j and v_j - v_i
// count what is behind the wall as often as what is before it (theory/sph.md, "Water").
FIRN_FN void firn_sph_contact_mirror(const firn_sph_asker* a, const firn_sph_material* mat,
                                     firn_real boundary_volume, firn_real mass,
                                     firn_sph_contact_sums* t)
{
    const firn_real whole = 1 / boundary_volume;
    const firn_real K = whole * t->kernel, slope = 2 * K / FIRN_SPH_WALL_KERNEL;
    if (mat->viscosity > 0 && !mat->slips && a->weight > 0) {
        t->drag = firn_viscosity_wall(mat->viscosity, a->h,
                                      firn_min(t->kernel / FIRN_HEAT_RESTING, 1), mass);
        t->drag_velocity = firn_v3_scale(a->velocity, t->drag / a->weight);
    }
    t->kernel = K * K / FIRN_SPH_WALL_KERNEL;
    t->mirror = slope * whole;
    t->gradient = firn_v3_scale(t->gradient, t->mirror);
    t->divergence *= t->mirror;
}
