// SPDX-License-Identifier: MIT
// Decisions about steps that host and device share: size of a step and its adaptation to iteration
// counts, which solves are accepted, when particles are reordered in memory, how slow is slow. For
// C and CUDA.
#pragma once
#include "math/vec3.h"

// A solve that ran out of iterations is accepted if its relative residual is below this: the step
// is still stable, and the next one is shorter. Otherwise the step fails.
#define FIRN_MPM_RESIDUAL_ACCEPTED 0.1

// The list of particles is sorted in each step, the particles themselves only every so many steps,
// to keep neighbours in the list close in memory. It depends on the number of the step, which is
// part of a checkpoint, so that a resumed run has the same order. Smaller values cost more moves,
// larger ones more cache misses; 8 and 24 were not faster at 3e5 and 1e6 particles.
#define FIRN_MPM_STEPS_PER_REORDER 16

// Settings of the scene for the size of steps; as in firn_mpm_def.
typedef struct firn_mpm_dt_rules {
    double fixed;      // [s] 0: chosen
    double most;       // [s] of a chosen step
    double cfl;        // [cells] that the fastest particle may cross
    double sound_cfl;  // [cells] that sound may cross, explicit (firn_mpm_sound_cfl)
    double cell;       // h [m]
} firn_mpm_dt_rules;

// State that limits the step: fastest particle and hardened sound [m/s], adapted factor.
typedef struct firn_mpm_dt_facts {
    bool implicit;
    double speed, sound;
    double factor;  // firn_mpm_dt_learn
    double scale;   // below 1 after a rollback
    double left;    // [s] to the end of the frame
} firn_mpm_dt_facts;

// Size of the step [s]: fixed by the scene, or chosen; then the rest of the frame is divided into
// equal steps, so that frame times are met exactly. *out_last: the step ends the frame.
FIRN_FN double firn_mpm_dt_choose(const firn_mpm_dt_rules* r, const firn_mpm_dt_facts* f,
                                  bool* out_last)
{
    double dt = r->fixed;
    if (!(dt > 0)) {
        dt = r->most;
        if (f->speed > 0) dt = fmin(dt, r->cfl * r->cell / f->speed);
        if (!f->implicit) {
            if (f->sound > 0) dt = fmin(dt, r->sound_cfl * r->cell / f->sound);
        } else {
            dt *= f->factor;
        }
    }
    dt *= f->scale;
    const double steps = ceil(f->left / dt - 1e-6);
    *out_last = steps <= 1;
    return steps <= 1 ? f->left : f->left / steps;
}

#define FIRN_MPM_DT_FACTOR_MIN 0.02
// Semi-implicit with a chosen step: a solve that needs many iterations costs more than two shorter
// steps would, so the step shrinks until counts are near the target, and grows slowly again.
FIRN_FN double firn_mpm_dt_learn(double factor, int iterations, int64_t target)
{
    return iterations > target ? fmax(factor * 0.8, FIRN_MPM_DT_FACTOR_MIN)
                               : fmin(factor * 1.05, 1.0);
}

// [m/s] Slip that grip may stop: what gravity reaches within a cell.
FIRN_FN firn_real firn_mpm_slow(firn_vec3 gravity, double cell)
{
    return (firn_real)sqrt((double)firn_v3_length(gravity) * cell);
}
