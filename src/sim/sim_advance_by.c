// SPDX-License-Identifier: MIT
// Steps against a clock: as much of the time asked for as the budget allows.
//
//     asked      |----1/60----|----1/60----|----1/60----|
//     simulated  |--|--|--|--|--|--|--|--|--|--|--|--|--|   what the last step of a call goes
//     beyond
//                                                           is taken off the next call
#include <math.h>

#include "core/timer.h"
#include "sim/sim.h"

#define SLACK 1e-9  // [s] less than this is rounding, not time that is left

// [s] that the next step will take, by the last ones; 0 as long as there are none. Now and then a
// step is dear (grains that make their lists anew), and must not spoil the frames after it: the
// median counts. But a device gives steps in batches, most at once and the first after a wait:
// there it is the mean.
static double expected_cost(const firn_sim* sim)
{
    const int n = (int)(sim->steps_timed < FIRN_STEPS_TIMED ? sim->steps_timed : FIRN_STEPS_TIMED);
    double sorted[FIRN_STEPS_TIMED], sum = 0;
    for (int k = 0; k < n; k++) {
        int at = k;
        for (; at > 0 && sorted[at - 1] > sim->step_wall[k]; at--) sorted[at] = sorted[at - 1];
        sorted[at] = sim->step_wall[k];
        sum += sim->step_wall[k];
    }
    if (n == 0) return 0;
    return firn_sim_remote(sim) ? sum / n : sorted[n / 2];
}

static firn_result timed_step(firn_sim* sim)
{
    const double start = firn_seconds();
    const firn_result r = firn_sim_advance(sim);
    sim->step_wall[sim->steps_timed++ % FIRN_STEPS_TIMED] = firn_seconds() - start;
    return r;
}

// A step that is rolled back takes time and moves the simulation backwards: it counts as a step.
static firn_result advance(firn_sim* sim, double goal, double wall, firn_advance* done)
{
    const double start = firn_seconds(), first = sim->time;
    firn_result r = FIRN_OK;
    while (r == FIRN_OK && goal - (sim->time - first) > SLACK) {
        if (atomic_exchange(&sim->cancelled, false)) {
            r = FIRN_INTERRUPTED;
            break;
        }
        const double spent = firn_seconds() - start;
        if (wall > 0 && done->steps > 0 && spent + expected_cost(sim) > wall) break;
        r = timed_step(sim);
        done->steps += r == FIRN_OK;
    }
    done->simulated = sim->time - first;
    done->wall = firn_seconds() - start;
    return r;
}

firn_result firn_sim_advance_by(firn_sim* sim, double seconds, double wall, firn_advance* out_done)
{
    if (!(seconds >= 0) || !isfinite(seconds) || !(wall >= 0) || !isfinite(wall))
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "firn_sim_advance_by: %g s in a budget of %g s; both must be finite and "
                         "not below 0",
                         seconds, wall);
    const double goal = sim->carry + seconds;
    firn_advance done = {0};
    const firn_result r = advance(sim, goal, wall, &done);
    const double left = goal - done.simulated;
    sim->carry = 0;
    if (left > SLACK)
        done.behind = left;
    else
        sim->carry = left;
    if (out_done != NULL) *out_done = done;
    return r;
}
