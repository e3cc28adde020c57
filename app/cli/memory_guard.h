// SPDX-License-Identifier: MIT
// Libraries that run out of memory. HDF5, libfyaml and others crash, corrupt their state or end the
// program in silence when malloc fails, so malloc does not fail: the program ends first, with a
// sentence and exit code 6. Files appear by rename, so none is half written. Arrays of firn itself
// are allocated by aligned_alloc (core/memory.h), which may fail: these failures are handled.
#pragma once

// From now on a failing malloc, calloc, realloc or posix_memalign, of whatever library, exits with
// code 6, and so does an exit that is not a return from main: HDF5's. Not in builds with
// sanitizers, which have their own malloc.
void cli_memory_guard(void);
// Call before returning from main.
void cli_memory_guard_end(void);
