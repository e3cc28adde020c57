// SPDX-License-Identifier: MIT
// Costs are in units of a step without a solve. The relative cost of an iteration is the key
// mpm.iteration_cost, with a default measured by `firn bench`. It is not timed during the run,
// because results would then depend on the load of the machine. Iteration counts are those of this
// run.
#include "solver/mpm/support/mpm_choose.h"

#include <math.h>

// Iterations per cell that sound crosses in a step, before any were counted: about what
// snowball-drop and T18 show, times sqrt(beta).
#define ITERATIONS_PER_CROSSING 3.0
// Overhead of a solve (linearisation, two residuals, start), in iterations.
#define EXTRA_ITERATIONS 3.0
// Changes only for a clear gain, because predictions are rough.
#define CLEARLY_CHEAPER 0.8

static double stable_dt(const firn_mpm_def* def, const firn_mpm_prospect* p)
{
    double dt = def->dt_max;
    if (p->speed > 0) dt = fmin(dt, def->cfl * def->cell / p->speed);
    return dt;
}

static void predict(const firn_mpm_def* def, const firn_mpm_choice* choice, firn_mpm_prospect* p)
{
    const double sound_dt =
        p->sound > 0 ? firn_mpm_sound_cfl(def) * def->cell / p->sound : (double)INFINITY;
    const double free_dt = def->dt > 0 ? def->dt : stable_dt(def, p);
    p->explicit_dt = fmin(free_dt, sound_dt);
    p->implicit_dt = def->dt > 0 ? def->dt : free_dt * p->dt_factor;
    const double crossing = p->implicit_dt * p->sound / def->cell;
    const double each =
        choice->per_crossing > 0 ? choice->per_crossing : ITERATIONS_PER_CROSSING * sqrt(def->beta);
    p->iterations = fmin(fmax(each * crossing, 1), (double)def->max_iterations);
    p->explicit_cost = 1 / p->explicit_dt;
    p->implicit_cost =
        (1 + def->iteration_cost * (p->iterations + EXTRA_ITERATIONS)) / p->implicit_dt;
}

bool firn_mpm_choose(const firn_mpm_def* def, firn_mpm_choice* choice, firn_mpm_prospect* prospect)
{
    if (choice->steps > 0 && choice->crossings > 0)
        choice->per_crossing = (double)choice->iterations / choice->crossings;
    choice->iterations = choice->steps = 0;
    choice->crossings = 0;
    predict(def, choice, prospect);
    bool implicit = choice->implicit != 0;
    if (choice->chosen == 0) {
        implicit = prospect->implicit_cost < prospect->explicit_cost;
    } else if (implicit) {
        implicit = prospect->explicit_cost > CLEARLY_CHEAPER * prospect->implicit_cost;
    } else {
        implicit = prospect->implicit_cost < CLEARLY_CHEAPER * prospect->explicit_cost;
    }
    // the user has fixed the step: explicit integration must not shorten it
    if (def->dt > 0 && prospect->explicit_dt < def->dt) implicit = true;
    if (!(def->beta > 0)) implicit = false;
    const bool changed = choice->chosen == 0 || implicit != (choice->implicit != 0);
    choice->implicit = implicit;
    choice->chosen = 1;
    choice->frame_begins = 0;
    return changed;
}

void firn_mpm_choice_learn(firn_mpm_choice* choice, int iterations, double crossing,
                           bool frame_ends)
{
    if (choice->implicit) {
        choice->iterations += iterations;
        choice->steps++;
        choice->crossings += crossing;
    }
    choice->frame_begins = frame_ends;
}
