// SPDX-License-Identifier: MIT
// What the two halves of the library of I/O faults share: fail_io.c has the plan and the system
// calls, fail_stdio.c streams and everything else that libc does by itself.
#pragma once
#include <stdbool.h>
#include <stdio.h>

enum fault_kind {
    OPEN,
    READ,
    WRITE,
    SYNC,
    RENAME,
    CLOSE,
    UNLINK,
    STAT,
    MKDIR,
    RESIZE,
    LIST,
    LOCK,
    PIPE,
    SPAWN
};

// Counts a call on a path, relative to an open folder or AT_FDCWD. Returns the errno with which the
// call must fail, -1 if it must be cut short, 0 if it is made as usual.
int fault_of_path(enum fault_kind kind, int folder, const char* path);
int fault_of_file(enum fault_kind kind, int file);
