// SPDX-License-Identifier: MIT
// What the caller has changed by hand: bodies that it moves, the weather. It is part of the state:
// checkpoints keep it behind the solver's block, and a rollback leaves it as it is. Free bodies are
// the solver's, in its own block.
#pragma once
#include "sim/sim.h"

size_t firn_play_size(const firn_sim* sim);  // 0: nothing has been changed
void firn_play_save(const firn_sim* sim, void* block);
// FIRN_REFUSED_DAMAGED: the block is not one of this scene; nothing is changed.
firn_result firn_play_restore(firn_sim* sim, const void* block, size_t size, firn_error* error);
