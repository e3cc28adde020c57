// SPDX-License-Identifier: MIT
#include "cli/ranks_watch.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli/exit_codes.h"
#include "cli/terminal/message.h"

#define STACK (256 << 10)  // [bytes] of the watching thread, which counts against --memory

// Of a process, which has one watchdog at most.
static struct {
    const firn_comm* comm;  // null: nobody watches
    int64_t seconds;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool ends;
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void end_process(void)
{
    cli_error("another rank has not answered for %lld s: its process or its machine hangs, or "
              "the network does. Continue with --resume, on other machines if need be; "
              "--rank-timeout sets the time",
              (long long)watch.seconds);
    fflush(NULL);
    _exit(CLI_EXIT_BACKEND);  // MPI cannot be called: the thread that may is waiting in it
}

static void* look(void* unused)
{
    (void)unused;
    pthread_mutex_lock(&watch.lock);
    while (!watch.ends) {
        struct timespec next;
        clock_gettime(CLOCK_REALTIME, &next);
        next.tv_sec += 1;
        pthread_cond_timedwait(&watch.changed, &watch.lock, &next);
        if (!watch.ends && firn_comm_waiting(watch.comm) > (double)watch.seconds) end_process();
    }
    pthread_mutex_unlock(&watch.lock);
    return NULL;
}

void cli_ranks_watch(const firn_comm* comm, int64_t seconds)
{
    if (firn_comm_count(comm) < 2 || firn_comm_rank(comm) != 0 || seconds == 0) return;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    watch.comm = comm;
    watch.seconds = seconds;
    watch.ends = false;
    if (pthread_create(&watch.thread, &attributes, look, NULL) != 0) {
        cli_warning("no thread for the watchdog: a rank that hangs is not noticed");
        watch.comm = NULL;
    }
    pthread_attr_destroy(&attributes);
}

void cli_ranks_unwatch(void)
{
    if (watch.comm == NULL) return;
    pthread_mutex_lock(&watch.lock);
    watch.ends = true;
    pthread_cond_signal(&watch.changed);
    pthread_mutex_unlock(&watch.lock);
    pthread_join(watch.thread, NULL);
    watch.comm = NULL;
}
