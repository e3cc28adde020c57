// SPDX-License-Identifier: MIT
// Keeps a device at work while the caller writes a frame: a thread that waits for a batch, keeps
// its records, and begins the next one, until the frame's time is reached.
//
//     caller    expect     writes frame k            step step step … (records that are there)
//     driver      └ wait begin wait begin wait … frame k + 1 is done
//
// Batches follow each other as those of the caller would: time, step and carried values are those
// of the last record, so that the bits do not depend on who began a batch.
#pragma once
#include <pthread.h>

#include "core/threads/team.h"
#include "solver/shared/device_sim.h"

typedef struct firn_memory_budget firn_memory_budget;

// Records of some steps and what colliders took in each of them.
typedef struct firn_device_log {
    char* records;                              // owned [capacity][record_size]
    firn_impulse* loads;                        // owned [count][load_count]; null: not known
    firn_local count, capacity, load_capacity;  // of steps, of `records`, of `loads`
} firn_device_log;

typedef struct firn_device_driver {
    // constant
    size_t record_size;
    int steps_max;    // of a batch
    firn_team* team;  // owned; of the thread
    // the caller's
    bool started;
    pthread_t thread;
    firn_device_log front;  // what was taken last
    firn_device_sim* sim;   // borrowed while the thread runs, as the budget
    firn_memory_budget* budget;
    firn_local load_count;    // sums per step; 0: none
    firn_device_batch batch;  // the thread's: the one that runs
    // guarded by the lock
    pthread_mutex_t lock;
    pthread_cond_t changed;
    firn_device_log back;  // what was not taken yet
    bool stop, ended;
    firn_result result;  // why it ended
    firn_error error;
} firn_device_driver;

void firn_device_driver_create(firn_device_driver* driver, size_t record_size, int steps_max);
void firn_device_driver_destroy(firn_device_driver* driver);

// Goes on after `batch`, which has begun. `load_count`: sums of loads per step; 0: none. Where no
// thread can be started: does nothing, and the caller waits for the batch.
void firn_device_driver_start(firn_device_driver* driver, firn_device_sim* sim,
                              const firn_device_batch* batch, firn_local load_count);
// Waits until there are records, which are driver->front until the next call, or until the driver
// ends; *out_more: there may be more. The result is why it ended, when all records were taken.
firn_result firn_device_driver_take(firn_device_driver* driver, bool* out_more, firn_error* error);
// Waits for the batch that runs; what was not taken is dropped. Nothing where it was not started.
void firn_device_driver_stop(firn_device_driver* driver);
