// SPDX-License-Identifier: MIT
// Running another program: no shell, nothing on the terminal, its complaints kept.
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

// A program that is fed while it runs.
typedef struct firn_spawn {
    int child;          // process
    int input;          // a socket to its standard input; -1: closed
    int complaints;     // a pipe from its stderr
    char message[600];  // what it wrote there last
} firn_spawn;

// 0, or errno when it could not be started: nothing is to be given back then.
int firn_spawn_begin(const char* const* arguments, firn_spawn* out_spawn);
// False: it takes no more; firn_spawn_end says why. No signal is raised.
bool firn_spawn_feed(firn_spawn* spawn, const void* data, size_t bytes);
// Ends its input and waits for it; with `kill_it` it is ended instead.
firn_spawn_outcome firn_spawn_end(firn_spawn* spawn, bool kill_it);
