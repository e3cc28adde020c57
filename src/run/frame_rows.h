// SPDX-License-Identifier: MIT
// Frames and checkpoints of particles that are on several ranks: read in rows while they are
// written (state/particle_rows.h), so that rank 0 never has all of them. Arrays as a whole are read
// for the picture only: positions and what colours it.
#pragma once
#include "output/frame/frame.h"
#include "sim/sim.h"

// Whether this run's frames are written from rows. False: the particles are here, or a format
// needs them as arrays.
bool firn_frame_rows_suffice(const firn_sim* sim);
// Opens the rows; where `rows` is false, or a value is not finite, fetches the particles and checks
// them. *out_reads: whether the rows are open; then call firn_frame_rows_close.
firn_result firn_frame_rows_open(firn_sim* sim, bool rows, firn_particle_rows* out_rows,
                                 bool* out_reads);
void firn_frame_rows_close(firn_sim* sim);
// A frame of all fields that the rows have. `loaded`: owned arrays of those that pictures need;
// free them with firn_frame_rows_unload.
firn_result firn_frame_rows_take(firn_sim* sim, const firn_particle_rows* rows,
                                 firn_frame* out_frame, void* loaded[FIRN_FRAME_FIELD_COUNT]);
void firn_frame_rows_unload(void* loaded[FIRN_FRAME_FIELD_COUNT]);
