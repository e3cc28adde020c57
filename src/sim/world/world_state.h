// SPDX-License-Identifier: MIT
// Which colliders and emitters there are, as a part of the state in memory (sim/edit). The
// definitions of those that were added stay with the simulation: slots are never used again.
#pragma once
#include "sim/sim.h"

size_t firn_world_size(const firn_sim* sim);
void firn_world_save(const firn_sim* sim, char* block);
// Removed ones are there again, and those that were added since are removed; call
// firn_sim_colliders_changed afterwards. FIRN_REFUSED_SCENE: the block has more than the
// simulation. FIRN_REFUSED_DAMAGED. In both cases nothing is changed.
firn_result firn_world_restore(firn_sim* sim, const char* block, size_t size, firn_error* error);
