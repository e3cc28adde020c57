// SPDX-License-Identifier: MIT
// Waiting until a word changes, without using the processor.
#pragma once
#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

// Returns when *word is not `value`, when woken, or for no reason.
static inline void firn_futex_wait(atomic_uint* word, unsigned value)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static inline void firn_futex_wake_all(atomic_uint* word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}
#elif defined(__EMSCRIPTEN_PTHREADS__)
static inline void firn_futex_wait(atomic_uint* word, unsigned value)
{
    __builtin_wasm_memory_atomic_wait32((int*)word, (int)value, -1);
}

static inline void firn_futex_wake_all(atomic_uint* word)
{
    __builtin_wasm_memory_atomic_notify((int*)word, UINT_MAX);
}
#else
#include <time.h>

// No such call here: looks again every 50 microseconds.
static inline void firn_futex_wait(atomic_uint* word, unsigned value)
{
    (void)word, (void)value;
    nanosleep(&(struct timespec){0, 50000}, NULL);
}

static inline void firn_futex_wake_all(atomic_uint* word)
{
    (void)word;
}
#endif
