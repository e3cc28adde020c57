// SPDX-License-Identifier: MIT
// What the caller has changed interactively: colliders that it moves, temperature, gravity and
// wind. Part of the state: checkpoints store it after the solver's block; a rollback does not
// change it. The solver's own block holds dynamic colliders.
#pragma once
#include "sim/sim.h"

size_t firn_play_size(const firn_sim* sim);  // 0: nothing has been changed
void firn_play_save(const firn_sim* sim, void* block);
// The caller moves no collider any more.
void firn_play_release(firn_sim* sim);
// FIRN_REFUSED_DAMAGED: the block does not match this scene; nothing is changed.
firn_result firn_play_restore(firn_sim* sim, const void* block, size_t size, firn_error* error);
