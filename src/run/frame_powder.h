// SPDX-License-Identifier: MIT
// The powder of a simulation in its frames: points behind those of the snow, with the field
// `powder` that tells them.
#pragma once
#include "output/frame/frame.h"
#include "sim/sim.h"

// Replaces the arrays of a frame that was borrowed from `sim` by longer ones with the powder;
// `owned`: them, freed by firn_frame_powder_end. Nothing in a scene without powder.
// FIRN_BROKEN_MEMORY: nothing is changed.
firn_result firn_frame_powder_join(const firn_sim* sim, firn_frame* frame,
                                   void* owned[FIRN_FRAME_FIELD_COUNT]);
void firn_frame_powder_end(void* owned[FIRN_FRAME_FIELD_COUNT]);
// [bytes] that joining takes.
size_t firn_frame_powder_bytes(const firn_sim* sim);
