// SPDX-License-Identifier: MIT
// Runs another program without a shell; its output is not shown, its error messages are kept.
#pragma once
#include "core/result.h"

typedef struct firn_spawn_outcome {
    int missing;        // errno when the program could not be started; 0: it ran
    int status;         // exit status; 128 + signal when a signal ended it; -1 unknown
    char message[600];  // end of its stderr, without control characters
} firn_spawn_outcome;

// arguments[0] is the program, searched on PATH; the list ends with null. Its input is empty, its
// standard output is discarded.
firn_spawn_outcome firn_spawn_run(const char* const* arguments);

// A program that reads data while it runs.
typedef struct firn_spawn {
    int child;          // process
    int input;          // a socket to its standard input; -1: closed
    int errors;         // a pipe from its stderr
    char message[600];  // end of what it wrote there
} firn_spawn;

// 0, or errno when it could not be started; no firn_spawn_end is needed then.
int firn_spawn_begin(const char* const* arguments, firn_spawn* out_spawn);
// False: the program reads no more; firn_spawn_end says why. Raises no signal.
bool firn_spawn_feed(firn_spawn* spawn, const void* data, size_t bytes);
// Closes its input and waits for its end; `kill_it` ends it at once.
firn_spawn_outcome firn_spawn_end(firn_spawn* spawn, bool kill_it);
