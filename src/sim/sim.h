// SPDX-License-Identifier: MIT
// Implementation of firn/sim.h: a simulation owns its scene, solver and snapshot. It contains no
// physics and writes no files; src/run does.
#pragma once
#include <stdatomic.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "firn/firn.h"
#include "firn/play.h"
#include "scene/data/scene.h"
#include "scene/parse/diagnostics.h"
#include "scene/parse/keys.h"
#include "solver/solver.h"
#include "state/snapshot.h"

#define FIRN_STEPS_TIMED 8  // steps that predict the duration of the next one
// Smallest dt_scale: a simulation that needs even shorter steps has diverged, and a checkpoint that
// says so is damaged.
#define FIRN_DT_SCALE_MIN 0x1p-24

// What colliders took from the snow in some time.
typedef struct firn_load_sum {
    firn_collider_load* each;  // [load_count] `about` is that of the last step
    double seconds;            // [s]; 0: there was none
} firn_load_sum;

typedef struct firn_edit_fields firn_edit_fields;  // edit/field_edit.c

// Ids of the particles of a snow body that was added: first_id and on.
typedef struct firn_added_snow {
    uint32_t first_id, count;
} firn_added_snow;

struct firn_scene {
    firn_scene_data data;
    uint32_t owner;                // of its ids (sim_ids.h); a new one when a scene is loaded
    firn_diagnostics diagnostics;  // of the last load, set or check
    char* messages;                // owned; the diagnostics as text
    uint64_t memory_cap;           // [bytes] for firn_scene_check; 0: none
    char backend[24];              // for firn_scene_check; "": the CPU
    int32_t ranks;                 // for firn_scene_check; 0 or 1: one process
    int threads;                   // of its calls; 0: as they say, or all cores
    firn_jobs jobs;                // run: null: own threads
};

struct firn_sim {
    firn_memory_budget* memory;  // owned; what create, steps and run allocate counts against it
    uint64_t memory_cap;         // [bytes] of it; 0: none
    firn_team* team;             // owned; the threads of create, steps and run
    firn_scene_data scene;       // own copy
    uint32_t owner;              // of its ids: that of the scene it was created from
    const firn_solver* solver;
    void* self;  // the solver's object
    int threads;
    int device;        // from firn_device_open
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
    firn_comm* comm;  // borrowed; null: one process
    bool has_ranks;   // the other ranks have their shares (sim_ranks.c)

    // edit/
    int64_t particles_max;   // as in firn_sim_def
    bool edited;             // ids are not 0 to count - 1: snapshots copy all fields
    double cell;             // [m] of seeds, as the solver chose it for the scene
    uint32_t next_id;        // ids of particles that are added are not below it
    firn_added_snow* added;  // owned [added_count]: snow bodies that were added
    firn_local added_count, added_capacity;
    firn_edit_fields* edit_fields;  // owned; null: no field was opened for writing

    bool has_snapshot;       // of the start of the frame
    firn_snapshot snapshot;  // unused if the solver has its own on a device
    void* snapshot_extra;    // owned
    size_t extra_size;
    double snapshot_time;
    int64_t snapshot_step, snapshot_culled;
    firn_local snapshot_rows;  // of stats.csv that belong to the frame

    // sim_loads.c
    firn_local load_count;                    // colliders
    firn_load_sum load_step, load_frame;      // of the last step; of the last whole frame
    firn_load_sum load_since, load_snapshot;  // since the last frame; at the snapshot
    firn_collider_load* load_memory;          // owned: all of these

    // sim_advance_by.c
    double carry;  // [s] <= 0: the last step of the previous call went this far beyond its goal
    double step_wall[FIRN_STEPS_TIMED];  // [s] duration of the last steps, ring buffer
    int64_t steps_timed;                 // since creation
    bool weather_set;                    // the caller has set the temperature (sim_weather.c)
    bool gravity_set, wind_set;          // the caller has set them (world/world_air.c)
    int32_t gravity_keys;                // the scene's own key frames of gravity
    int32_t air_keys;                    // the scene's own key frames of the air's temperature
    firn_step_report last;
    double stage_seconds[FIRN_STAGES_MAX];  // since creation
    bool keep_rows;                         // collect rows for stats.csv
    firn_step_report* rows;                 // owned; steps of the current frame
    firn_local row_count, row_capacity;
    firn_collider_load* row_loads;  // owned [row_count][load_count]
    firn_local row_load_capacity;
    struct firn_query* query;  // owned; null: no query yet (query/query.h)
    uint64_t edits;            // how often particles were changed other than by steps
    firn_error error;
};

static inline firn_local firn_sim_count(const firn_sim* sim)
{
    return sim->solver->count(sim->self);
}

// [m] The cell of frames, pictures and exports: the edge of a cube that holds about eight
// particles. Solvers with a lattice have one particle per cell, so theirs is twice as large.
static inline double firn_sim_cell(const firn_sim* sim)
{
    return sim->solver->estimate(&sim->scene).cell * (sim->solver->lattice ? 2 : 1);
}

// True if snapshots must copy all fields: where particles appear or vanish, constant fields could
// not be restored from the current particles.
static inline bool firn_sim_copies_all(const firn_sim* sim)
{
    return sim->scene.cull.active || sim->scene.emitter_count > 0 || sim->edited;
}

// True if the particles live on a device: see solver.h.
static inline bool firn_sim_remote(const firn_sim* sim)
{
    return sim->solver->remote != NULL && sim->solver->remote(sim->self);
}

// sim_read.c: a call of the public interface begins: the message of an earlier failure goes. False:
// `sim` is null.
bool firn_sim_begin(const firn_sim* sim);
// Finds a particle field as firn_sim_field does, without a message for one that does not exist.
firn_result firn_sim_find_field(const firn_sim* sim, const char* name, firn_field_view* out_view);
// Finds a particle field without copying it from its device. FIRN_REFUSED_NAME: firn_sim_error says
// which name may be meant.
firn_result firn_sim_locate_field(const firn_sim* sim, const char* name,
                                  const firn_field** out_field);
// Copies the particles from the device to the host; call it before reading them. On
// failure firn_sim_error has the message.
firn_result firn_sim_fetch(const firn_sim* sim);

// Checks that all values of the particles on the host are finite. FIRN_BROKEN_DIVERGED:
// firn_sim_error names step, particle, position, material and field.
firn_result firn_sim_check_values(firn_sim* sim);

// sim_advance.c: does one step towards the next frame time; rolls back if it diverges.
firn_result firn_sim_advance(firn_sim* sim);
// Takes the snapshot that a rollback returns to.
firn_result firn_sim_take_snapshot(firn_sim* sim);

// sim_create.c: the particles of a scene for its solver; with several ranks, this one's part.
firn_result firn_sim_seed(const firn_scene_data* scene, double cell, firn_comm* comm,
                          firn_seeds* out_seeds, firn_error* error);

// sim_ranks.c, on rank 0. Before the scene is filled: the other ranks do it, too.
firn_result firn_sim_ranks_begin(firn_sim* sim, firn_error* error);
// After it: FIRN_OK if it is on all ranks.
firn_result firn_sim_ranks_settle(firn_sim* sim, firn_result result, firn_error* error);
// Before the solver is destroyed.
void firn_sim_ranks_end(firn_sim* sim);

// sim_loads.c: sums of the loads on colliders. The solver exists.
firn_result firn_sim_loads_create(firn_sim* sim, firn_error* error);
// The same after a collider was added to the solver: other loads stay. FIRN_BROKEN_MEMORY: nothing
// is changed.
firn_result firn_sim_loads_grow(firn_sim* sim, firn_error* error);
// Sets all loads on a collider to zero.
void firn_sim_loads_forget(firn_sim* sim, firn_local collider);
// Adds a step that is done.
void firn_sim_loads_add(firn_sim* sim, double dt);
// The frame is done.
void firn_sim_loads_end_frame(firn_sim* sim);
// With a snapshot, and with a rollback to it.
void firn_sim_loads_save(firn_sim* sim);
void firn_sim_loads_restore(firn_sim* sim);

// edit/edit.c: frees what edits own.
void firn_sim_edit_destroy(firn_sim* sim);

// sim_colliders.c: notifies the solver that colliders, temperature, gravity or wind have changed; a
// failure breaks the simulation.
firn_result firn_sim_colliders_changed(firn_sim* sim);
// sim_weather.c: sets the temperature of air and colliders without checking it.
bool firn_sim_temperature_is_valid(double celsius);
firn_result firn_sim_change_weather(firn_sim* sim, double celsius);

// scene_paths.c: finds the file of a path or of a shipped scene's name; out_path: owned by the
// caller.
firn_result firn_scene_resolve(const char* path_or_name, char** out_path, firn_error* error);
