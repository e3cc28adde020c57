// SPDX-License-Identifier: MIT
// Decisions about steps of grains that host and device share: size of a step, when neighbour lists
// are rebuilt, limits of positions and displacements. For C and CUDA.
#pragma once
#include "math/vec3.h"

#define FIRN_GRAINS_FAR 1e6   // [r_s] from the origin: cells are numbered up to there
#define FIRN_GRAINS_SKIN 0.3  // [r_s] by which lists exceed the reach of forces
#define FIRN_GRAINS_MACH \
    0.2  // [-] impact speed over speed of sound, at most: springs are stiffened
// Assumed (theory/grains.md, assumed constants)
#define FIRN_GRAINS_INERTIA 4   // [m r^2] moment of inertia
#define FIRN_GRAINS_MEMORY 0.9  // [-] share of slip and twist that is left after a step of sliding
#define FIRN_GRAINS_SHEAR 0.25  // [-] stiffness along a contact, of that across
#define FIRN_GRAINS_SHEAR_DAMPING 0.5  // [-] the same of damping
#define FIRN_GRAINS_ROLL 4             // [-] against rolling, of that along a contact
#define FIRN_GRAINS_ROLL_DAMPING 0.5   // [-] of damping across a contact
#define FIRN_GRAINS_CFL 0.25           // [r_s] that the fastest grain may cross in a chosen step
// In close-packed spheres with a spring and a damper at each contact, the stiffest mode has 8 times
// the stiffness and damping of one contact over the mass; friction adds half as much again. Stable
// if k dt^2 + 2 c dt of that mode is below 4; k dt^2 is 0.6 with the steps of grains_def.c.
#define FIRN_GRAINS_DAMPING_MOST 0.12  // [m/dt]
#define FIRN_GRAINS_LISTED 32          // capacity of the lists: neighbours per grain on average
#define FIRN_GRAINS_LIST_MOST 64  // neighbours of one grain: bonds with them are bits of two words
#define FIRN_GRAINS_BOND_AT_START 0.05  // [r_i + r_j] widest gap that is bonded initially
#define FIRN_GRAINS_SLIP_MOST 0.2       // [r_s] displacement up to which a grain counts as at rest
#define FIRN_GRAINS_TWIST_MOST 0.4      // [rad] the same of a rotation

// Settings of the scene for the size of steps.
typedef struct firn_grains_dt_rules {
    bool fixed;     // the scene names dt: the fastest grain does not shorten it
    double usual;   // [s] named, or by the stiffest spring
    double radius;  // r_s [m]
} firn_grains_dt_rules;

// Size of the step [s]: divides the rest of the frame, `left`, into equal steps within the limits
// of `rules`. speed: of the fastest grain [m/s]; scale: below 1 after a rollback.
FIRN_FN double firn_grains_dt_choose(const firn_grains_dt_rules* rules, double speed, double scale,
                                     double left)
{
    double dt = rules->usual;
    if (!rules->fixed && speed > 0) {
        const double cfl = FIRN_GRAINS_CFL * rules->radius / speed;
        dt = cfl < dt ? cfl : dt;
    }
    // equal steps to the end of the frame; 1e-6: rounding must not add a step
    const double steps = ceil(left / (dt * scale) - 1e-6);
    return steps <= 1 ? left : left / steps;
}

// Largest damping coefficient that is stable with a step of dt [N s/m].
FIRN_FN firn_real firn_grains_damping_most(firn_real mass, double dt)
{
    return (firn_real)(FIRN_GRAINS_DAMPING_MOST * (double)mass / dt);
}

// Displacements x - listed of the grains since their lists were built.
typedef struct firn_grains_moved {
    firn_real most2;      // [m^2] of the longest, squared
    firn_vec3 low, high;  // [m] box around all of them
} firn_grains_moved;

FIRN_FN firn_grains_moved firn_grains_moved_none(void)
{
    const firn_real most = FIRN_REAL_MAX;
    return FIRN_LIT(firn_grains_moved){0, {most, most, most}, {-most, -most, -most}};
}

FIRN_FN void firn_grains_moved_add(firn_grains_moved* all, firn_vec3 d)
{
    all->most2 = firn_max(all->most2, firn_v3_dot(d, d));
    all->low = firn_v3_min(all->low, d);
    all->high = firn_v3_max(all->high, d);
}

FIRN_FN void firn_grains_moved_join(firn_grains_moved* all, const firn_grains_moved* some)
{
    all->most2 = firn_max(all->most2, some->most2);
    all->low = firn_v3_min(all->low, some->low);
    all->high = firn_v3_max(all->high, some->high);
}

// True if the lists are still valid: no two grains have approached each other by more than the
// skin. None has if all have moved by at most half of it, or if their displacements differ by at
// most all of it, as those of snow that falls as one on snow at rest.
FIRN_FN bool firn_grains_still(const firn_grains_moved* moved, firn_real skin)
{
    const firn_vec3 span = firn_v3_sub(moved->high, moved->low);
    const firn_real skin2 = skin * skin;
    return 4 * moved->most2 <= skin2 || firn_v3_dot(span, span) <= skin2;
}
