// SPDX-License-Identifier: MIT
// Exit codes of `firn`. A promise to scripts: docs/manual.md lists the same table.
#pragma once

enum {
    CLI_EXIT_OK = 0,
    CLI_EXIT_BUG = 1,           // a bug in firn
    CLI_EXIT_USAGE = 2,         // wrong command line
    CLI_EXIT_INPUT = 3,         // a scene or another input file is missing, wrong or damaged
    CLI_EXIT_IO = 4,            // reading or writing failed: disk full, no permission, ...
    CLI_EXIT_DIVERGED = 5,      // the simulation diverged; the last good frame is on disk
    CLI_EXIT_MEMORY = 6,        // out of memory, or over --memory
    CLI_EXIT_BACKEND = 7,       // backend, SIMD level or feature not in this build or machine, or
                                //     the GPU failed during the run
    CLI_EXIT_DIFFERENT = 8,     // firn diff: the runs differ
    CLI_EXIT_INTERRUPTED = 130  // SIGINT, SIGTERM, SIGHUP; a run: after a checkpoint
};
