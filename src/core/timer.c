// SPDX-License-Identifier: MIT
// Time for progress, profiles and the division of work among ranks; never enters a result.
#include "core/timer.h"

#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double firn_seconds(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double firn_thread_seconds(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}
