// SPDX-License-Identifier: MIT
// The parts of step 0 that a rank's share of a simulation has in common with a whole one.
#pragma once
#include "solver/mpm/mpm_state.h"

// Finds base.max_speed and max_sound; returns the first particle whose velocity is not finite.
firn_local firn_mpm_measure_now(firn_mpm* m);
// Sets `implicit` by the integrator. True: a choice is due (firn_mpm_choose_now).
bool firn_mpm_begin_choice(firn_mpm* m);
double firn_mpm_choose_dt(const firn_mpm* m);
// Sorts the particles and activates the grid. *out_lost: the first particle that the grid cannot
// hold, or the number of particles.
firn_result firn_mpm_sort(firn_mpm* m, firn_local* out_lost);
// Reserves arrays for the grid. FIRN_BROKEN_MEMORY.
firn_result firn_mpm_make_room(firn_mpm* m);
// Fails for want of memory for the grid.
firn_result firn_mpm_no_memory(const firn_mpm* m, firn_error* error);
