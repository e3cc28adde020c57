// SPDX-License-Identifier: MIT
// Lock on the folder of a run: one simulation writes at a time, and other processes can see whether
// it is still alive. An advisory lock on the folder itself (flock) leaves no file behind, and the
// system releases it when the process ends for any reason.
#pragma once
#include "core/result.h"

typedef struct firn_run_lock {
    int handle;  // file descriptor + 1; 0: not held
} firn_run_lock;

// Takes the lock of `dir`, which exists. FIRN_REFUSED_IO: another run holds it. On file systems
// without locks (some network ones) the result is FIRN_OK, and the lock is not held.
firn_result firn_run_lock_take(const char* dir, firn_run_lock* out_lock, firn_error* error);
void firn_run_lock_release(firn_run_lock* lock);  // fine when it is not held

typedef enum firn_run_state {
    FIRN_RUN_STOPPED,  // no process writes there
    FIRN_RUN_ALIVE,
    FIRN_RUN_UNKNOWN  // the file system cannot tell
} firn_run_state;
firn_run_state firn_run_lock_look(const char* dir);
