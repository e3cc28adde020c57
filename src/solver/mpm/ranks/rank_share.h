// SPDX-License-Identifier: MIT
// Shares of a simulation, and the whole that rank 0 gathers from them.
#pragma once
#include "solver/mpm/mpm_state.h"

// A share with the particles of `seeds`, this rank's part of them; null: without any.
// FIRN_BROKEN_MEMORY.
firn_result firn_mpm_share_create(const firn_scene_data* scene, const firn_seeds* seeds,
                                  const firn_solver_args* args, firn_mpm** out_mine,
                                  firn_error* error);
void firn_mpm_share_destroy(firn_mpm* mine);

// On all ranks: rank 0 gets all particles in the order of one process; `all` is null elsewhere.
firn_result firn_mpm_share_gather(firn_mpm* mine, firn_particles* all, firn_error* error);
