// SPDX-License-Identifier: MIT
// The material point method for snow: Stomakhin, Schroeder, Chai, Teran, Selle 2013.
// README.md in this folder has the table of steps and symbols.
#pragma once
#include "math/bspline.h"
#include "solver/solver.h"

typedef enum firn_mpm_integrator {
    FIRN_MPM_EXPLICIT,
    FIRN_MPM_SEMI_IMPLICIT,
    FIRN_MPM_AUTO  // one of the two, chosen at the start of each frame (mpm_choose.h)
} firn_mpm_integrator;

typedef enum firn_mpm_transfer {
    FIRN_MPM_FLIP,  // the paper's blend of PIC and FLIP
    FIRN_MPM_APIC   // affine PIC (Jiang et al. 2015): keeps angular momentum
} firn_mpm_transfer;

typedef enum firn_mpm_volumes {
    FIRN_MPM_VOLUMES_EXACT,  // the volume that a seed represents: mass / density
    FIRN_MPM_VOLUMES_GRID    // the paper's step 2: by the density on the grid
} firn_mpm_volumes;

typedef enum firn_mpm_contact_kind {
    FIRN_MPM_CONTACT_NODES,   // the paper's: each node inside a collider by itself
    FIRN_MPM_CONTACT_SURFACE  // the velocity field at the surface (physics/contact_column.h)
} firn_mpm_contact_kind;

typedef enum firn_mpm_guess {
    FIRN_MPM_GUESS_FORCED,   // v*: the right-hand side, forces included
    FIRN_MPM_GUESS_INERTIAL  // v^n + dt g: without the elastic forces, which overshoot when stiff
} firn_mpm_guess;

typedef enum firn_mpm_preconditioner {
    FIRN_MPM_PRECONDITIONER_NONE,
    FIRN_MPM_PRECONDITIONER_DIAGONAL
} firn_mpm_preconditioner;

// The `mpm` block of a scene; its key table is in mpm_def.c.
typedef struct firn_mpm_def {
    double cell;                // h [m]
    int32_t integrator;         // firn_mpm_integrator
    double beta;                // 0 explicit, 1/2 trapezoidal, 1 backward Euler
    int32_t transfer;           // firn_mpm_transfer
    int32_t spline;             // firn_spline (math/bspline.h): basis of the grid
    int32_t volumes;            // firn_mpm_volumes: V_p^0
    int32_t contact;            // firn_mpm_contact_kind: with kinematic colliders
    double grip;                // [s] that unused friction holds snow; 0: the paper's friction
    double flip;                // alpha: share of FLIP, the rest is PIC
    double dt;                  // [s] fixed step; 0: chosen
    double dt_max;              // [s] largest chosen step
    double cfl;                 // [cells] that the fastest particle may cross in a chosen step
    double sound_cfl;           // explicit: see firn_mpm_sound_cfl
    double tolerance;           // of the linear solve, relative
    double speed_floor;         // [m/s] slower snow is solved as if it moved at this speed
    int64_t max_iterations;     // of the linear solve
    int64_t iterations_target;  // semi-implicit, chosen step: shrinks dt when a solve needs more
    int32_t guess;              // firn_mpm_guess: where the linear solve starts
    int32_t preconditioner;     // firn_mpm_preconditioner
    double iteration_cost;      // of the linear solve, in steps without a solve; for auto
} firn_mpm_def;

// What chosen explicit steps may be of h over the hardened speed of sound: def->sound_cfl, less
// with quadratic splines.
double firn_mpm_sound_cfl(const firn_mpm_def* def);

extern const firn_solver firn_solver_mpm;
extern const firn_key_block firn_mpm_keys;
