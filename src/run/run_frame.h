// SPDX-License-Identifier: MIT
// One frame of a run: what is written of it, in all formats that the scene requests.
//
//     take      on the run's thread, between two steps: the particles or a copy of them, rows,
//     poses write     on any thread: frame, other formats, checkpoint, picture; their checksums
//     publish   in the order of frames (run_folder.h): rows and manifest
//
// With a copy, the simulation may go on while a frame is written (run_writer.h).
#pragma once
#include "output/frame/frame.h"
#include "run/frame_drawing.h"
#include "run/frame_keys.h"
#include "run/run_folder.h"

#define FIRN_RUN_FILES 6  // at most, of one frame: frame, PLY, VTP, VDB, picture, checkpoint

struct firn_run_frame {
    firn_run_folder* folder;  // borrowed; until it is published only what a run does not change
    firn_progress progress;   // of the time when it was taken, with frame_done
    firn_frame whole;         // with all fields; density and bodies owned
    firn_real* density;       // owned
    firn_local density_capacity;
    void* joined[FIRN_FRAME_FIELD_COUNT];  // owned; arrays of `whole` with powder
    const firn_particles* particles;       // the simulation's, or `copy`
    bool reads;                            // they are read from `ranks` while they are written
    firn_particle_rows ranks;
    void* loaded[FIRN_FRAME_FIELD_COUNT];  // owned; arrays of `whole` that were read
    firn_particles copy;                   // owned
    bool checkpoint;                       // one is written
    char* extra;                           // owned; state besides the particles, for the checkpoint
    size_t extra_size;
    firn_step_report* rows;         // owned; for stats.csv
    firn_collider_load* row_loads;  // owned
    firn_local row_count;
    firn_manifest_entry files[FIRN_RUN_FILES];  // those that were written
    int file_count;
    firn_manifest_entry replaced;  // checkpoint of the same frame, of another name; "": none
    char* preview;                 // owned; path of the picture; null: none
    firn_frame_keys keys;          // for the picture
    firn_frame_drawing drawing;
    firn_result result;  // of write and publish
    firn_error error;
};

firn_frame_info firn_run_frame_info(const firn_sim* sim);
firn_progress firn_run_progress(const firn_sim* sim);  // of a frame that is done
// [bytes] that a copy of the particles takes.
size_t firn_run_frame_bytes(const firn_sim* sim);
// How a frame is taken.
typedef struct firn_run_take {
    bool copies;  // particles: all fields for a checkpoint, otherwise those that are written
    bool skips;   // a checkpoint that is due, except that of the last frame
} firn_run_take;

// Takes the current frame. The memory of a copy is used again where `frame` has been taken before.
// Zeroed to begin with. On failure the message is the simulation's. Call end in any case.
firn_result firn_run_frame_take(firn_run_folder* folder, firn_run_take how, firn_run_frame* frame);
// Writes all files but the manifest; other cores draw the picture meanwhile where `beside` is true.
// Sets result and error.
void firn_run_frame_write(firn_run_frame* frame, bool beside);
// Ends what was taken; the memory of the copy is kept.
void firn_run_frame_end(firn_run_frame* frame);
void firn_run_frame_destroy(firn_run_frame* frame);  // zeroed is fine
