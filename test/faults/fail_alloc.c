// SPDX-License-Identifier: MIT
// A library for LD_PRELOAD that makes allocations of a program fail, of its libraries as well.
// tools/faults runs firn with it; it is never part of firn.
//
// FAIL_ALLOC="at=7;forever;log=/tmp/x.log"
//     at       the number of the allocation that fails, from 1, counted from the start of main;
//              0: none
//     forever  and all after it; else only that one
//     log      file to which the number of allocations is written at exit, and the caller of the
//              one that failed
//
// Allocations are malloc, calloc, realloc, their aligned relatives, and mmap of memory. What
// happens before main is the loader's and the libraries' own start.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* block, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

static atomic_bool g_active;
static atomic_long g_count;
static long g_at;
static bool g_forever;
static char g_log[512];
static _Thread_local bool t_inside;

static void note(const char* format, ...)
{
    char line[512];
    va_list args;
    if (g_log[0] == 0) return;
    va_start(args, format);
    const int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    const int file = (int)syscall(SYS_openat, AT_FDCWD, g_log, O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (file < 0) return;
    syscall(SYS_write, file, line, (size_t)length);
    syscall(SYS_close, file);
}

static void note_caller(long number, void* caller)
{
    Dl_info info = {0};
    t_inside = true;
    dladdr(caller, &info);
    const char* object = info.dli_fname != NULL ? strrchr(info.dli_fname, '/') : NULL;
    note("failed %ld in %s %s\n", number, object != NULL ? object + 1 : "?",
         info.dli_sname != NULL ? info.dli_sname : "?");
    t_inside = false;
}

static bool fails(void* caller)
{
    if (!atomic_load(&g_active) || t_inside) return false;
    const long number = atomic_fetch_add(&g_count, 1) + 1;
    if (g_at == 0 || (g_forever ? number < g_at : number != g_at)) return false;
    if (number == g_at) note_caller(number, caller);
    errno = ENOMEM;
    return true;
}

void* malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void* calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void* realloc(void* block, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}

void* memalign(size_t alignment, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void** out_block, size_t alignment, size_t size)
{
    void* block = fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
    if (block == NULL) return ENOMEM;
    *out_block = block;
    return 0;
}

void* mmap(void* address, size_t length, int protection, int flags, int file, off_t offset)
{
    if ((flags & MAP_ANONYMOUS) && fails(__builtin_return_address(0))) return MAP_FAILED;
    return (void*)syscall(SYS_mmap, address, length, protection, flags, file, offset);
}

static int (*g_main)(int, char**, char**);

static int counted_main(int argc, char** argv, char** environment)
{
    const char* setting = getenv("FAIL_ALLOC");
    if (setting != NULL) {
        const char* at = strstr(setting, "at=");
        const char* log = strstr(setting, "log=");
        g_at = at != NULL ? strtol(at + 3, NULL, 10) : 0;
        g_forever = strstr(setting, "forever") != NULL;
        if (log != NULL) snprintf(g_log, sizeof g_log, "%.*s", (int)strcspn(log + 4, ";"), log + 4);
        atomic_store(&g_active, true);
    }
    return g_main(argc, argv, environment);
}

__attribute__((destructor)) static void report(void)
{
    if (g_at == 0) note("count %ld\n", atomic_load(&g_count));
}

int __libc_start_main(int (*entry)(int, char**, char**), int argc, char** argv, void (*start)(void),
                      void (*end)(void), void (*loader_end)(void), void* stack_end)
{
    int (*next)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void),
                void (*)(void), void*);
    *(void**)&next = dlsym(RTLD_NEXT, "__libc_start_main");
    g_main = entry;
    return next(counted_main, argc, argv, start, end, loader_end, stack_end);
}
