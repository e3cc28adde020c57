// SPDX-License-Identifier: MIT
// Who writes into a run's folder: one simulation at a time, and others can see whether it still
// lives. An advisory lock on the folder itself (flock): it leaves no file behind, and the system
// lets it go when the process dies, however it dies.
#pragma once
#include "core/result.h"

typedef struct firn_run_lock {
    int handle;  // file descriptor + 1; 0: not held
} firn_run_lock;

// Takes the lock of `dir`, which exists. FIRN_REFUSED_IO: another run holds it. Where the file
// system has no locks (some network ones), the lock is not held and all is FIRN_OK.
firn_result firn_run_lock_take(const char* dir, firn_run_lock* out_lock, firn_error* error);
void firn_run_lock_release(firn_run_lock* lock);  // fine when it is not held

typedef enum firn_run_state {
    FIRN_RUN_STOPPED,  // nobody writes there
    FIRN_RUN_ALIVE,
    FIRN_RUN_UNKNOWN  // the file system cannot tell
} firn_run_state;
firn_run_state firn_run_lock_look(const char* dir);
