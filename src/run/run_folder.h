// SPDX-License-Identifier: MIT
// The folder of a run: its layout, starting, resuming, and writing a frame.
//
//     DIR/scene.yaml            the scene as it was run (after variant and --set)
//     DIR/manifest.json         all files but these three, with sizes and checksums
//     DIR/stats.csv             one row per step
//     DIR/NAME.mp4              the film
//     DIR/NAME.sheet.png        contact sheet of twelve pictures
//     DIR/frames/NAME.0001.hdf    DIR/state/NAME.0001.h5    DIR/preview/NAME.0001.png
//     DIR/ply/NAME.0001.ply    DIR/vtp/NAME.0001.vtp with DIR/NAME.pvd    DIR/vdb/NAME.0001.vdb
//     DIR/start/0.MATERIAL.ply  the snow that firn_scene_start_from has taken from another run
#pragma once
#include "core/paths.h"
#include "output/run/manifest.h"
#include "output/run/run_lock.h"
#include "output/run/stats.h"
#include "sim/sim.h"

#define FIRN_RUN_START "start"
#define FIRN_FRAMES_IN_FLIGHT 8  // that are written at once, and published at once, at most

typedef struct firn_run_frame firn_run_frame;  // run_frame.h

typedef struct firn_run_folder {
    firn_sim* sim;  // borrowed
    firn_run_lock lock;
    firn_manifest manifest;
    firn_stats* stats;           // owned; null: not requested
    char stem[FIRN_STEM_BYTES];  // NAME
} firn_run_folder;
// Folders below DIR that a run, an export or a render makes; null-terminated.
extern const char* const firn_run_folders[];

// Starts a run, or resumes one (sim->resume) and sets the simulation to the frame or step of its
// checkpoint. Refused if the folder contains a run and neither resume nor overwrite is set, or if
// another process is writing there.
firn_result firn_run_folder_open(firn_run_folder* folder, firn_sim* sim);
// Adds frames whose files are written, in their order, to statistics and manifest, and removes
// checkpoints that are too old: the frames exist from now on. Ends at the first that failed or
// fails here, whose result and error are set; where the manifest cannot be written, those of all.
void firn_run_folder_publish(firn_run_folder* folder, firn_run_frame* const* frames, int count);
// Writes the current state, also in the middle of a frame.
firn_result firn_run_folder_checkpoint(firn_run_folder* folder);
// Removes checkpoints before the last ones that output.checkpoint.keep asks for, and after the
// current frame.
firn_result firn_run_folder_drop_checkpoints(firn_run_folder* folder);
// Makes the film and marks the run as complete.
firn_result firn_run_folder_finish(firn_run_folder* folder);
void firn_run_folder_close(firn_run_folder* folder);

// run_resume.c: restores the newest valid checkpoint.
firn_result firn_run_folder_restore(firn_run_folder* folder);
// run_clear.c: removes the files of an earlier run, which `manifest` lists; not the manifest
// itself.
firn_result firn_run_folder_clear(firn_run_folder* folder);
// run_start.c: lists the files in FIRN_RUN_START that the scene's snow comes from.
firn_result firn_run_folder_list_start(firn_run_folder* folder);
// Removes those that the manifest does not list: of a scene that the folder's run is not of.
void firn_run_folder_drop_start(const firn_run_folder* folder);
// Whether `file`, relative to the run's folder, is one of them.
bool firn_run_folder_starts_from(const firn_sim* sim, const char* file);
// Extra block of a checkpoint: the state of sim and solver besides the particles.
typedef struct firn_run_extra {
    double dt_scale;
    int64_t rollbacks, culled;
} firn_run_extra;
// The state of sim and solver besides the particles; owned by the caller. Null: out of memory.
char* firn_run_extra_take(firn_sim* sim, size_t* out_size);
