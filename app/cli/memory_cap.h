// SPDX-License-Identifier: MIT
// --memory: bounds the memory of the process, so that libraries are bounded as well.
#pragma once
#include <stdint.h>

#define CLI_MEMORY_SPARE \
    ((uint64_t)64 << 20)  // [bytes] for libraries: HDF5, PNG, stacks of threads

// Limits what the process may allocate from now on to `bytes` + CLI_MEMORY_SPARE + the stacks of
// `threads` (0: all cores). Allocations beyond that fail; the library counts those of a simulation
// against `bytes` alone. 0: no limit.
void cli_memory_cap(uint64_t bytes, int threads);
