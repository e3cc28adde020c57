// SPDX-License-Identifier: MIT
// A simulation whose particles live on a device, as the host sees it. The host launches *batches*
// of steps and reads one record per step when the batch is done. Within a batch the device chooses
// dt, meets the frame's time and stops at faults by itself; only records cross the bus.
//
//     host    begin(batch)  (writes the last frame)  wait -> records
//     device       step step step step step
//
// cuda_sim.cuh implements this on CUDA; device_run.h makes single steps for `sim` out of it.
#pragma once
#include "core/result.h"
#include "state/particles.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct firn_device_field firn_device_field;  // firn/device.h
typedef struct firn_impulse firn_impulse;            // impulse.h
typedef struct firn_lumps firn_lumps;                // lumps.h

#define FIRN_DEVICE_STAMPS 8
#define FIRN_DEVICE_CARRIED 6

// Why a batch ended with this step.
typedef enum firn_device_end {
    FIRN_DEVICE_GOES_ON,
    FIRN_DEVICE_FRAME,   // the frame's time is reached
    FIRN_DEVICE_ENOUGH,  // as many steps as were requested; never in a record
    FIRN_DEVICE_ROOM,    // the solver's arrays are too small: the step was not done
    FIRN_DEVICE_FAULT    // the step failed; a solver's own reasons count up from here
} firn_device_end;

// Log entry of a step, the part that all solvers have; a solver's record begins with it.
// Energies describe the start of the step.
typedef struct firn_device_record {
    int64_t step;
    double time, dt;                         // [s] at the start; length
    double momentum[3], kinetic, potential;  // [kg m/s], [J]
    double max_speed;                        // [m/s] at the start
    double carried[FIRN_DEVICE_CARRIED];     // after it
    int32_t count;                           // particles, after culling
    int32_t entries;                         // of the state's arrays: with those that are culled
                                             // and not dropped yet; fewer than `count`: `count`
    int32_t end;                             // firn_device_end, or the solver's own
    // the particle at fault
    uint32_t fault_id;
    int32_t fault_material;
    firn_vec3 fault_position, fault_velocity;
    double fault_value;                  // firn_culprit.value
    uint64_t stamp[FIRN_DEVICE_STAMPS];  // [ns] of the device's clock; the solver says of what
} firn_device_record;

typedef struct firn_device_batch {
    int64_t step;
    double time, frame_time;  // [s] now; where the frame ends
    double dt_scale;
    double carried[FIRN_DEVICE_CARRIED];  // state beside the particles, defined by the solver
    int variant;                          // which of the solver's steps (mpm: 1 is semi-implicit)
    int steps;                            // at most
    double dt;  // [s] of the only step, where the host chooses it; 0: the device does
} firn_device_batch;

// Which particles the scene removes (scene/run/cull.h).
typedef struct firn_device_cull {
    bool active;
    double start;                // [s] before which nothing is removed
    double below;                // [m] particles lower than this are removed
    firn_local inside, outside;  // shapes; -1: none
} firn_device_cull;

typedef struct firn_device_sim firn_device_sim;

typedef struct firn_device_ops {
    void (*destroy)(firn_device_sim* sim);
    size_t (*bytes)(const firn_device_sim* sim);  // allocated on the device
    // Colliders deform: the host moves them before each step, so batches have one step.
    bool (*single_steps)(const firn_device_sim* sim);
    // All fields of the host's particles. Writes the solver's entries of `carried`; *out_bad: the
    // first particle that is not finite, or the count.
    firn_result (*upload)(firn_device_sim* sim, const firn_particles* from, int64_t step,
                          double* carried, firn_local* out_bad, firn_error* error);
    // Particles to the host: those now, or those of the snapshot while a batch runs on.
    firn_result (*download)(firn_device_sim* sim, bool of_snapshot, firn_particles* to,
                            firn_error* error);
    // Copies the state on the device; restores this copy.
    firn_result (*snapshot)(firn_device_sim* sim, firn_error* error);
    firn_result (*rollback)(firn_device_sim* sim, firn_error* error);
    // Uploads the motion of the host's colliders, and `settings`: what else a solver may change
    // between steps (null: nothing). For later batches; none may be running.
    firn_result (*change)(firn_device_sim* sim, const void* settings, firn_error* error);
    // Before each step of a simulation with dynamic colliders (device_bodies.h): uploads the motion
    // of the host's colliders, and `lumps`: null where the solver has none. No batch may be
    // running.
    firn_result (*drive)(firn_device_sim* sim, const firn_lumps* lumps, firn_error* error);
    // Begins a batch; returns at once.
    firn_result (*begin)(firn_device_sim* sim, const firn_device_batch* batch, firn_error* error);
    // Waits for it. Records are the solver's, borrowed until the next begin.
    firn_result (*wait)(firn_device_sim* sim, const void** out_records, int* out_count,
                        firn_error* error);
    // After a record that ended with ROOM.
    firn_result (*grow)(firn_device_sim* sim, firn_error* error);
    // Sums of what colliders took in a step of the last batch that `wait` returned, counted from 0:
    // [colliders + 1] as in loads.h. Borrowed until the next begin. Null: not known.
    const firn_impulse* (*loads)(const firn_device_sim* sim, int step);
    // Where a field of the particles lies now, or in the snapshot. `wait`: until it is complete.
    // Writes all of firn_device_field but name, unit, type and gone_count.
    firn_result (*field)(firn_device_sim* sim, bool of_snapshot, const firn_field* field, bool wait,
                         firn_device_field* out_field, firn_error* error);
    // Before a batch that begins at `time` [s], when its time may be new to the device: after an
    // upload, or after a rollback to a snapshot of one. What depends on the time is computed again,
    // and the solver's entries of `carried`. Null: nothing does.
    firn_result (*meet_time)(firn_device_sim* sim, double time, double* carried, firn_error* error);
} firn_device_ops;

struct firn_device_sim {
    const firn_device_ops* ops;
};

#ifdef __cplusplus
}
#endif
