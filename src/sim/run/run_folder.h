// SPDX-License-Identifier: MIT
// A run's folder: what lies where, beginning, resuming, and writing a frame.
//
//     DIR/scene.yaml            the scene as it was run (after variant and --set)
//     DIR/manifest.json         frames and checkpoints with sizes and checksums
//     DIR/stats.csv             one row per step
//     DIR/NAME.mp4              the film
//     DIR/NAME.sheet.png        twelve of its pictures on one
//     DIR/frames/NAME.0001.hdf    DIR/state/NAME.0001.h5    DIR/preview/NAME.0001.png
//     DIR/ply/NAME.0001.ply    DIR/vtp/NAME.0001.vtp with DIR/NAME.pvd    DIR/vdb/NAME.0001.vdb
#pragma once
#include "output/run/run_lock.h"
#include "sim/sim.h"

typedef struct firn_run_folder {
    firn_sim* sim;  // borrowed
    firn_run_lock lock;
    firn_manifest manifest;
    firn_stats* stats;        // owned; null: not wanted
    char preview_path[1200];  // of the last frame; "" when there is none
} firn_run_folder;

// New run, or the continuation of one (sim->resume): afterwards the simulation stands at the frame
// or step where it goes on. Refused when a run is already there and neither resume nor overwrite is
// set, or when another run is being written there.
firn_result firn_run_folder_open(firn_run_folder* folder, firn_sim* sim);
// Frame, pictures, other formats, checkpoint when it is due, then the manifest: in this order.
firn_result firn_run_folder_write_frame(firn_run_folder* folder);
// The state as it is, also in the middle of a frame.
firn_result firn_run_folder_checkpoint(firn_run_folder* folder);
// Film and the mark that the run is complete.
firn_result firn_run_folder_finish(firn_run_folder* folder);
void firn_run_folder_close(firn_run_folder* folder);

// run_resume.c: restores the newest good checkpoint into the simulation.
firn_result firn_run_folder_restore(firn_run_folder* folder);
// run_clear.c: removes the files of an earlier run, and only those.
firn_result firn_run_folder_clear(const char* dir, const char* name, firn_error* error);
// Extra block of a checkpoint: what sim and solver need beside the particles.
typedef struct firn_run_extra {
    double dt_scale;
    int64_t rollbacks, culled;
} firn_run_extra;
