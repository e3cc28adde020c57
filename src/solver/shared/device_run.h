// SPDX-License-Identifier: MIT
// Steps for `sim`, one at a time, out of batches that a device computes ahead. The state that the
// caller sees is always that after the last step it received, even if the device is ahead.
//
// clang-format off
//     caller   step   step   step   fetch       the device is ahead of the caller: it rolls back to
//     device   1 2 3 4 5 6 7 8 ...              the snapshot and replays the steps that the caller
//                                               has seen, which gives the same bits
// clang-format on
//
// A batch ends where a frame ends, and the snapshot taken there is what a fetch then reads. So only
// interrupted runs and callers who fetch within a frame replay; after the first such fetch, batches
// are single steps until the frame ends.
#pragma once
#include "solver/shared/cuda_sim.h"
#include "solver/shared/fault.h"
#include "solver/solver.h"

typedef struct firn_device_run firn_device_run;

// Host side of a solver on a device. `self` is the solver's struct, which begins with a base.
typedef struct firn_device_solver {
    int batch_max;       // most steps of a batch
    size_t record_size;  // of its records, which begin with a firn_device_record
    // Creates the device side, with the capacity in `def`.
    firn_result (*create)(void* self, const firn_cuda_def* def, firn_device_sim** out_sim,
                          firn_error* error);
    // How many particles the solver adds by itself up to `time` [s], from the state of the last
    // step that the caller received on. Null: none.
    int64_t (*arrivals)(const void* self, double time);
    // Whether the host takes something from the device after each batch, so that none may follow by
    // itself. Null: it never does.
    bool (*in_turns)(const void* self);
    // [s] length of the next steps, as far as it is known; 0: not at all. Null: that of the last.
    double (*dt_expected)(const void* self, double dt_scale);
    // Before a batch that starts at batch->time: sets `variant` and those of `carried` that the
    // host decides; the others are those of the state. Null: nothing to set.
    void (*plan)(void* self, firn_device_batch* batch);
    // After a step. `report` has what the record's common part says; adds the rest. A record that
    // ended with a fault gives FIRN_BROKEN_DIVERGED and a sentence.
    firn_result (*accept)(void* self, const void* record, firn_step_report* report,
                          firn_error* error);
    // The sentence about particle p of the host, which is not finite. Null: never happens.
    firn_result (*refuse)(void* self, firn_local p, firn_error* error);
    // With dynamic colliders, before a step: chooses its length (base.dt and batch->dt), begins the
    // step of the engine and gives the dynamic colliders. Null: the device chooses the length, and
    // the engine begins when the snow has moved (device_bodies.h).
    firn_result (*begin_bodies)(void* self, firn_device_batch* batch, const firn_lumps** out_lumps,
                                firn_error* error);
    // Calls firn_device_ops.change with the solver's settings. Null: it has none.
    firn_result (*change)(void* self, firn_device_sim* sim, firn_error* error);
} firn_device_solver;

// Makes base->device_run where args->device is a device, and the device's half at once where there
// are particles. FIRN_BROKEN_MEMORY with the numbers when it does not fit.
firn_result firn_device_run_create(void* self, const firn_device_solver* solver,
                                   const firn_solver_args* args, firn_error* error);
void firn_device_run_destroy(firn_device_run* run);  // null is fine

// For the table of a solver (solver.h); these three also serve simulations on the host.
bool firn_device_run_remote(const void* self);
firn_local firn_device_run_count(const void* self);
firn_result firn_device_run_colliders_changed(void* self, firn_error* error);
firn_result firn_device_run_snapshot(void* self, firn_error* error);
firn_result firn_device_run_restore(void* self, firn_error* error);
void firn_device_run_expect(void* self, double time, double dt_limit, double dt_scale);
firn_result firn_device_run_fetch(void* self, firn_error* error);
size_t firn_device_run_bytes(const void* self);
firn_result firn_device_run_field(void* self, const firn_field* field, bool wait,
                                  firn_device_field* out_field, firn_error* error);
// The entries of that table for a solver that computes on both, as designated initialisers.
#define FIRN_DEVICE_RUN_FUNCTIONS                                                           \
    .count = firn_device_run_count, .colliders_changed = firn_device_run_colliders_changed, \
    .remote = firn_device_run_remote, .snapshot_take = firn_device_run_snapshot,            \
    .snapshot_restore = firn_device_run_restore, .expect = firn_device_run_expect,          \
    .fetch = firn_device_run_fetch, .device_bytes = firn_device_run_bytes,                  \
    .device_field = firn_device_run_field
// One step; sets time, dt, max_speed and step of the base.
firn_result firn_device_run_step(void* self, double time, double dt_limit, double dt_scale,
                                 firn_step_report* out_report, firn_error* error);
// The host's particles are the state from now on; what a device has computed is dropped.
void firn_device_run_host_changed(void* self);

// The host's particles are the state from now on, as above, and what the device has is given back:
// the next step makes it again, with the colliders and settings of then. Call fetch first.
void firn_device_run_rebuild(void* self);

// The device's half, with the state after the last step that the caller received: in its snapshot
// or in its particles. Null: there are no particles.
firn_result firn_device_run_settle(void* self, firn_device_sim** out_sim, bool* out_of_snapshot,
                                   firn_error* error);
// The device's half; null until there are particles.
firn_device_sim* firn_device_run_sim(const void* self);
// [s] between two stamps of a record; 0 where the second was not reached.
double firn_device_seconds(const firn_device_record* record, int from, int to);
// The frame's time as the caller has it: a whole number of frames, to the last bit, because steps
// must not depend on where batches begin.
double firn_device_frame_time(const firn_scene_data* scene, double time, double dt_limit);
// What a record says of its step, which took dt [s].
firn_step_report firn_device_report(const firn_device_record* r, double dt,
                                    firn_local count_before);
static inline firn_culprit firn_device_culprit(const firn_device_record* r)
{
    return (firn_culprit){r->fault_id, r->fault_material, r->fault_position, r->fault_velocity,
                          r->fault_value};
}
firn_device_cull firn_device_cull_of(const firn_scene_data* scene);
