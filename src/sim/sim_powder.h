// SPDX-License-Identifier: MIT
// The powder of a simulation beside its particles (solver/shared/powder/powder.h): snapshots, and
// its part of saved states. Without powder all functions do nothing.
#pragma once
#include "sim/sim.h"
#include "solver/shared/powder/powder.h"

// Null: there is none.
static inline firn_powder* firn_sim_powder(const firn_sim* sim)
{
    return sim->solver->powder != NULL ? sim->solver->powder(sim->self) : NULL;
}

// It comes last in a saved block: the powder, then its size, so that what is before it is found
// from the end. Bytes of both; 0 without powder.
size_t firn_sim_powder_size(const firn_sim* sim);
void firn_sim_powder_save(const firn_sim* sim, char* block);
// Splits a block of `size` bytes. FIRN_REFUSED_DAMAGED: it has no powder although the simulation
// has.
firn_result firn_sim_powder_split(const firn_sim* sim, const char* block, size_t size,
                                  size_t* out_before, firn_error* error);
// `block`: the part behind out_before, of size - out_before bytes.
firn_result firn_sim_powder_restore(firn_sim* sim, const char* block, size_t size,
                                    firn_error* error);
