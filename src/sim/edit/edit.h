// SPDX-License-Identifier: MIT
// What the functions of firn/edit.h share.
#pragma once
#include "sim/sim.h"

// The call may change the state now: not null, not broken; particles are on the host.
firn_result firn_sim_edit_begin(firn_sim* sim, const char* function);
// Refuses `count` particles if they are more than the simulation was created for.
firn_result firn_sim_check_room(const firn_sim* sim, int64_t count, firn_error* error);
// Particles have come or gone, or the state was replaced: the next step begins with a snapshot, so
// that a rollback returns to this state.
void firn_sim_edited(firn_sim* sim);
