// SPDX-License-Identifier: MIT
// A dynamic collider in a step of a solver, with the snow that it carries (physics/rigid_lump.h),
// for C and CUDA. theory/forces.md, "Colliders with mass".
//
//     start   V_0: gravity, contacts between colliders, no snow yet
//     V       what the snow sees; a solver improves it while it solves for its own velocities
//     load    of the step (loads.h): moves the collider in the end, so that momentum is exact
#pragma once
#include "physics/rigid_lump.h"

typedef struct firn_lump {
    firn_local collider, body;     // indices, in the scene and of the engine (bodies/bodies.h)
    double center[3];              // [m] of mass, at t^n
    double own[FIRN_LUMP_TERMS];   // of the collider alone
    double start[6];               // V_0 [m/s, rad/s]
    double V[6];                   // [m/s, rad/s]
    double change[6];              // of V, of the solver's last solve
    double L[FIRN_LUMP_TERMS];     // factor of the lump with all snow that it carries
    double give[FIRN_LUMP_TERMS];  // inverse of the collider alone, with what it rests on
    double carried;                // [kg] snow that touches it
} firn_lump;

// J V at `arm` [m] from the centre of mass.
FIRN_FN firn_vec3 firn_lump_velocity_at(const double V[6], firn_vec3 arm)
{
    const double r[3] = {(double)arm.x, (double)arm.y, (double)arm.z};
    double v[3];
    firn_lump_velocity(V, r, v);
    return firn_v3((firn_real)v[0], (firn_real)v[1], (firn_real)v[2]);
}

// Share of a change of velocity that one particle at x may get from a collider that gives way:
// particles do not know of each other, so each treats the collider as if all snow that touches it
// pushed alike. The collider then never moves faster than what it pushes away.
FIRN_FN firn_real firn_lump_share(const firn_lump* lump, firn_vec3 x, firn_vec3 change)
{
    const double d[3] = {(double)change.x, (double)change.y, (double)change.z};
    const double r[3] = {(double)x.x - lump->center[0], (double)x.y - lump->center[1],
                         (double)x.z - lump->center[2]};
    const double size = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    double g[6] = {0, 0, 0, 0, 0, 0}, moved[6], mobility = 0;
    if (!(size > 0)) return 1;
    firn_lump_push(r, d, g);
    firn_lump_apply(lump->give, g, moved);
    for (int k = 0; k < 6; k++) mobility += g[k] * moved[k];
    return (firn_real)(1 / (1 + 2 * lump->carried * mobility / size));
}

// From the centre of mass to x.
FIRN_FN firn_vec3 firn_lump_arm(const firn_lump* lump, firn_vec3 x)
{
    return firn_v3((firn_real)((double)x.x - lump->center[0]),
                   (firn_real)((double)x.y - lump->center[1]),
                   (firn_real)((double)x.z - lump->center[2]));
}
