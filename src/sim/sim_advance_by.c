// SPDX-License-Identifier: MIT
// Steps against a wall-clock budget: as much of the requested time as the budget allows.
//
//     requested  |----1/60----|----1/60----|----1/60----|
//     simulated  |--|--|--|--|--|--|--|--|--|--|--|--|--|   The next call is shortened by the time
//                                                           that the last step went too far.
#include <math.h>

#include "core/timer.h"
#include "sim/sim.h"

#define SLACK 1e-9  // [s] less than this is rounding error

// [s] Expected duration of the next step, from the last ones; 0 if there are none. The median,
// because now and then a step is slow (grains that rebuild their neighbour lists) and must not
// affect the frames after it. On a device the mean: it delivers steps in batches, the first after a
// wait and the others at once.
static double expected_seconds(const firn_sim* sim)
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

// A step that is rolled back counts: it takes time and moves the simulation backwards.
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
        if (wall > 0 && done->steps > 0 && spent + expected_seconds(sim) > wall) break;
        r = timed_step(sim);
        done->steps += r == FIRN_OK;
    }
    done->simulated = sim->time - first;
    done->wall = firn_seconds() - start;
    return r;
}

firn_result firn_sim_advance_by(firn_sim* sim, double seconds, double wall, firn_advance* out_done)
{
    if (!firn_sim_begin(sim)) return firn_call_null(__func__);
    if (!(seconds >= 0) || !isfinite(seconds) || !(wall >= 0) || !isfinite(wall))
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "firn_sim_advance_by: %g s in a budget of %g s; both must be finite and "
                         "at least 0",
                         seconds, wall);
    const double goal = sim->carry + seconds;
    firn_advance done = {0};
    const firn_result r = advance(sim, goal, wall, &done);
    const double left = goal - done.simulated;
    sim->carry = 0;
    if (left > SLACK)
        done.behind = left;
    else
        sim->carry = left < 0 ? left : 0;  // what is left within SLACK is no time to go back
    if (out_done != NULL) *out_done = done;
    return r;
}
