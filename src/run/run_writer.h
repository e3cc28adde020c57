// SPDX-License-Identifier: MIT
// Writes frames while the simulation goes on. The run's thread takes a copy of a frame and hands it
// over; threads of lower priority write the files of several frames at once, and publish them in
// their order: whoever finishes the oldest, together with those after it that are finished.
//
//     run       step step  take 4 ── step step  take 5 ── step step  take 6 ──
//     thread 1  ══ files 3 ══╪publish 3╪ files 5 ════════╪ files 6 ═══════════
//     thread 2               ╪══ files 4 ═══════════════════╪publish 4, 5╪ files 7 ══
//
// What is on disk is always what a run has that writes frame after frame, as of some frames before:
// a frame exists when it is published, and after one that failed none is.
#pragma once
#include "run/run_frame.h"

typedef struct firn_run_writer firn_run_writer;

// Null: not worth it (on the CPU with few threads), or no memory: write in place.
firn_run_writer* firn_run_writer_create(firn_run_folder* folder);
// Waits for all frames; null is fine.
void firn_run_writer_destroy(firn_run_writer* writer);

// A frame to be taken with a copy. Null: the oldest must be awaited first, or, if there is none in
// flight, memory is too short for a copy (firn_run_frame_bytes): write in place.
firn_run_frame* firn_run_writer_room(firn_run_writer* writer);
// Gives back a frame that could not be taken.
void firn_run_writer_decline(firn_run_writer* writer, firn_run_frame* frame);
// Has it written.
void firn_run_writer_submit(firn_run_writer* writer, firn_run_frame* frame);
// Whether a large checkpoint is being written: another one now would make the next frames wait for
// the disk.
bool firn_run_writer_is_saving(const firn_run_writer* writer);
// Which checkpoints are large [bytes]: by default from 64 MB on. For tests.
void firn_run_writer_set_large(firn_run_writer* writer, size_t bytes);
// The oldest frame that was submitted, when it is published or has failed. Null: none is in flight,
// or not yet; with `wait` only the former. Then release it.
firn_run_frame* firn_run_writer_take(firn_run_writer* writer, bool wait);
void firn_run_writer_release(firn_run_writer* writer, firn_run_frame* frame);
