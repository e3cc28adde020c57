// SPDX-License-Identifier: MIT
// Running another program to its end: no shell, nothing on the terminal, its complaints kept.
#pragma once
#include "core/result.h"

typedef struct firn_spawn_outcome {
    int missing;        // errno when the program could not be started; 0: it ran
    int status;         // exit status; 128 + signal when a signal ended it; -1 unknown
    char message[600];  // what it wrote to stderr last, without control characters
} firn_spawn_outcome;

// arguments[0] is the program, looked for on PATH; the list ends with null. Its input is empty, its
// standard output is thrown away.
firn_spawn_outcome firn_spawn_run(const char* const* arguments);
