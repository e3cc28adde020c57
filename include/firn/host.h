// SPDX-License-Identifier: MIT
// What firn takes from the program that it runs in: threads and memory.
//
// Threads. firn's loops run on threads of its own, on the program's job system, or in the calling
// thread alone; results are the same bit by bit.
//
//     def.threads = 4;       own threads: yours and three more, which a simulation starts with its
//                            first step. Waiting for a loop they spin for at most 50 microseconds,
//                            then sleep; between your calls they use no processor time.
//     def.threads = 1;       the calling thread alone; no thread is started.
//     def.jobs = &my_jobs;   the program's job system; no thread is started.
//
// firn's threads take no signals: handlers run on the program's threads. After fork() the child has
// the simulations as they were and may continue them: own threads are started again in it; whether
// a job system works there is its own matter. (CUDA does not work in the child of a process that
// has used it.) No call may be in progress in another thread when the program forks.
//
// Memory. All blocks of firn on the host come from the C library, or from firn_set_allocator.
#pragma once
#include <stddef.h>

#include "firn/export.h"
#include "firn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// The program's job system. firn calls `run` on the thread that called firn, many times per step,
// never inside a job. `run` calls job(context, k) once for every k in [0, count), in any order and
// on any threads, even one after the other, and returns when all of them have returned, on the
// thread that called it. Jobs do not wait for each other, take some microseconds to milliseconds,
// and need 256 KiB of stack. Other work may run on the calling thread until `run` returns, also
// other simulations. Will not grow in later versions.
typedef struct firn_jobs {
    void (*run)(void* user, int count, void (*job)(void* context, int k), void* context);
    void* user;  // passed to `run`
    int width;   // 1 to 4096; `count` is at most this: the threads that run jobs, with the calling
                 // thread if it takes part
} firn_jobs;

// Choose the threads of the calls that load, build and check this scene: `threads`, or `jobs` where
// it is not null (copied). 0 and null, the default: own threads on all cores, for the time of each
// call. A simulation does not take this over: see firn_sim_def. FIRN_REFUSED_ARGUMENT: threads not
// in 0 .. 4096, or jobs without `run` or with a wrong width; firn_scene_messages says so.
FIRN_API firn_result firn_scene_set_threads(firn_scene* scene, int threads, const firn_jobs* jobs);

// The program's allocator. Called from any thread that firn runs on, several at a time, also inside
// jobs; not while a step runs, but for arrays that must grow. Will not grow in later versions.
typedef struct firn_allocator {
    // Gives a block of at least `bytes`, with an address that is a multiple of `alignment` (64).
    // Null: there is no memory; the call of firn then fails with FIRN_BROKEN_MEMORY.
    void* (*allocate)(void* user, size_t bytes, size_t alignment);
    // Takes it back; `bytes` is what was asked for. Never null.
    void (*release)(void* user, void* block, size_t bytes);
    void* user;  // passed to both
} firn_allocator;

// Choose where the memory of all scenes and simulations of this process comes from; `allocator` is
// copied. Null: the C library, the default. Call it before any other thread uses firn. Memory that
// the C library and other libraries (libfyaml, CUDA) take for themselves does not count, nor do
// stacks of threads.
// FIRN_REFUSED_ARGUMENT: firn holds memory (destroy all scenes and simulations first), or one of
// the functions is null; nothing has changed.
FIRN_API firn_result firn_set_allocator(const firn_allocator* allocator);

#ifdef __cplusplus
}
#endif
