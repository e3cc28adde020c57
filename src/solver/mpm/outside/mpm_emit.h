// SPDX-License-Identifier: MIT
// Particles of emitters (scene/run/flakes.h): they appear behind the others at the start of a step.
#pragma once
#include "solver/mpm/mpm_state.h"

// Adds the particles that are due at base.time, with their own ids.
firn_result firn_mpm_emit(firn_mpm* m, firn_error* error);

// Finds m->next_id where a checkpoint did not say it.
void firn_mpm_find_next_id(firn_mpm* m);

// The fields of particles that emitters give.
void firn_mpm_emission_add_fields(firn_solver_base* base);
// firn_solver.emitter_added
firn_result firn_mpm_emitter_added(void* self, firn_error* error);

// State of the emitters in checkpoints: the next id, then how many particles each has given. None
// in a scene without emitters.
size_t firn_mpm_emission_size(const firn_mpm* m);
void firn_mpm_emission_save(const firn_mpm* m, void* block);
// Checks the rest of a block of `size` bytes: the emitters' state, then that of dynamic colliders.
// Emitters that were added since may be missing; *out_emitters: how many are not.
// FIRN_REFUSED_DAMAGED.
firn_result firn_mpm_emission_check(const firn_mpm* m, const void* block, size_t size,
                                    size_t* out_emitters, firn_error* error);
// Takes a block that was checked; returns the bytes it has used.
size_t firn_mpm_emission_restore(firn_mpm* m, const void* block, size_t emitters);
