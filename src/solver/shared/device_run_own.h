// SPDX-License-Identifier: MIT
// A simulation on a device, as device_run.c and device_parts.c keep it.
#pragma once
#include "solver/shared/base.h"
#include "solver/shared/device_ahead.h"
#include "solver/shared/device_driver.h"
#include "solver/shared/device_run.h"

struct firn_device_run {
    const firn_device_solver* solver;
    firn_solver_base* base;  // borrowed
    firn_device_ahead ahead;
    int device;               // number
    firn_device_sim* sim;     // owned; null until there are particles
    firn_local capacity;      // particles that `sim` has room for
    firn_local capacity_min;  // that it is created with, at least
    int batch_max;            // most steps of a batch that the caller allows
    bool host_newer;          // the host's particles have not been uploaded yet
    bool uploaded;            // they were, since the snapshot
    bool fetched;             // the host's particles are the state
    bool running;             // a batch is running
    bool fetched_this_frame;  // fetched within this frame: batches are single steps
    firn_device_driver driver;
    const char* records;        // borrowed from `sim` or the driver
    const firn_impulse* loads;  // of these records; null: `sim` has them
    int ready, next;            // records of the last batch; the next one to return
    bool tries_again;           // the step did not fit; the engine has begun it (device_bodies.h)
    const firn_lumps* lumps;    // borrowed from the solver, of the step
    // the state after the last step that was returned
    firn_local count;
    firn_local entries;  // firn_device_record.entries, at least `count`
    double carried[FIRN_DEVICE_CARRIED];
    firn_device_batch last;  // the batch begun last
    // the snapshot
    bool has_snapshot;
    int steps_since_snapshot;
    firn_device_batch after_snapshot;  // the first batch after it
    firn_local snapshot_count, snapshot_entries;
    double snapshot_carried[FIRN_DEVICE_CARRIED];
};

// device_parts.c
// Nothing has been sent to the device, because there are no particles and there will be none.
bool firn_device_is_empty(const firn_device_run* run);
// Creates the device's half where there is none, or where the host's particles do not fit.
firn_result firn_device_make_room(firn_device_run* run, firn_error* error);
// Makes room for the particles that the solver adds by itself up to `time` [s]. No batch may be
// running, and the caller has received all steps.
firn_result firn_device_expect_more(firn_device_run* run, double time, firn_error* error);
// device_run.c: the host's particles to the device.
firn_result firn_device_upload(firn_device_run* run, firn_error* error);
