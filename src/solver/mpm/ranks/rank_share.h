// SPDX-License-Identifier: MIT
// The whole and its shares: all particles to rank 0's share and back from all of them, and where
// the cuts between ranks are.
#pragma once
#include "solver/mpm/mpm_state.h"

typedef struct firn_comm firn_comm;

// A share without particles. FIRN_BROKEN_MEMORY.
firn_result firn_mpm_share_create(const firn_scene_data* scene, const firn_solver_args* args,
                                  firn_mpm** out_mine, firn_error* error);
void firn_mpm_share_destroy(firn_mpm* mine);

// On all ranks: makes cuts for all particles, which rank 0 has in the order of one process, and
// gives each rank those of its blocks; `all` is null elsewhere.
firn_result firn_mpm_share_scatter(firn_mpm* mine, const firn_particles* all, firn_error* error);
// On all ranks: rank 0 gets all particles in the order of one process; `all` is null elsewhere.
firn_result firn_mpm_share_gather(firn_mpm* mine, firn_particles* all, firn_error* error);
// On all ranks, after a step: makes new cuts where some rank has much more to do than others.
firn_result firn_mpm_share_balance(firn_mpm* mine, firn_error* error);
