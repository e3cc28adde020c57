// SPDX-License-Identifier: MIT
// What host and device decide alike about steps of grains: how long one is, when lists are made
// anew, how far anything may go. For C and CUDA.
#pragma once
#include "math/shared.h"

#define FIRN_GRAINS_FAR 1e6   // [r_s] from the origin: cells are numbered up to there
#define FIRN_GRAINS_SKIN 0.3  // [r_s] that lists reach beyond what acts
#define FIRN_GRAINS_CFL 0.25  // [r_s] that the fastest grain may cross in a chosen step
// Of springs and dampers along the contacts of close-packed spheres the stiffest mode has 8 times
// one of them over the mass, friction adds half as much again: k dt^2 + 2 c dt of it must stay
// below 4, and k dt^2 is 0.6 with the steps of grains_def.c.
#define FIRN_GRAINS_DAMPING_MOST 0.12  // [m/dt]
#define FIRN_GRAINS_LISTED 32     // neighbours that lists have room for, of each grain in the mean
#define FIRN_GRAINS_LIST_MOST 64  // neighbours of one grain: bonds with them are bits of two words
#define FIRN_GRAINS_BOND_AT_START 0.05  // [r_i + r_j] of a gap that snow begins with a bond across
#define FIRN_GRAINS_SLIP_MOST \
    0.2  // [r_s] that a grain may creep and still be where it came to rest

// What a scene says of the size of steps.
typedef struct firn_grains_dt_rules {
    bool fixed;     // the scene names dt: the fastest grain does not shorten it
    double usual;   // [s] named, or by the stiffest spring
    double radius;  // r_s [m]
} firn_grains_dt_rules;

// The step [s]: the frame's rest `left` in equal steps that are no longer than the rules say.
// speed: of the fastest grain [m/s]; scale: below 1 after a rollback.
FIRN_FN double firn_grains_dt_choose(const firn_grains_dt_rules* rules, double speed, double scale,
                                     double left)
{
    double dt = rules->usual;
    if (!rules->fixed && speed > 0) {
        const double cfl = FIRN_GRAINS_CFL * rules->radius / speed;
        dt = cfl < dt ? cfl : dt;
    }
    // equal steps to the frame's end; the last bit of a quotient must not make one more
    const double steps = ceil(left / (dt * scale) - 1e-6);
    return steps <= 1 ? left : left / steps;
}

// The stiffest damper that a step of dt bears [N s/m].
FIRN_FN firn_real firn_grains_damping_most(firn_real mass, double dt)
{
    return (firn_real)(FIRN_GRAINS_DAMPING_MOST * (double)mass / dt);
}

// Lists still hold everyone near: nobody has moved by half a skin. most2: the largest |x -
// listed|^2.
FIRN_FN bool firn_grains_still(firn_real most2, firn_real skin)
{
    return 4 * most2 <= skin * skin;
}
