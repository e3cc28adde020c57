// SPDX-License-Identifier: MIT
// Where the cuts between ranks are: for the blocks of all ranks, by the work in each.
#pragma once
#include "solver/mpm/mpm_state.h"

// On all ranks: new cuts for their particles, wherever these are.
firn_result firn_mpm_cut_particles(firn_mpm* mine, firn_error* error);
// On all ranks, after a step: new cuts where some rank has much more to do than others.
firn_result firn_mpm_balance(firn_mpm* mine, firn_error* error);
