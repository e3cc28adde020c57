// SPDX-License-Identifier: MIT
// What is behind firn.h: a simulation owns its scene, solver, snapshot and writers. No physics
// here.
#pragma once
#include <stdatomic.h>

#include "firn/firn.h"
#include "firn/play.h"
#include "output/run/manifest.h"
#include "output/run/stats.h"
#include "solver/solver.h"
#include "state/snapshot.h"

#define FIRN_STEPS_TIMED 8       // steps whose cost tells what the next one will cost
#define FIRN_COOKIE 0x6669726eu  // "firn"

struct firn_scene {
    firn_scene_data data;
    firn_diagnostics diagnostics;  // of the last load, set or check
    char* messages;                // owned; their text
};

struct firn_sim {
    firn_scene_data scene;  // own copy
    const firn_solver* solver;
    void* self;  // of the solver
    int threads;
    int device;        // as firn_device_open gives it
    char backend[32];  // "cpu", "cuda:0"
    char device_name[128];
    const char* simd;  // static
    firn_log log;
    firn_progress_fn progress;
    void* user;
    char* output_dir;  // owned; null: nothing is written
    bool resume, overwrite;
    int64_t frame_end;

    int64_t frame, step;  // completed
    double time;          // [s]
    double dt_scale;      // 1, or less after a rollback
    int64_t rollbacks, rollbacks_in_frame;
    int64_t culled;  // particles removed since the start of the simulation
    bool broken;
    atomic_bool cancelled;

    bool has_snapshot;       // of the start of the frame
    firn_snapshot snapshot;  // unused where the solver keeps its own on a device
    void* snapshot_extra;    // owned
    size_t extra_size;
    double snapshot_time;
    int64_t snapshot_step, snapshot_culled;

    // sim_advance_by.c
    double carry;  // [s] asked for and not simulated yet; below 0: the last step went beyond
    double step_wall[FIRN_STEPS_TIMED];  // [s] that the last steps took, on the wall clock
    int64_t steps_timed;                 // since creation; the places of step_wall go round
    bool weather_set;                    // the caller has set the temperature (sim_weather.c)
    firn_step_report last;
    double stage_seconds[FIRN_STAGES_MAX];  // since creation
    bool keep_rows;                         // a run collects the rows of stats.csv
    firn_step_report* rows;                 // owned; steps of the frame being computed
    firn_local row_count, row_capacity;
    firn_error error;
};

// The table that the scene parser is given: sim knows the solvers, the parser does not.
const firn_scene_solver* firn_sim_solver_table(size_t* out_count);

static inline firn_local firn_sim_count(const firn_sim* sim)
{
    return sim->solver->count(sim->self);
}

// [m] What frames, pictures and exports call a cell: the edge of a cube that holds about eight
// particles. A solver with one particle a cell has eight in two.
static inline double firn_sim_cell(const firn_sim* sim)
{
    return sim->solver->estimate(&sim->scene).cell * (sim->solver->lattice ? 2 : 1);
}

// The snapshot copies all fields: where particles come or vanish, constants could not be found
// again.
static inline bool firn_sim_copies_all(const firn_sim* sim)
{
    return sim->scene.cull.active || sim->scene.emitter_count > 0;
}

// The particles live on a device: see solver.h.
static inline bool firn_sim_remote(const firn_sim* sim)
{
    return sim->solver->remote != NULL && sim->solver->remote(sim->self);
}

// sim_read.c: makes the host's arrays of particles what the state is; before they are read. The
// failure's sentence is firn_sim_error's.
firn_result firn_sim_fetch(const firn_sim* sim);

// sim_advance.c: one step towards the next frame time; rolls back when it diverges.
firn_result firn_sim_advance(firn_sim* sim);
// Takes the snapshot that a rollback returns to.
firn_result firn_sim_take_snapshot(firn_sim* sim);

// sim_bodies.c: tells the solver that bodies or the weather have changed; a failure breaks the
// simulation.
firn_result firn_sim_bodies_changed(firn_sim* sim);
// sim_weather.c: sets the temperature of air and bodies; refuses nothing.
firn_result firn_sim_change_weather(firn_sim* sim, double celsius);

// scene_paths.c: the file behind a path or a shipped scene's name; owned by the caller.
firn_result firn_scene_resolve(const char* path_or_name, char** out_path, firn_error* error);
