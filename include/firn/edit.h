// SPDX-License-Identifier: MIT
// Edits of a running simulation, between steps: its whole state as a block of bytes.
//
//     size_t size;
//     firn_sim_save(sim, NULL, 0, &size);          // how large it is now
//     void* save = malloc(size);
//     firn_sim_save(sim, save, size, &size);       // into the save file of a game
//     firn_sim_restore(sim, save, size);           // this simulation, or another of the same scene
#pragma once
#include "firn/defs.h"
#include "firn/export.h"
#include "firn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- save and restore in memory -----------------------------------------------------------------

// Copy the state of a simulation to `block`: particles, the solver's own state, what the caller has
// changed, time and step, loads. A simulation that is restored from it computes the same as this
// one, bit for bit. `out_size`: bytes written, or, with a null block, bytes needed; that changes
// with the number of particles. The block has a checksum and may go into a file; it is for this
// version, precision and byte order.
// FIRN_REFUSED_ARGUMENT: a null pointer, or `capacity` is too small.
FIRN_API firn_result firn_sim_save(firn_sim* sim, void* block, size_t capacity, size_t* out_size);
// Return to a state that firn_sim_save copied from this simulation or from another one that was
// created from the same scene, by any number of threads, on any backend. Every value is checked.
// FIRN_REFUSED_SCENE: the block is of another scene or solver. FIRN_REFUSED_ARGUMENT: of another
// precision or version, more particles than particles_max, no memory. FIRN_REFUSED_DAMAGED:
// checksum, structure or a value is wrong. The simulation is as before.
FIRN_API firn_result firn_sim_restore(firn_sim* sim, const void* block, size_t size);

#ifdef __cplusplus
}
#endif
