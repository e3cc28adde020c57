// SPDX-License-Identifier: MIT
// The lock on the folder of a run.
#include "output/run/run_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

// firn_run_lock_look holds the lock for microseconds: a run retries before it gives up.
#define ATTEMPTS 20
static const struct timespec pause_time = {.tv_nsec = 10 * 1000 * 1000};

// Closed in child processes: ffmpeg must not hold the lock of a run that died.
static int open_folder(const char* dir)
{
    return open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

firn_result firn_run_lock_take(const char* dir, firn_run_lock* out_lock, firn_error* error)
{
    *out_lock = (firn_run_lock){0};
    const int handle = open_folder(dir);
    if (handle < 0) return FIRN_OK;  // the first file written there reports what is wrong
    int code = EWOULDBLOCK;
    for (int k = 0; k < ATTEMPTS && code == EWOULDBLOCK; k++) {
        if (k > 0) nanosleep(&pause_time, NULL);
        code = flock(handle, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    }
    if (code == 0) {
        out_lock->handle = handle + 1;
        return FIRN_OK;
    }
    close(handle);
    if (code != EWOULDBLOCK) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_IO,
                     "another firn is writing a run into '%s': wait for it, or choose another "
                     "folder with -o",
                     dir);
}

void firn_run_lock_release(firn_run_lock* lock)
{
    if (lock->handle > 0) close(lock->handle - 1);
    *lock = (firn_run_lock){0};
}

firn_run_state firn_run_lock_look(const char* dir)
{
    const int handle = open_folder(dir);
    if (handle < 0) return FIRN_RUN_STOPPED;  // no folder: no run
    // a shared lock: two concurrent callers do not take each other for a run
    const int code = flock(handle, LOCK_SH | LOCK_NB) == 0 ? 0 : errno;
    close(handle);
    return code == 0 ? FIRN_RUN_STOPPED : code == EWOULDBLOCK ? FIRN_RUN_ALIVE : FIRN_RUN_UNKNOWN;
}
