// SPDX-License-Identifier: MIT
// Where the cuts between ranks are: for the blocks of all ranks, by the work in each.
#pragma once
#include "solver/mpm/mpm_state.h"

// On all ranks: new cuts for their particles, wherever these are.
firn_result firn_mpm_cut_particles(firn_mpm* mine, firn_error* error);
// On all ranks, after a step: new cuts where some rank takes much longer than others, by the time
// that was measured (rank_work.h), if that pays within as many steps as were done since.
firn_result firn_mpm_balance(firn_mpm* mine, firn_error* error);
// The particles have moved to their ranks, in so many seconds: this may be due to new cuts.
void firn_mpm_balance_moved(firn_mpm* mine, double seconds);
