// SPDX-License-Identifier: MIT
// A dynamic collider in a step of a solver, with the snow that it carries (physics/rigid_lump.h),
// for C and CUDA. theory/forces.md, "Colliders with mass".
//
//     start   V_0: gravity, contacts between colliders, no snow yet
//     V       what the snow sees; a solver improves it while it solves for its own velocities
//     load    of the step (loads.h): moves the collider in the end, so that momentum is exact
#pragma once
#include "physics/rigid_lump.h"

#define FIRN_LUMP_PIN_MASS 1e4  // of what a collider rests on, relative to the lump

// Where a dynamic collider rests on a kinematic one.
typedef struct firn_lump_pin {
    double arm[3];       // [m] from the centre of mass
    double normal[3];    // out of what it rests on
    double velocity[3];  // [m/s] of that
    double gap;          // [m/s] at which it may still approach
} firn_lump_pin;

typedef struct firn_lump {
    firn_local collider, body;  // indices, in the scene and of the engine (bodies/bodies.h)
    firn_local pin_first, pin_count;
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

// Adds what the collider rests on to the matrix A of its lump: where it would move into kinematic
// colliders at V, they resist like a large mass. `pins`: of all lumps. `side`: null, or what is
// missing to momentum.
FIRN_FN void firn_lump_pin_down(const firn_lump* lump, const firn_lump_pin* pins,
                                double A[FIRN_LUMP_TERMS], double side[6])
{
    const double mass =
        FIRN_LUMP_PIN_MASS * (A[0] + A[firn_lump_at(1, 1)] + A[firn_lump_at(2, 2)]) / 3;
    for (firn_local k = 0; k < lump->pin_count; k++) {
        const firn_lump_pin* pin = &pins[lump->pin_first + k];
        const double *n = pin->normal, *v_other = pin->velocity;
        double v[3];
        firn_lump_velocity(lump->V, pin->arm, v);
        const double v_n =
            (v[0] - v_other[0]) * n[0] + (v[1] - v_other[1]) * n[1] + (v[2] - v_other[2]) * n[2];
        const double into = v_n + pin->gap;  // what is too fast for the way that is left
        if (!(into < 0)) continue;
        const double stop[3] = {-mass * into * n[0], -mass * into * n[1], -mass * into * n[2]};
        firn_lump_carry(pin->arm, n, mass, 0, A);
        if (side != NULL) firn_lump_push(pin->arm, stop, side);
    }
}

// Sets `give`.
FIRN_FN void firn_lump_set_give(firn_lump* lump, const firn_lump_pin* pins)
{
    double own[FIRN_LUMP_TERMS];
    for (int k = 0; k < FIRN_LUMP_TERMS; k++) own[k] = lump->own[k];
    firn_lump_pin_down(lump, pins, own, NULL);
    firn_lump_invert(own, lump->give);
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

// V as velocity and spin of the collider's pose, which is at `position`.
FIRN_FN void firn_lump_pose(const firn_lump* lump, firn_vec3 position, firn_vec3* out_velocity,
                            firn_vec3* out_spin)
{
    *out_velocity = firn_lump_velocity_at(lump->V, firn_lump_arm(lump, position));
    *out_spin = firn_v3((firn_real)lump->V[3], (firn_real)lump->V[4], (firn_real)lump->V[5]);
}
