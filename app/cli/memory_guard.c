// SPDX-License-Identifier: MIT
// The C library permits programs to define malloc and its relatives; these pass on to the ones that
// would have been used without them.
#define _GNU_SOURCE  // RTLD_NEXT, on_exit
#include "cli/memory_guard.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/exit_codes.h"
#include "cli/sanitized.h"

static bool guards;  // written before threads start
static bool ended;   // main returns; libraries still tidy up, and HDF5 crashes without memory

static void end_with(const char* line, size_t length)
{
    if (write(STDERR_FILENO, line, length) < 0) {}  // the exit code still tells
    _exit(CLI_EXIT_MEMORY);
}

static void end_early(int status, void* unused)
{
    (void)unused;
    if (!guards || ended) return;
    char line[160];
    const int length = snprintf(line, sizeof line,
                                "firn: error: a library ended the program with status %d: out of "
                                "memory or threads? (--threads, ulimit -u)\n",
                                status);
    end_with(line, (size_t)length);
}

#if defined(__GLIBC__) && !CLI_SANITIZED

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* block, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

static int libc_posix_memalign(void** out_block, size_t alignment, size_t size)
{
    void* block = __libc_memalign(alignment, size);
    if (!block) return ENOMEM;
    *out_block = block;
    return 0;
}

// Those of the C library, until main has looked for others that stand between (LD_PRELOAD).
static struct {
    void* (*malloc)(size_t size);
    void* (*calloc)(size_t count, size_t size);
    void* (*realloc)(void* block, size_t size);
    int (*posix_memalign)(void** out_block, size_t alignment, size_t size);
} next = {__libc_malloc, __libc_calloc, __libc_realloc, libc_posix_memalign};

static void find_next(const char* name, void* function)
{
    void* found = dlsym(RTLD_NEXT, name);
    if (found) *(void**)function = found;
}

static void* passed_on(void* block, size_t size)
{
    if (block || size == 0 || !guards) return block;
    char line[96];
    const int length = snprintf(line, sizeof line,
                                "firn: error: out of memory: cannot allocate %zu bytes\n", size);
    end_with(line, (size_t)length);
    return NULL;
}

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void* malloc(size_t size)
{
    return passed_on(next.malloc(size), size);
}

EXPORTED void* calloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
    return passed_on(next.calloc(count, size), bytes);
}

EXPORTED void* realloc(void* block, size_t size)
{
    return passed_on(next.realloc(block, size), size);
}

EXPORTED int posix_memalign(void** out_block, size_t alignment, size_t size)
{
    const int reason = next.posix_memalign(out_block, alignment, size);
    if (reason == ENOMEM) passed_on(NULL, size);
    return reason;
}

static void find_all(void)
{
    find_next("malloc", &next.malloc);
    find_next("calloc", &next.calloc);
    find_next("realloc", &next.realloc);
    find_next("posix_memalign", &next.posix_memalign);
}

#else

static void find_all(void)
{
}

#endif

void cli_memory_guard(void)
{
    find_all();
    guards = on_exit(end_early, NULL) == 0;
}

void cli_memory_guard_end(void)
{
    ended = true;
}
